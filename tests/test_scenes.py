"""Scenes: every shipped one shows what it promises, files are read and written, errors name their line."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dcrc_explore.cli import main
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.information import surprise
from dcrc_explore.scenes import (
    Effect,
    Moment,
    Performance,
    Scene,
    SceneAnswers,
    SceneError,
    SceneStep,
    SceneView,
    effect_sizes,
    list_scenes,
    load_scene,
    open_scene,
    perform,
    play,
    read_scene,
    scene_text,
)
from dcrc_explore.session import Pair, Session


def answers(side):
    return side.state.log.triplets


HEAD = 'title = "A"\npromise = "B."\ndata.name = "close"\n'


@pytest.fixture
def everything():
    return Scene(
        "mine",
        'A "quoted" title',
        "Naïve, 2 × 3.",
        {"name": "close", "spread": 0.5, "n_clusters": 4},
        settings={"epsilon": 0.15, "kernel": "rbf", "balance": False, "lam": 2.0**-20},
        beside={"epsilon": 0.0},
        view=SceneView("entropy", truth=True, lecture=False),
        answers=(
            SceneAnswers(rows=((0, 1, 2, "yes"), (3, 4, 5))),
            SceneAnswers(n=4, questions="guided", model="second"),
        ),
        steps=(
            SceneStep("Look.", set={"tau": 0.5}, beside={"tau": 2.0}, view={"map": "none"}),
            SceneStep(
                "Add.", answers=(SceneAnswers(n=5, only="dnk", by="Ann"), SceneAnswers(n=3, errs="guessing", by="Bob"))
            ),
            SceneStep("Plant.", set={"tau": 1.0}),
        ),
        effects=(Effect("a against b", Moment(1), Moment(3, second=True), 0.25, (0.9, -0.01)),),
        seed=7,
    )


# What is shipped -----------------------------------------------------------------------------------------------------


def test_the_first_scene_is_that_answers_pay():
    assert next(iter(list_scenes())) == "answers-pay"


@pytest.mark.parametrize("name", list_scenes())
def test_a_scene_is_short_and_promises_something_that_is_measured(name):
    scene = load_scene(name)
    assert scene.name == name
    assert scene.effects
    assert 1 <= len(scene.steps) <= 3
    assert scene.view.lecture or scene.view.tab  # a tab has no room beside a lecture
    for sentence in re.split(r"(?<=[.?!:]) ", " ".join([scene.promise, *(step.text for step in scene.steps)])):
        assert len(sentence.split()) <= 20, sentence


@pytest.mark.parametrize("name", list_scenes())
def test_the_shipped_seed_shows_what_the_scene_promises(name):
    scene = load_scene(name)
    stages = play(scene)
    for effect in scene.effects:
        better, worse = effect_sizes(effect, stages)
        assert better - worse >= effect.by, f"{effect.words}: {better:.2f} against {worse:.2f}"
        assert effect.means is not None
        assert f"{effect.means[0]:.2f} against {effect.means[1]:.2f}" in scene.about


@pytest.mark.parametrize("name", list_scenes())
def test_a_shipped_scene_is_the_same_after_writing_and_reading(name):
    scene = load_scene(name)
    assert read_scene(scene_text(scene), name) == scene


# Text ----------------------------------------------------------------------------------------------------------------


def test_a_scene_with_everything_is_the_same_after_writing_and_reading(everything, tmp_path):
    path = tmp_path / "03-mine.toml"
    path.write_text(scene_text(everything), encoding="utf-8")
    assert load_scene(path) == everything


def test_a_scene_that_could_not_be_read_back_is_not_written(everything):
    with pytest.raises(SceneError, match="line 1: title must be a line"):
        scene_text(replace(everything, title="two\nlines"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("title = ", 1, "must be TOML, got an error: Invalid value"),
        ('title = "A', 1, "must be TOML"),
        ('title = "A"\npromise = "B."', 1, "a scene must have data, a table .*; got title, promise"),
        (HEAD + "seed = -1", 4, "seed must be a whole number between 0 and .*, got -1"),
        (HEAD + "colour = 3", 4, "colour is unknown: a scene may have title, .*, got 'colour'"),
        (HEAD.replace("close", "closed"), 3, "data.name must be one of close, far, .*, got 'closed'"),
        (HEAD + "data.spread = true", 4, "data.spread must be a number between 0 and 1000000, got True"),
        (HEAD + "data.width = 1", 4, "data.width is unknown: data may have standardize, name, n_per_cluster"),
        (HEAD + "data.file = 'no.csv'", 4, "data.file must be a file or a folder that is there, got 'no.csv'"),
        (HEAD + "\n# why\n[settings]\ntau = 1\nepsilon = 0.9", 8, "settings: epsilon must be a number between 0 and"),
        (HEAD + "[settings]\nspeed = 1", 5, "settings: settings are n_clusters, .*, got 'speed'"),
        (HEAD + "settings = 3", 4, "settings must be a table, got 3"),
        (HEAD + "[beside]\nkernel = 'cubic'", 5, "beside: kernel must be one of linear, rbf, poly, got 'cubic'"),
        (HEAD + "[view]\nmap = 'heat'", 5, "view.map must be one of entropy, regions, .*, got 'heat'"),
        (HEAD + "[view]\ntruth = 1", 5, "view.truth must be true or false, got 1"),
        (HEAD + "[[answers]]\nby = 'Ann'", 4, r"answers\[1\] must have rows or n, got neither"),
        (HEAD + "[[answers]]\nn = 3\nrows = [[0, 1, 2]]", 4, r"answers\[1\] must have rows or n, got both"),
        (HEAD + "[[answers]]\nn = 3\n[[answers]]\nrows = [\n[0, 1, 2],\n[0, 1, 1]]", 7, r"answers\[2\].rows\[2\] must"),
        (HEAD + "[[answers]]\nrows = [[0, 1, 2, 'maybe']]", 5, "possibly one of yes, no, dnk, got .0, 1, 2, 'maybe'."),
        (HEAD + "[[answers]]\nn = 3\nwrong = 4", 6, r"answers\[1\].wrong must be a whole number between 0 and 3"),
        (HEAD + "[[answers]]\nn = 3\nerrs = 'badly'", 6, "must be a rate between 0 and 1 or one of guessing, exch"),
        (HEAD + "[[answers]]\nn = 3\nerrs = 0.5\nwrong = 1", 6, "errs and wrong exclude each other"),
        (HEAD + "[[answers]]\nn = 3\nonly = 'dnk'\nquestions = 'guided'", 6, "goes with random questions, got guided"),
        (HEAD + "[[answers]]\nn = 3\nmodel = 'second'", 6, "model needs a second model"),
        (HEAD + "[[steps]]\nplant = 1", 4, r"steps\[1\] must have text, a line .*; got plant"),
        (HEAD + "[[steps]]\ntext = 'A'\nbeside = {tau = 1}", 6, r"steps\[1\].beside needs a second model"),
        (HEAD + "[[steps]]\ntext = 'A'\nset = {tau = -1}", 6, r"steps\[1\].set: tau must be a number of at least 0"),
        (HEAD + "[[steps]]\ntext = 'A'\n" * 4, 10, r"steps\[4\] is one too many: a scene has at most 3 steps, got 4"),
        (HEAD + "[[effects]]\nwords = 'A'\nbetter = 'step 1'", 6, r"better must be one of opening, got 'step 1'"),
    ],
)
def test_an_error_names_its_line_what_was_expected_and_what_came(text, line, message):
    with pytest.raises(SceneError, match=f"^line {line}: .*{message}") as caught:
        read_scene(text)
    assert caught.value.line == line


def test_an_error_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + "seed = 0.5")
    with pytest.raises(SceneError, match=r"mine.toml, line 4: seed must be"):
        load_scene(path)
    path.write_bytes(b'title = "A"\npromise = "\xff"')
    with pytest.raises(SceneError, match=r"mine.toml, line 2: the text must be UTF-8"):
        load_scene(path)
    with pytest.raises(SceneError, match=r"none.toml cannot be read: No such file"):
        load_scene(tmp_path / "none.toml")
    with pytest.raises(SceneError, match=r"must be a .toml file or one of answers-pay.*, got 'nothing'"):
        load_scene("nothing")


def test_a_scene_may_have_a_file_of_points_beside_it(tmp_path):
    (tmp_path / "points.csv").write_text("a,b,kind\n0,0,x\n0,1,x\n5,5,y\n5,6,y\n")
    (tmp_path / "mine.toml").write_text('title = "A"\npromise = "B."\ndata = {file = "points.csv", y = "kind"}\n')
    (side,) = open_scene(load_scene(tmp_path / "mine.toml"))
    assert side.state.subject.dataset.X.shape == (4, 2)
    assert side.state.settings.n_clusters == 2


# Play ----------------------------------------------------------------------------------------------------------------


def test_a_play_is_the_same_each_time_and_another_for_another_seed(everything):
    def given(scene):
        return [answers(side).indices.tolist() for sides in play(scene) for side in sides]

    assert given(everything) == given(everything)
    assert given(everything) != given(replace(everything, seed=8))


def test_answers_by_the_truth_have_exactly_so_many_errors():
    scene = read_scene(HEAD + "[[answers]]\nn = 30\nwrong = 4\n[[steps]]\ntext = 'A'\nplant = 2")
    for (side,), n_wrong in zip(play(scene), (4, 6), strict=True):
        wrong = implied_answers(side.state.subject.dataset.y, answers(side).indices) != answers(side).answers
        assert wrong.sum() == n_wrong
        assert np.array_equal(wrong, side.state.log.planted)


def test_errors_may_be_planted_where_the_model_is_surest():
    text = HEAD + "beside.epsilon = 0\nanswers = [{n = 20}]\n[[steps]]\ntext = 'A'\nplant = 2\nwhere = 'sure'"
    before, after = play(read_scene(text))
    (first, second), old = after, answers(before[0])
    assert answers(first) == answers(second)
    bits = surprise(before[0].fit.proba, old.indices, old.answers, epsilon=0.05)
    decided, planted = old.answers != 0, first.state.log.planted
    assert planted.sum() == 2
    assert bits[planted].max() <= bits[decided & ~planted].min()
    separate = "beside.epsilon = 0\nanswers = [{n = 9, model = 'first'}]\n[[steps]]\ntext = 'A'\nplant = 1"
    with pytest.raises(SceneError, match="where both models have the same answers"):
        play(read_scene(HEAD + separate))


def test_rows_without_an_answer_are_answered_by_the_truth():
    data = make_dataset("close")
    scene = read_scene(HEAD + "answers = [{rows = [[0, 1, 2], [3, 4, 5, 'dnk']]}]")
    (side,) = open_scene(scene)
    assert answers(side).answers.tolist() == [implied_answers(data.y, [(0, 1, 2)])[0], 0]


def test_only_questions_of_the_wanted_kind_are_asked():
    scene = read_scene(HEAD + "answers = [{n = 9, only = 'dnk'}, {n = 9, only = 'yes-no'}]")
    (side,) = open_scene(scene)
    assert (answers(side).answers == 0).tolist() == [True] * 9 + [False] * 9


def test_two_models_may_have_answers_of_their_own():
    parts = "{n = 4}, {n = 3, model = 'first', questions = 'guided'}, {n = 2, model = 'second'}"
    first, second = open_scene(read_scene(HEAD + f"beside = {{}}\nanswers = [{parts}]"))
    assert (len(answers(first)), len(answers(second))) == (7, 6)
    assert answers(first)[:4] == answers(second)[:4]


def test_a_setting_of_a_step_counts_for_both_models_unless_it_is_for_the_second():
    scene = read_scene(HEAD + "beside.epsilon = 0\n[[steps]]\ntext = 'A'\nset = {tau = 2, lam = 1}\nbeside = {tau = 3}")
    both = [side.state.settings for side in play(scene)[-1]]
    assert [(each.epsilon, each.tau, each.lam) for each in both] == [(0.05, 2, 1), (0, 3, 1)]


def test_people_of_a_scene_have_errors_of_their_own():
    text = HEAD + "answers = [{n = 30, by = 'Ann'}, {n = 30, by = 'Bob', errs = 'exchanging'}]"
    (side,) = open_scene(read_scene(text))
    assert set(side.fit.people) == {"Ann", "Bob"}
    (alike,) = open_scene(read_scene(text + "\nsettings.per_person = false"))
    assert alike.fit.people == {}


@pytest.mark.parametrize(("epsilon", "each"), [(0.664, True), (2 / 3, False)])
def test_people_err_on_their_own_as_long_as_answers_count(epsilon, each):
    """A scene has no limit of its own beside the session's: with 2/3 answers are ignored, below that they are not."""
    text = HEAD + f"answers = [{{n = 9, by = 'Ann'}}, {{n = 9, by = 'Bob'}}]\nsettings.epsilon = {epsilon}"
    (side,) = open_scene(read_scene(text))
    session = Session(side.state.subject.dataset, autosave=None, epsilon=epsilon)
    session.add([(0, 1, 2), (3, 4, 5)], ["yes", "no"], by=["Ann", "Bob"])
    assert bool(side.fit.people) is bool(session.fit.people) is bool(session.state.annotators) is each


