"""Short texts about four topics, written for this project, with features of their words."""

from __future__ import annotations

import numpy as np

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.items import Texts
from dcrc_explore.embeddings.text import word_features

_TEXTS = {
    "football": """
The striker scored the only goal of the match in the last minute.
Our team lost the match after a penalty kick hit the post.
The goalkeeper saved two penalties and the team won the cup.
Fans sang through the whole match although the team was two goals behind.
A red card left the team with ten players for most of the match.
The coach changed three players at half time, and the team scored twice.
The referee gave a penalty that nobody in the stadium understood.
Both teams played well, but neither striker found the goal.
She scored a goal from the middle of the field, over the goalkeeper.
The league is decided: one team leads by ten points with three matches left.
The defender headed the ball off the line and saved the match.
The stadium was full for the derby, and the first goal came early.
The players trained in the rain before the second match of the cup.
A late corner kick gave the visiting team its winning goal.
The young striker signed for the team after scoring twenty goals.
The goalkeeper dropped the ball, and the striker scored easily.
The match ended without a goal, and both coaches were content.
The captain missed a penalty but scored with the next kick.
The team went down to the second league after losing the last match.
Players and fans waited for the referee to look at the goal again.
The coach praised the defenders, who allowed no goal in five matches.
A free kick bent around the wall and into the goal.
The team celebrated the cup with the fans in front of the stadium.
He ran past two defenders and passed the ball to the striker.
The ball hit the bar twice before the first goal of the match.
The referee stopped the match when fans ran onto the field.
The women's team won the league without losing a match.
The striker was offside, so the goal did not count.
An injured player left the field, and the team played on with ten.
The penalty shootout was decided by the goalkeeper's last save.
""",
    "cooking": """
Fry the onions in butter until they are soft, then add the garlic.
The soup needs more salt, a little pepper and ten minutes on the stove.
Bake the bread in a hot oven until the crust is brown.
Stir the sauce slowly and add the cream at the end.
Boil the potatoes with salt and mash them with butter and milk.
The cake stayed flat because I forgot the baking powder.
Chop the onions and tomatoes and let the sauce simmer for an hour.
Knead the dough well and let it rest in a warm kitchen.
Roast the vegetables in the oven with oil, garlic and salt.
Whisk the eggs with sugar before the flour goes into the dough.
My grandmother's recipe for soup begins with onions, carrots and celery.
Take the bread out of the oven and let it cool on a rack.
The pasta is cooked in five minutes; keep some water for the sauce.
Season the fish with lemon, salt and pepper before you fry it.
The recipe asks for two eggs, a cup of flour and some butter.
Melt the chocolate slowly and stir it into the cake dough.
Add the rice to the onions, then pour in the stock and stir.
The stew tastes better when it simmers in a low oven all day.
Mix oil, vinegar and mustard for the salad, and add salt at the end.
She burnt the garlic and had to begin the sauce again.
Grate the cheese over the pasta and put it into the oven.
The dough is too wet: add flour until it no longer sticks.
Slice the tomatoes, add salt, oil and a little garlic.
Bake the cake for forty minutes and do not open the oven.
The kitchen smelled of fresh bread and fried onions.
Cook the beans with garlic and add salt only when they are soft.
Brown the butter in a pan and pour it over the potatoes.
The sauce is too thin: stir in a spoon of flour and butter.
Peel the potatoes, slice them and bake them with cream and cheese.
A pinch of sugar takes the sourness out of a tomato sauce.
""",
    "weather": """
Heavy rain is expected in the north, with strong wind along the coast.
The storm brought snow to the mountains and closed two roads.
Tomorrow will be sunny with light wind and a temperature of twenty degrees.
Fog in the morning will give way to sun by noon.
The temperature fell below zero at night, and the lake froze.
A warm front brings clouds and rain from the west.
After weeks without rain the ground is dry and cracked.
Thunder and lightning are likely in the evening, with heavy rain in places.
It snowed all night, and in the morning the sky was clear and cold.
The forecast promises sun for the weekend, but showers on Monday.
Strong wind tore down trees as the storm crossed the coast.
Clouds will gather in the afternoon, and some rain is likely.
The coldest night of the winter had a temperature of minus twenty degrees.
A rainbow stood over the valley when the sun came out after the rain.
Hail as large as cherries fell during the storm.
The wind turns to the north and brings cold air and snow.
Temperatures will rise to thirty degrees, with hardly a cloud in the sky.
The forecast was wrong: instead of sun we had rain all day.
Dense fog covered the coast until the wind came up.
The first frost of the winter came early this year.
Rain and melting snow made the rivers rise.
A mild winter without snow is followed by a cold spring.
The storm warning holds until midnight, with wind from the west.
Dry air and sun make for a warm day and a cold night.
Showers pass through the valley, and between them the sun shines.
The sky turned yellow before the storm, and the wind stopped.
Snow is forecast above a thousand metres, rain below.
The heat will end on Friday with thunder and heavy showers.
Low clouds hang over the coast, and the air is damp and cold.
It was the wettest month in years, with rain on twenty days.
""",
    "music": """
The orchestra played the symphony slowly, and the strings sounded warm.
She practises the piano for two hours before each concert.
The choir sang the last song twice because the audience kept clapping.
His new album has ten songs, and most are for guitar and voice.
The violin was out of tune at the beginning of the concert.
The band tuned their guitars on stage while the audience waited.
A jazz trio with piano, bass and drums played until midnight.
The singer forgot the second verse, and the audience sang it for her.
The drummer kept the rhythm while the guitar played a long solo.
The composer wrote the quartet for two violins, viola and cello.
The concert ended with a song for piano and voice.
Old songs sound new when a choir sings them slowly.
The cello has the melody, and the violins answer softly.
They recorded the album in one night, with a single microphone.
The conductor asked the orchestra to play the slow part again.
The melody is simple, but its rhythm is hard to sing.
A street musician played the accordion and sang old songs.
The band's first album was louder than their concert.
She learned the guitar by listening to records and singing along.
The flute enters after the strings and repeats the melody.
The audience was silent during the piano solo.
The opera singer filled the hall without a microphone.
The bass is too loud, so nobody hears the voice of the singer.
We danced until the band had played every song they knew.
The organ and the choir fill the church with music.
He tunes pianos by ear and plays jazz in the evening.
The drums begin alone, then bass and guitar join the rhythm.
The symphony has four parts, and the orchestra plays the second too fast.
The children's choir sang a song in three voices.
A broken string stopped the violin solo in the middle of the concert.
""",
}


def short_texts() -> Dataset:
    """Make the data set: words weighted by TF-IDF, reduced to a few dimensions that vary most, texts as items.

    Examples
    --------
    >>> data = short_texts()
    >>> data, data.class_names
    (Dataset('short-texts', 120 points, 12 features, 4 classes), ('cooking', 'football', 'music', 'weather'))
    """
    names = sorted(_TEXTS)
    texts = {name: _TEXTS[name].strip().splitlines() for name in names}
    everything = [text for name in names for text in texts[name]]
    y = np.repeat(np.arange(len(names)), [len(texts[name]) for name in names])
    X = word_features(everything)
    # In random order, so that neighbours in the list tell nothing.
    order = np.random.default_rng(0).permutation(len(y))
    return Dataset(
        X[order],
        y[order],
        "short-texts",
        feature_names=tuple(f"component {d + 1}" for d in range(X.shape[1])),
        class_names=tuple(names),
        items=Texts([everything[i] for i in order]),
        features="words",
    )
