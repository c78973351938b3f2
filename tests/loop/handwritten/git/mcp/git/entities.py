"""What the fake repository keeps: each file in the one place where Git has it."""

from pydantic import BaseModel


class Commit(BaseModel):
    hash: str
    message: str
    files: list[str]


class State(BaseModel):
    untracked: list[str] = []
    staged: list[str] = []
    commits: list[Commit] = []