def test_a_step_changes_settings_adds_answers_and_plants_errors_at_once():
    scene = read_scene(
        HEAD + "answers = [{n = 9}]\n[[steps]]\ntext = 'A'\nset = {tau = 2}\nanswers=[{n = 2}]\nplant = 1"
    )
    before, after = (sides[0].state for sides in play(scene))
    changed = before.log.answers != after.log.answers[:9]
    assert after.settings == before.settings.changed({"tau": 2.0})
    assert changed.sum() + after.log.planted[9:].sum() == 1
    assert (len(after.log), after.log.by) == (11, ["truth"] * 11)
    assert after.log.points[:9].tolist() == before.log.points.tolist()


def test_simulated_answers_need_the_truth_and_more_errors_than_answers_are_refused(tmp_path):
    (tmp_path / "points.csv").write_text("a,b\n0,0\n0,1\n5,5\n5,6\n")
    (tmp_path / "mine.toml").write_text(
        'title = "A"\npromise = "B."\ndata = {file = "points.csv"}\nsettings = {n_clusters = 2}\nanswers = [{n = 1}]'
    )
    with pytest.raises(SceneError, match="simulated answers need the true classes, which are unknown for 'points"):
        open_scene(load_scene(tmp_path / "mine.toml"))
    with pytest.raises(SceneError, match="must be 4 right answers that are yes or no to plant errors, got 3"):
        perform(SceneStep("A", plant=4), open_scene(read_scene(HEAD + "answers = [{n = 3, only = 'yes-no'}]")), 0, "A")


