"""Microsoft Graph: 20 MB, 2,599 schemas, and one base type with 653 subtypes."""

from collections import Counter

from evalsim.types import JsonObject
from evalsim_generator.openapi.trimming.corrections import read_corrections
from evalsim_generator.openapi.trimming.trim import Trimmed, trim
from support.descriptions import dangling, real

MAIL = (
    "GET /me/messages",
    "POST /me/messages",
    "POST /me/messages/{message-id}/microsoft.graph.send",
)


def kept(document: JsonObject, names: tuple[str, ...], **corrections: object) -> Trimmed:
    """A trim with corrections; nothing is wrong with it."""
    found = trim(document, names, read_corrections(corrections)[0])
    assert ((), []) == (found.problems, dangling(found.document))
    return found


def test_three_operations_of_mail() -> None:
    """Fewer than 30 schemas, and each of the rest is told with its reason."""
    document = real("msgraph-v1.0")
    found = kept(document, MAIL)
    without = kept(document, MAIL, dropNavigationProperties=True, dropRequired=["@odata.type"])
    me = kept(document, ("GET /me",)), kept(document, ("GET /me",), dropNavigationProperties=True)

    count = [len(each.document["components"]["schemas"]) for each in (found, without, *me)]
    assert [23, 19, 464, 28] == count
    cuts = Counter(cut.what for cut in found.cuts)
    assert 11_422 - 3 == cuts["operation"]
    total = sum(len(named) for named in document["components"].values())
    held = sum(len(named) for named in found.document["components"].values())
    assert total - held == cuts["component"]
    entity = [cut for cut in found.cuts if "microsoft.graph.entity:" in cut.why]
    assert 640 < len(entity) < 653
    assert all(cut.why and cut.where.startswith("/") for cut in found.cuts)
