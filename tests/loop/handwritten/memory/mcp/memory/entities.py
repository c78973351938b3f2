"""The knowledge graph."""

from pydantic import BaseModel


class Entity(BaseModel):
    name: str
    entityType: str
    observations: list[str]


class State(BaseModel):
    entities: list[Entity] = []
