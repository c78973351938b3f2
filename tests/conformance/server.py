"""A server of the conformance sample: python tests/conformance/server.py [PORT]."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from conformance.sample import TOOLS, answer
from evalsim.protocol.endpoint import Endpoint
from evalsim.protocol.guard import Guard
from evalsim.protocol.introductions import Identity

HOST = "127.0.0.1"


def sample_app() -> Starlette:
    """The sample's tools at `/mcp`, for loopback callers."""
    identity = Identity({"name": "conformance", "version": "1.0.0"})
    endpoint = Endpoint(identity, TOOLS, answer, Guard.for_binding(HOST, 0))
    return Starlette(routes=[Route("/mcp", endpoint), Route("/mcp/", endpoint)])


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 7354
    uvicorn.run(sample_app(), host=HOST, port=port, access_log=False)
