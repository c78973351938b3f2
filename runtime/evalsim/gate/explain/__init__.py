"""Why a value is refused, in the words and the order of ajv."""
