"""Scenes: small texts of data, settings, answers and at most three steps that show one effect in two minutes.

A scene is read by :func:`load_scene` and played, without any interface, by :func:`play`; :func:`perform` is what the
Next button does. Everyone can write scenes: ``dcrc-explore scenes NAME`` prints one as a template.
"""

from dcrc_explore.scenes.performing import Performance, effect_sizes, play, playable_scenes
from dcrc_explore.scenes.playing import open_scene, perform
from dcrc_explore.scenes.reading import SceneError, list_scenes, load_scene, read_scene
from dcrc_explore.scenes.saving import save_scene
from dcrc_explore.scenes.scene import Effect, Moment, Scene, SceneAnswers, SceneStep, SceneView
from dcrc_explore.scenes.writing import scene_text

__all__ = ["list_scenes", "load_scene", "play"]
