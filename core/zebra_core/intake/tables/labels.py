"""The words that keys use for target and nontarget."""

from __future__ import annotations

from collections.abc import Iterable

TARGET_WORDS = frozenset(
    [
        *("target", "tgt", "tar", "genuine", "mated", "same", "client", "1", "+1", "1.0"),
        *("true", "wahr", "vrai", "verdadero"),  # as spreadsheets write it
    ]
)
NONTARGET_WORDS = frozenset(
    [
        *(
            "nontarget",
            "non-target",
            "non",
            "imp",
            "impostor",
            "imposter",
            "nonmated",
            "non-mated",
            "different",
        ),
        *("0", "-1", "−1", "0.0", "-1.0", "false", "falsch", "faux", "falso"),
    ]
)
OF_SDSV = {"TC": frozenset({"TC"}), "TC+TW": frozenset({"TC", "TW"})}
"""What may mean target in keys of SdSV, where T is the right speaker and C the right phrase."""
_SDSV_WORDS = frozenset({"TC", "TW", "IC", "IW"})
SPOOF_WORD = "spoof"
_WORDS = TARGET_WORDS | NONTARGET_WORDS
_NUMBER_LABELS = frozenset({"1", "+1", "1.0", "0", "0.0", "-1", "−1", "-1.0"})


def is_label(word: str) -> bool:
    """Whether a word, in any case, says target or nontarget."""
    return word.casefold() in _WORDS


def is_number_label(word: str) -> bool:
    """Whether a label could as well be a number: 0, 1 or −1."""
    return word in _NUMBER_LABELS


def meaning(word: str, target_word: str | None = None) -> bool | None:
    """True for target, False for nontarget, None for a word that says neither.

    `target_word` is what the user said means target, in a file whose words nobody else knows; every other
    word of that file means nontarget.
    """
    if target_word in OF_SDSV:
        return word in OF_SDSV[target_word] if word in _SDSV_WORDS else None
    if target_word is not None:
        return word == target_word
    plain = word.casefold()
    return True if plain in TARGET_WORDS else False if plain in NONTARGET_WORDS else None


def are_of_sdsv(words: Iterable[str]) -> bool:
    """Whether most of these words say, as in keys of SdSV, both who spoke and what was said."""
    found = set(words)
    return "TC" in found and 2 * len(found & _SDSV_WORDS) > len(found)


def are_mixed(words: Iterable[str]) -> bool:
    """Whether these labels are of more than one vocabulary: two words for one class, or numbers and words."""
    known = {word.casefold() for word in words if is_label(word)}
    return len(known) > len({meaning(word) for word in known}) or len(set(map(is_number_label, known))) > 1


def is_spoof(word: str) -> bool:
    """Whether a trial is an attack on the recogniser: neither target nor nontarget, it is set aside."""
    return word.casefold() == SPOOF_WORD


def unknown_words(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct words that say neither target nor nontarget nor spoof."""
    return tuple(dict.fromkeys(word for word in words if meaning(word) is None and not is_spoof(word)))
