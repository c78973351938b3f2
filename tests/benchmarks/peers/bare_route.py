"""A Starlette route that reads one parameter, validates nothing and answers with JSON."""

import json
import sys
from pathlib import Path

import orjson
from serving import serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

VALUE = json.loads(Path(sys.argv[1]).read_text())


async def messages(request: Request) -> Response:
    """The same answer for everyone."""
    assert int(request.query_params["$top"]) == 5
    return Response(orjson.dumps(VALUE), media_type="application/json")


serve(Starlette(routes=[Route("/bench/v1/messages", messages)]))
