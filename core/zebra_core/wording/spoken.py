"""What was said, as it is compared: one normalisation for word errors and for whoever attacks by words.

Unicode NFKC, small letters; punctuation and symbols part words as white space does, but for the apostrophe
within a word. Nothing else is changed: numbers and abbreviations stay as they are written.
Source: VoicePrivacy 2020 evaluation plan, 6.1.1.
"""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_STRAY_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")


def normalised(words: str) -> str:
    """The words as they are compared: see the top of this module."""
    text = unicodedata.normalize("NFKC", words).translate(_APOSTROPHES).lower()
    text = "".join(
        character if character == "'" or unicodedata.category(character)[0] not in "PS" else " "
        for character in text
    )
    return " ".join(_STRAY_APOSTROPHE.sub(" ", text).split())
