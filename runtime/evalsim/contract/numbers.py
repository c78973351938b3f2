"""Numbers as JavaScript writes them: `3` for 3.0, `1e+21`, `0.000001`."""

from decimal import Decimal


def is_written_double(number: int) -> bool:
    """Whether an integer is beyond 64 bits and one that `spell` wrote, and so was a double."""
    return 2**63 <= abs(number) < 10**21 and spell(float(number)) == str(number)


def spell(number: float) -> str:
    """The text `JSON.stringify` gives a finite number."""
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    return ("-" if sign else "") + _place_point(text, len(text) + exponent)


def _place_point(digits: str, point: int) -> str:
    """The digits with the decimal point after `point` of them, or in scientific form."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
