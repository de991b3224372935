"""The dialog of a verification tells of signatures, and shows what differs of a page beside each other."""

import io
from pathlib import Path

from PIL import Image

from zebra_core.report.verification import (
    PageDifference,
    Signature,
    Verification,
    VerificationLine,
    VerificationStatus,
)
from zebra_gui.dialogs.verification import SIGNS, VerificationDialog


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (30, 20), "white").save(stream, "PNG")
    return stream.getvalue()


def test_every_status_has_a_sign():
    assert set(SIGNS) == set(VerificationStatus)


def test_signatures_and_pages_are_shown(qtbot):
    dialog = VerificationDialog(Path("r.pdf"))
    qtbot.addWidget(dialog)
    dialog.show()
    page = VerificationLine(
        "Page 2",
        "printed page",
        VerificationStatus.DIFFERS,
        "a",
        "b",
        looks=PageDifference(picture(), picture()),
    )
    other = VerificationLine("B", "eer", VerificationStatus.DIFFERS, "1", "2")
    signed = (Signature(name="Ada", is_intact=True, altered=("Page 2",)),)
    dialog.show_outcome(Verification("Case", (page, other), True, signed))
    assert dialog.signatures.text().startswith("Signature 1: intact, by “Ada”, as its certificate claims.")
    assert "Altered after signing: Page 2." in dialog.signatures.text()
    dialog.table.selectRow(1)
    assert not dialog.beside.isEnabled()
    dialog.table.selectRow(0)
    assert dialog.beside.isEnabled()
    dialog.beside.click()
    assert dialog.pictures.windowTitle() == "Page 2: what differs"
    dialog.pictures.close()


def test_a_chain_that_ends_at_the_scores_is_told_and_another_folder_can_be_named(qtbot):
    dialog = VerificationDialog(Path("r.pdf"))
    qtbot.addWidget(dialog)
    one = VerificationLine("B", "eer", VerificationStatus.VERIFIED, "1", "1")
    told = "The chain of evidence was verified as far as the scores only."
    dialog.show_outcome(Verification("Case", (one,), chain=(told,), reaches_recordings=False))
    assert dialog.signatures.text() == told
    assert dialog.other_folder.isEnabled()
    assert not dialog.recordings.isHidden()
    assert dialog.recogniser.isHidden()  # the one that comes along made the scores
    dialog.show_outcome(Verification("Case", (one,)))
    assert not dialog.other_folder.isEnabled()


def test_a_changed_file_is_told_in_a_whole_sentence_above_the_table(qtbot):
    dialog = VerificationDialog(Path("r.pdf"))
    qtbot.addWidget(dialog)
    told = "scores has changed (in/scores); the bytes of the report were found in old/scores."
    line = VerificationLine(
        "scores", "SHA-256", VerificationStatus.FILE_REPLACED, "ab", told, is_sentence=True
    )
    dialog.show_outcome(Verification("Case", (line,)))
    assert dialog.signatures.text() == told
    assert not dialog.signatures.isHidden()
    dialog.show_outcome(Verification("Case", (line,) * 9))
    assert dialog.signatures.text() == "\n".join([told] * 3)
