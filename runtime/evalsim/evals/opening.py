"""Opening a session of one case, with or without a test runner."""

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from functools import partial
from typing import TypeAlias

from evalsim.evals.conversation import Conversation
from evalsim.evals.mode import Mode
from evalsim.evals.opening_case import open_case
from evalsim.evals.options import CaseOptions
from evalsim.evals.runtime import Runtime
from evalsim.evals.session import Session, SyncSession
from evalsim.evals.suite import Suite
from evalsim.testing.either import Either

SessionContext: TypeAlias = Either[Session, SyncSession]
Opening: TypeAlias = Callable[[], AbstractContextManager[Conversation]]


def open_session(
    suite: Suite, options: CaseOptions, mode: Mode, env: Mapping[str, str]
) -> SessionContext:
    """A session with a runtime of its own, in `async with` or in `with`."""
    opening = partial(_opened, suite, options, mode, env)
    return Either(partial(_in_loop, opening), partial(_blocking, opening))


@contextmanager
def _opened(
    suite: Suite, options: CaseOptions, mode: Mode, env: Mapping[str, str]
) -> Generator[Conversation]:
    with Runtime() as runtime:
        case = open_case(suite, options, mode, runtime, name=suite.title, env=env)
        conversation = Conversation(case)
        try:
            yield conversation
        except BaseException:
            conversation.case.close()  # whose own error would hide this one's place
            raise
        conversation.close()


@asynccontextmanager
async def _in_loop(opening: Opening) -> AsyncGenerator[Session]:
    with opening() as conversation:
        yield Session(conversation)


@contextmanager
def _blocking(opening: Opening) -> Generator[SyncSession]:
    with opening() as conversation:
        yield SyncSession(conversation)
