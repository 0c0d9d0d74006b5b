"""
Defects as patches, for --fault: each replaces a function where it stands, so that the program itself stays as it is.
What they break, by sentence, is in test/defects/. The other client and the other receiver plant with this, too.
"""

from importlib import import_module
from pathlib import Path

DEFECTS = {}


def alone(plant):
    plant()


def defect(name, by=alone):
    """Names the function that plants a defect, or with `by` what that plants; called once, before anything runs."""

    def keep(plant):
        if name in DEFECTS:
            raise ValueError(f"two defects are called {name}")
        DEFECTS[name] = lambda: by(plant)
        return plant

    return keep


class Defects:
    """
    Each name of a subclass is a defect, with - for _. Its value is the function that plants it, or what plants it with
    the function for it: behind the arrow, or before the comma.
    """

    def __init_subclass__(cls):
        for name, value in vars(cls).items():
            if not name.startswith("__"):
                by, change = value if isinstance(value, tuple) else (value.__annotations__["return"], value)
                defect(name.replace("_", "-"), by=by)(change)


def wrap(owner, name, around):
    """Puts `around(original, *arguments)` in the place of a function of a module, or of a method of a class."""
    original = getattr(owner, name)

    def instead(*arguments, **named):
        return around(original, *arguments, **named)

    setattr(owner, name, instead)


def around(owner, name):
    """Wraps with the function that it is given, or that stands below it."""
    return lambda instead: wrap(owner, name, instead)


def load():
    """Fills the table: from the module `defects` beside the program, or from each file of a folder of that name."""
    for folder in getattr(import_module("defects"), "__path__", []):
        for file in sorted(Path(folder).glob("*.py")):
            import_module(f"defects.{file.stem}")


def plant(name):
    if name is None:
        return
    load()
    if name not in DEFECTS:
        raise SystemExit(f"there is no defect {name}")
    DEFECTS[name]()
