"""Build the wheel and test it as installed: `python tests/wheel/check_wheel.py`.

The wheel goes into a new virtual environment, first alone (it serves, and says how to get the
generator), then with its extras: a bare capture is generated and served, here and by the steps of
its Dockerfile; tests that reach every part of the runtime, and those of the examples, run against
it from a copy that sees no source of ours.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from image import build

PROJECT = Path(__file__).resolve().parents[2]
TOOLS = {"tools": [{"name": "ping-me", "inputSchema": {"type": "object", "properties": {}}}]}
TESTED = (
    *(f"tests/runtime/{room}" for room in ("api", "checks", "cli", "local", "recipe", "verify")),
    "tests/examples",
)
"""What would notice a module or a file that the wheel lacks; the rest ran from the source."""


def main() -> int:
    """Run every step; the first that fails ends the run."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder).resolve()
        wheel = _build(here)
        python = here / "venv" / "bin" / "python"
        _run([sys.executable, "-m", "venv", str(here / "venv")])
        _run([str(python), "-m", "pip", "install", "-q", str(wheel)])
        _check_bare_install(python, here)
        _run([str(python), "-m", "pip", "install", "-q", f"{wheel}[test]"])
        _check_main_job(python, wheel, here)
        for name in ("tests", "examples", "pyproject.toml", "README.md"):
            _copy(PROJECT / name, here / "copy" / name)
        data = os.environ.get("EVALSIM_TEST_DATA", str(PROJECT.parent / "shared" / "data"))
        environment = {**os.environ, "EVALSIM_TEST_DATA": data}
        tests = [name for name in TESTED if (here / "copy" / name).exists()]
        _run([str(python), "-m", "pytest", "-q", "-n", "2", *tests], here / "copy", environment)
    print("the wheel works as installed")
    return 0


def _build(here: Path) -> Path:
    _run([sys.executable, "-m", "build", "-q", "--wheel", "-o", str(here / "dist"), str(PROJECT)])
    (wheel,) = (here / "dist").glob("*.whl")
    return wheel


def _check_bare_install(python: Path, here: Path) -> None:
    command = [str(python.parent / "evalsim"), "generate"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    assert "evalsim[generate]" in done.stderr, done.stderr
    _run([str(python), "-c", "import evalsim.host, evalsim.mcp"], here)


def _check_main_job(python: Path, wheel: Path, here: Path) -> None:
    fake = here / "recipe" / "fakes" / "mcp" / "bare"
    fake.mkdir(parents=True)
    (fake / "tools.json").write_text(json.dumps(TOOLS))
    evalsim = str(python.parent / "evalsim")
    (here / "recipe" / "package.json").write_text("{}")
    _run([evalsim, "init", "--wheel", str(wheel)], here / "recipe")
    _run([evalsim, "generate", "bare", "--all-tools"], here / "recipe")
    _run([evalsim, "generate", "--check", "--all-tools"], here / "recipe")
    with subprocess.Popen([evalsim, "serve", "--port", "17353"], cwd=here / "recipe") as server:
        try:
            _await_health("http://127.0.0.1:17353/health")
        finally:
            server.terminate()
    _check_image(here / "recipe" / "fakes", here / "image")


def _check_image(fakes: Path, root: Path) -> None:
    """The image's steps install what serves; its healthcheck passes, and its name may call it."""
    root.mkdir()
    image = build(fakes, root)
    assert image.port == 7353, image.port
    health = [part.replace(str(image.port), "17353") for part in image.health]
    environment = {**image.environment, "EVALSIM_PORT": "17353"}
    with subprocess.Popen(image.command, cwd=image.folder, env=environment) as server:
        try:
            _await_health("http://127.0.0.1:17353/health")
            subprocess.run(health, cwd=image.folder, env=environment, check=True)
            _await_health("http://127.0.0.1:17353/health", host="fakes:7353")
        finally:
            server.terminate()


def _await_health(url: str, host: str = "127.0.0.1:17353") -> None:
    request = urllib.request.Request(url, headers={"host": host})
    for _ in range(100):
        try:
            with urllib.request.urlopen(request) as answer:
                assert json.load(answer) == {"ok": True}
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{url} never answered")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _run(command: list[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    print("$", " ".join(command), flush=True)
    subprocess.run(command, cwd=cwd, env=env, check=True)


if __name__ == "__main__":
    sys.exit(main())
