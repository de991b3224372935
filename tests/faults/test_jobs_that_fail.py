"""Whatever job fails, and however, the user is told: nothing that was asked for ends in silence."""

import pytest
from PySide6.QtCore import QMetaMethod

import zebra_resources
from tests.soak.user import settle
from zebra_core.evidence.audit import Decision
from zebra_core.metrics.assessment import ScoreMeaning
from zebra_core.project import demo as demo_files
from zebra_core.project.items import SpeechKey
from zebra_core.utility.listening import RatingQuestion
from zebra_gui.jobs.jobs import Jobs


class Saboteur:
    """Lets every job fail, once it is switched on, and takes down which did and who listened."""

    def __init__(self, monkeypatch, error) -> None:
        self.failed: list[str] = []
        self.unheard: list[str] = []
        start, end = Jobs.start, Jobs._end

        def starting(jobs, name, _work, *_given, **more):
            def failing(_on_progress):
                raise error

            return start(jobs, name, failing, **more)

        def ending(jobs, number, job, event, value):
            if event.name == "FAILED":
                self.failed.append(job.name)
                if not job.isSignalConnected(QMetaMethod.fromSignal(job.failed)):
                    self.unheard.append(job.name)
            end(jobs, number, job, event, value)

        monkeypatch.setattr(Jobs, "start", starting)
        monkeypatch.setattr(Jobs, "_end", ending)


def everything_asked(window, answers, tmp_path):
    """What a user may ask of a window with a project, and what is then under way."""
    session = window.session
    entry = session.entries[0]
    shipped = demo_files.FILES[0].path
    answers["picture"] = tmp_path / "a.png"
    answers["report"] = tmp_path / "a.pdf"
    answers["everything"] = tmp_path
    answers["report to verify"] = shipped
    answers["project"] = tmp_path / "b.zebra"
    yield "open", lambda: window.open_paths([shipped, zebra_resources.path(demo_files.KEY)])
    yield "open a project", lambda: window.documents.open(window.documents.path)
    yield "figure", window.export_menu.save_picture
    yield "report", window.exports.save_report
    yield "everything", window.exports.save_everything
    yield "verify", window.reporting.verify
    yield "save", window.documents.save
    yield "save as", window.documents.save_as
    yield "look for files", lambda: window.documents.look_for_inputs([])
    yield "how sure", session.intervals.measure_selected
    yield "differences", session.intervals.settle_differences
    yield "declare", lambda: session.reassessing.declare([entry.id], ScoreMeaning.NATURAL_LLR)
    yield "decide", lambda: session.reassessing.decide(entry.id, Decision.INFINITE_SCORES, holds=True)
    yield "transcripts", lambda: session.utilities.read_transcripts(SpeechKey("a", "b"), shipped, shipped)
    question = next(iter(RatingQuestion))
    yield "ratings", lambda: session.utilities.read_ratings(SpeechKey("a", "b"), question, shipped)


@pytest.mark.parametrize("error", [RuntimeError("broken"), MemoryError()], ids=["a fault", "no memory"])
def test_every_ending_reaches_the_user(opened, monkeypatch, tmp_path, error, answers):
    settle(opened, unasked=True)
    opened.workspace.show_topic("overview")
    saboteur = Saboteur(monkeypatch, error)
    items = opened.session.items
    for what, ask in everything_asked(opened, answers, tmp_path):
        opened.session.dismiss_problems()
        before = len(saboteur.failed)
        ask()
        settle(opened)
        assert len(saboteur.failed) > before, what
        assert len(opened.session.problems) == 1, what
    assert saboteur.unheard == []
    assert opened.session.items == items

    opened.session.dismiss_problems()
    opened.documents.open_demo()
    settle(opened)
    assert len(opened.session.problems) == 1
    if opened.dialogs._fault is not None:
        opened.dialogs._fault.close()


@pytest.mark.parametrize("error", [RuntimeError("broken"), MemoryError()], ids=["a fault", "no memory"])
def test_panes_whose_pictures_fail_say_so_and_wait_for_nothing(opened, monkeypatch, error):
    settle(opened, unasked=True)
    saboteur = Saboteur(monkeypatch, error)
    for topic in opened.workspace.topics:
        opened.workspace.show_topic(topic)
        settle(opened)
    assert len(saboteur.failed) >= 4
    assert saboteur.unheard == []
    assert len(opened.session.problems) == 1
    spoken = opened.workspace.pane("overview").session.speaker_studies
    assert all(known.failure and known.job is None for known in spoken._known.values())
    if opened.dialogs._fault is not None:
        opened.dialogs._fault.close()
