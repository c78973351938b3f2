"""The knowledge graph: entities are added once, and found by any of their words."""

from evalsim.mcp import JsonObject

from . import models
from .contract import handler
from .entities import Entity, State


@handler("create_entities")
def create_entities(args: models.CreateEntitiesArgs, state: State) -> JsonObject:
    """Those that are new by their name."""
    known = {entity.name for entity in state.entities}
    new = [Entity(**each.model_dump()) for each in args.entities if each.name not in known]
    state.entities.extend(new)
    return {"entities": [entity.model_dump() for entity in new]}


@handler("search_nodes")
def search_nodes(args: models.SearchNodesArgs, state: State) -> JsonObject:
    """The entities that say the query somewhere."""
    query = args.query.lower()
    found = [entity for entity in state.entities if query in _words(entity)]
    return {"entities": [entity.model_dump() for entity in found], "relations": []}


@handler("read_graph")
def read_graph(args: models.ReadGraphArgs, state: State) -> JsonObject:
    """Everything."""
    return {"entities": [entity.model_dump() for entity in state.entities], "relations": []}


def _words(entity: Entity) -> str:
    return " ".join([entity.name, entity.entityType, *entity.observations]).lower()
