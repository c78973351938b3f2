"""Dates, times and durations (RFC 3339), as leniently as ajv-formats reads them."""

import re

from evalsim.gate.formats.javascript import SPACE

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d(?:\.\d+)?)"
    r"(?P<zone>z|(?P<sign>[+-])(?P<zone_hour>\d\d)(?::?(?P<zone_minute>\d\d))?)?",
    re.ASCII | re.IGNORECASE,
)
_DURATION = re.compile(
    r"P(?:(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)", re.ASCII
)
_BETWEEN = re.compile(f"[tT{SPACE}]")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """A full-date; the year 0000 is one."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= (29 if month == 2 and leap else _DAYS[month - 1])


def is_time(text: str) -> bool:
    """A time with its offset, which may be written +hhmm or +hh."""
    return _is_time(text, zone_needed=True)


def is_iso_time(text: str) -> bool:
    """A time with or without its offset."""
    return _is_time(text, zone_needed=False)


def is_date_time(text: str) -> bool:
    """A date and a time with its offset, a T or one white space between them."""
    date, *rest = _BETWEEN.split(text)
    return len(rest) == 1 and is_date(date) and is_time(rest[0])


def is_iso_date_time(text: str) -> bool:
    """A date and a time with or without its offset."""
    date, *rest = _BETWEEN.split(text)
    return len(rest) == 1 and is_date(date) and is_iso_time(rest[0])


def is_duration(text: str) -> bool:
    """A duration such as P1DT2H or P3W."""
    return _DURATION.fullmatch(text) is not None


def _is_time(text: str, zone_needed: bool) -> bool:
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    hour, minute, second = int(match["hour"]), int(match["minute"]), float(match["second"])
    zone_hour, zone_minute = int(match["zone_hour"] or 0), int(match["zone_minute"] or 0)
    if zone_hour > 23 or zone_minute > 59 or (zone_needed and not match["zone"]):
        return False
    if hour <= 23 and minute <= 59 and second < 60:
        return True
    sign = -1 if match["sign"] == "-" else 1
    utc_minute = minute - zone_minute * sign
    utc_hour = hour - zone_hour * sign - (utc_minute < 0)
    # a leap second, which falls at midnight UTC
    return utc_hour in (23, -1) and utc_minute in (59, -1) and second < 61
