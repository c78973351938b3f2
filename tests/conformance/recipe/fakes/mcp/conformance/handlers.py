"""The answers that the conformance scenarios ask for, word for word."""

from evalsim.mcp import Content, JsonObject, Text, content, text

from . import models
from .contract import handler
from .entities import State

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA="
IMAGE: JsonObject = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO: JsonObject = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def resource(name: str, mime_type: str, value: str) -> JsonObject:
    """A block that carries a resource and its text."""
    contents = {"uri": f"test://{name}", "mimeType": mime_type, "text": value}
    return {"type": "resource", "resource": contents}


@handler("test_simple_text")
def simple_text(args: models.TestSimpleTextArgs, state: State) -> str:
    return "This is a simple text response for testing."


@handler("test_image_content")
def image(args: models.TestImageContentArgs, state: State) -> Content:
    return content([IMAGE])


@handler("test_audio_content")
def audio(args: models.TestAudioContentArgs, state: State) -> Content:
    return content([AUDIO])


@handler("test_embedded_resource")
def page(args: models.TestEmbeddedResourceArgs, state: State) -> Content:
    words = "This is an embedded resource content."
    return content([resource("embedded-resource", "text/plain", words)])


@handler("test_multiple_content_types")
def mixed(args: models.TestMultipleContentTypesArgs, state: State) -> Content:
    data = resource(
        "mixed-content-resource", "application/json", '{"test":"data","value":123}'
    )
    words = {"type": "text", "text": "Multiple content types test:"}
    return content([words, IMAGE, data])


@handler("test_error_handling")
def refusal(args: models.TestErrorHandlingArgs, state: State) -> Text:
    return text("This tool intentionally returns an error for testing", is_error=True)


@handler("json_schema_2020_12_tool")
def contact(args: models.JsonSchema202012ToolArgs, state: State) -> str:
    return "ok"


@handler("test_x_mcp_header")
def mirrored(args: models.TestXMcpHeaderArgs, state: State) -> str:
    return "ok"
