"""`python -m evalsim`, which is the `evalsim` command."""

import sys

from evalsim.errors import EvalsimError


def main() -> None:
    """Run the command; an error of the user's is one message on stderr, and the exit status 2."""
    from evalsim.cli.app import app  # noqa: PLC0415  so that an import error is not a traceback's

    try:
        app()
    except EvalsimError as error:
        sys.stderr.write(f"evalsim: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