def test_a_step_that_cannot_be_done_changes_nothing():
    step = "[[steps]]\ntext = 'A'\nset = {tau = 2}\nanswers = [{n = 2, only = 'dnk'}]\nplant = 9"
    performance = Performance(read_scene(HEAD + "beside.epsilon = 0\n" + step))
    session = Session(performance.dataset, autosave=None)
    performance.open(session)
    pair = Pair(session, performance.scene.beside, performance.answers_beside)
    before = session.state, pair.second.state
    with pytest.raises(SceneError, match="must be 9 right answers"):
        performance.next(session, pair)
    assert (session.state, pair.second.state, performance.at) == (*before, 0)


# The command ---------------------------------------------------------------------------------------------------------


def test_the_command_lists_scenes_and_prints_one_as_a_template(capsys, tmp_path):
    assert main(["scenes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(list_scenes())
    assert main(["scenes", "answers-pay"]) == 0
    template = capsys.readouterr().out
    assert read_scene(template, "answers-pay") == load_scene("answers-pay")
    (tmp_path / "mine.toml").write_text(template.replace("seed", "sed").replace('title = "', 'titel = "'))
    assert main(["scenes", str(tmp_path / "mine.toml")]) == 1
    assert "mine.toml, line 1: a scene must have title" in capsys.readouterr().err


def test_the_command_saves_a_session_as_a_scene(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = Session("moons", autosave=None)
    session.answer_by_oracle(3)
    session.save("lecture.json")
    assert main(["scenes", "lecture.json"]) == 0
    (written,) = re.findall(r"Written to (.*)\n", capsys.readouterr().out)
    assert answers(open_scene(load_scene(written))[0]) == session.log.triplets
    assert main(["scenes", "none.json"]) == 1
    assert "none.json" in capsys.readouterr().err
