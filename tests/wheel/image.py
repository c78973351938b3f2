"""Carrying out a scaffolded Dockerfile's own steps where no Docker engine runs."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

NOT_HERE = ("useradd",)
"""What a step may run that would change this machine; a virtual environment has no users."""


@dataclass
class Image:
    """What the steps made: a root, its environment, and the commands to run in it."""

    root: Path
    environment: dict[str, str]
    workdir: Path = Path("/")
    port: int = 0
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """The working folder, in the image's root."""
        return self.root / self.workdir.relative_to("/")


def build(context: Path, root: Path) -> Image:
    """Carry out each step of `context`'s Dockerfile, the Python image being a new environment.

    Raises when a step fails, and for an instruction that this does not know.
    """
    venv = root / "venv"
    image = Image(root, {**os.environ, "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"})
    ignored = (context / ".dockerignore").read_text().split("\n")
    for word, rest in _instructions((context / "Dockerfile").read_text()):
        match word:
            case "FROM":
                subprocess.run([_python(rest), "-m", "venv", str(venv)], check=True)
            case "WORKDIR":
                image.workdir = Path(rest)
                image.folder.mkdir(parents=True)
            case "COPY":
                *sources, target = rest.split()
                for source in sources:
                    _copy(context / source, image.folder / target, ignored)
            case "RUN" if not rest.startswith(NOT_HERE):
                subprocess.run(
                    rest, shell=True, cwd=image.folder, env=image.environment, check=True
                )
            case "ENV":
                image.environment |= dict(pair.split("=", 1) for pair in rest.split())
            case "EXPOSE":
                image.port = int(rest)
            case "HEALTHCHECK":
                image.health = json.loads(rest.partition("CMD ")[2])
            case "CMD":
                image.command = json.loads(rest)
            case "RUN" | "USER":
                continue
            case _:
                raise AssertionError(f"an instruction this does not know: {word}")
    return image


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def _python(image: str) -> str:
    """The interpreter an image is of, where this machine has it; else this one."""
    version = re.match(r"python:(3\.\d+)", image)
    assert version is not None, image
    found = shutil.which(f"python{version[1]}")
    works = found and subprocess.run([found, "-c", ""], check=False).returncode == 0
    return found if found and works else sys.executable


def _copy(source: Path, target: Path, ignored: list[str]) -> None:
    if source.is_file():
        shutil.copy(source, target)
        return
    rules = [rule.removeprefix("**/") for rule in ignored if rule and not rule.startswith("#")]
    shutil.copytree(
        source,
        target,
        ignore=lambda _, names: [n for n in names if any(fnmatch(n, rule) for rule in rules)],
    )
