"""A small test of tones, and listeners who answer by a rule."""

import numpy as np
import soundfile

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.listening.answers import AnswerFile, ItemAnswer
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemPurpose, ItemTask
from zebra_core.listening.making import ListeningRequest, make_test
from zebra_core.listening.package import SUFFIX, read_package

PEOPLE = ("anna", "bert", "carl", "dora", "emil")
EACH = 7


def recordings(top):
    """Of five people seven short tones each, original and under a safeguard."""
    for number, who in enumerate(PEOPLE):
        for each in range(EACH):
            for folder, level in (("original", 0.5), ("mask", 0.25)):
                path = top / folder / who / f"{who}-{each}.wav"
                path.parent.mkdir(parents=True, exist_ok=True)
                wave = level * np.sin(np.arange(400) * (0.1 + 0.02 * number + 0.001 * each))
                soundfile.write(path, wave, 8000, subtype="PCM_16")
    return top


def request(top, *wanted, listeners=4, **more):
    return ListeningRequest(
        "Ears",
        "Some come twice.",
        "Yes.",
        top / "original",
        {"mask": top / "mask"},
        SpeakerRule.FIRST_FOLDER,
        listeners,
        3,
        wanted or WANTED,
        {},
        **more,
    )


WANTED = (
    QuestionDesign(ItemTask.SAME, 12, anchors=4, repeats=3),
    QuestionDesign(ItemTask.PLACEMENT, 2, anchors=1, repeats=1, speakers=3, recordings=2),
    QuestionDesign(ItemTask.NATURALNESS, 10, anchors=2, repeats=2),
)


def made(top, *wanted, **more):
    return make_test(request(top, *wanted, **more), top / "test")


def answered(made_test, listener, answer_to, *, count=None, name=None):
    """The file of a listener who answers the first `count` items by a rule on the item of the plan."""
    folder = made_test.files[0].parent
    plan = made_test.plan.of(listener)
    package = read_package(folder / f"{listener}{SUFFIX}")
    session = AnswerFile(folder / f"{name or listener}.zebra-answers", package)
    for item in package.items[:count]:
        session.answer(item, answer_to({one.id: one for one in plan.items}[item.id]))
    if count is None:
        session.finish()
    return session.path


def knowing(speaker, confidence=6, nearer=0.1):
    """Who knows the speakers: sure of unprotected speech, of protected speech by half."""

    def answer_to(item):
        who = [speaker[one.recording] for one in item.stimuli]
        share = 1.0 if item.safeguard == "" else 0.5
        if item.question is ItemTask.SAME:
            return ItemAnswer(confidence=int(share * confidence) * (1 if who[0] == who[1] else -1))
        if item.question.is_rating:
            return ItemAnswer(rating=9 if item.safeguard == "" else 4)
        people = sorted(set(who))
        step = nearer if item.kind is ItemPurpose.ANCHOR or item.safeguard == "" else 2 * nearer
        return ItemAnswer(
            positions=tuple((0.4 * people.index(one), step * who[:n].count(one)) for n, one in enumerate(who))
        )

    return answer_to
