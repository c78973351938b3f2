"""Hypothesis keeps its notes out of the checkout, where pytest would warn of its folder."""

import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "evalsim-hypothesis")
