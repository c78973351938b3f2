"""A text agent without tools: it drafts, and says each sentence as soon as it has it."""

from collections.abc import AsyncIterator

from openai import AsyncOpenAI


async def draft(
    openai: AsyncOpenAI, model: str, messages: list[dict[str, str]]
) -> AsyncIterator[str]:
    """The draft, sentence by sentence."""
    done = await openai.chat.completions.create(model=model, messages=messages)  # type: ignore[arg-type]
    for sentence in (done.choices[0].message.content or "").split(". "):
        yield sentence if sentence.endswith(".") else f"{sentence}. "
