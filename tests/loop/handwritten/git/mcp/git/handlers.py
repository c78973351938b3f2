"""The repository: what is new, what is staged and what is committed."""

import hashlib

from evalsim.mcp import Call, ToolError

from . import models
from .contract import handler
from .entities import Commit, State


@handler("git_status")
def git_status(args: models.GitStatusArgs, state: State) -> str:
    """The files by where they are, in Git's own words."""
    lines = ["Repository status:", "On branch master"]
    if state.staged:
        lines += ["Changes to be committed:", *(f"\tnew file:   {name}" for name in state.staged)]
    if state.untracked:
        lines += ["Untracked files:", *(f"\t{name}" for name in state.untracked)]
    return "\n".join(lines)


@handler("git_add")
def git_add(args: models.GitAddArgs, state: State) -> str:
    """Stage files that there are."""
    for name in args.files:
        if name not in state.untracked:
            raise ToolError(f"fatal: pathspec '{name}' did not match any files")
    for name in args.files:
        state.untracked.remove(name)
        state.staged.append(name)
    return "Files staged successfully"


@handler("git_commit")
def git_commit(args: models.GitCommitArgs, state: State, call: Call) -> str:
    """Commit what is staged."""
    name = hashlib.sha1(call.new_id("commit").encode()).hexdigest()
    state.commits.append(Commit(hash=name, message=args.message, files=state.staged))
    state.staged = []
    return f"Changes committed successfully with hash {name}"
