"""What the fake peer does: the work that the official SDKs' servers beside it do too."""

from evalsim.mcp import Content, JsonObject, Text, content, text

from . import models
from .contract import handler
from .entities import State

PICTURE: JsonObject = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


@handler("echo")
def echo(args: models.EchoArgs, state: State) -> models.EchoResult:
    return models.EchoResult(value=args.value)


@handler("find-deals")
def find_deals(args: models.FindDealsArgs, state: State) -> models.FindDealsResult:
    asked = args.model_dump(by_alias=True, exclude_unset=True)
    return models.FindDealsResult(asked=asked, deals=["Acme", "Bolt"][: args.limit])


@handler("greet")
def greet(args: models.GreetArgs, state: State) -> str:
    return f"Hello, {args.name}."


@handler("refuse")
def refuse(args: models.RefuseArgs, state: State) -> Text:
    return text("The office is closed.", is_error=True)


@handler("show")
def show(args: models.ShowArgs, state: State) -> Content:
    return content([{"type": "text", "text": "Look:"}, PICTURE])


@handler("route")
def route(args: models.RouteArgs, state: State) -> str:
    return "There."
