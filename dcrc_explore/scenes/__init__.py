"""Scenes: small texts of data, settings, answers and at most three steps that show one effect in two minutes.

A scene is read by :func:`load_scene` and played, without any interface, by :func:`play`; :func:`perform` is what the
Next button does. Everyone can write scenes: ``dcrc-explore scenes NAME`` prints one as a template.
"""

from dcrc_explore.scenes.keeping import save_scene, session_scene
from dcrc_explore.scenes.performing import Performance, playable_scenes, shares_answers
from dcrc_explore.scenes.playing import (
    Changes,
    Side,
    Stage,
    changes,
    effect_sizes,
    open_scene,
    perform,
    play,
    scene_data,
)
from dcrc_explore.scenes.reading import SceneError, list_scenes, load_scene, read_scene
from dcrc_explore.scenes.scene import Answering, Effect, Moment, Scene, Step, View
from dcrc_explore.scenes.writing import scene_text

__all__ = [
    "Answering",
    "Changes",
    "Effect",
    "Moment",
    "Performance",
    "Scene",
    "SceneError",
    "Side",
    "Stage",
    "Step",
    "View",
    "changes",
    "effect_sizes",
    "list_scenes",
    "load_scene",
    "open_scene",
    "perform",
    "play",
    "playable_scenes",
    "read_scene",
    "save_scene",
    "scene_data",
    "scene_text",
    "session_scene",
    "shares_answers",
]
