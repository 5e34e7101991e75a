"""The command ``dcrc-explore scenes``: lists the scenes, prints one as a template, or makes one of a session."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dcrc_explore.scenes.reading import SceneError, list_scenes, load_scene
from dcrc_explore.scenes.saving import save_scene
from dcrc_explore.session import Session, SessionError


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns the exit status.

    Examples
    --------
    >>> main(["answers-pay"])
    title = "Answers pay"
    ...
    """
    parser = argparse.ArgumentParser(
        "dcrc-explore scenes",
        description="List the scenes, print the text of one as a template for your own, or save a session as a scene.",
    )
    parser.add_argument(
        "name", nargs="?", help="a scene to print, a .toml file to check, or a .json session to save as one"
    )
    name = parser.parse_args(arguments).name
    try:
        if name is None:
            scenes = {name: load_scene(path) for name, path in list_scenes().items()}
            width = max(map(len, scenes))
            print("\n".join(f"{name:{width}}  {scene.promise}" for name, scene in scenes.items()))
        elif name in list_scenes():
            print(list_scenes()[name].read_text(encoding="utf-8"), end="")
        elif name.endswith(".json"):
            print(f"Written to {save_scene(Session.load(name, autosave=False))}")
        else:
            scene = load_scene(name)
            print(f"{name}: {scene.title}. The text can be used.")
    except (SceneError, SessionError) as error:
        print(f"dcrc-explore: {error}", file=sys.stderr)
        return 1
    return 0
