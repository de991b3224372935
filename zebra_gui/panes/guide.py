"""The guide: what the pane in front shows about the selected assessment, in plain words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from zebra_core.project.items import Entry, Population, SimilarityEntry
from zebra_core.wording.texts import (
    LONGEST_QUOTE,
    log10_lr,
    odds_in_words,
    say,
    visible_name,
    visible_sentence,
)
from zebra_gui.panes import facts, similarity_facts
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import clear, in_column, label, shown_name, tooltip, with_short_words

translate = QCoreApplication.translate
_LONGEST = 2000
_LEAST_WIDTH, _SIDE, _BAR = 182, 14, 16  # pixels

ABOUT_SPEAKERS = (
    "similarity",
    "zoo",
    "speakers",
    "before-after",
    "cmc",
    "accumulation",
    "accumulation-worst",
)
"""The subjects that similarity matrices have a part in."""
ABOUT_CERTAINTY = ("sure-population", "sure-individual", "convergence", "null")
"""The subjects that say how sure figures are."""


@dataclass(frozen=True)
class GuideSection:
    """A heading and what stands below it."""

    heading: str
    text: str


def sections(topic: str, entry: Entry, answer: str = "") -> tuple[GuideSection, ...]:
    """The guide to a pane, for one entry; its one sentence is the answer for the project if known."""
    found = entry.assessment
    # Its parts are cut, but it is never without its condition.
    foreign = replace(entry, name=visible_name(entry.name), run=visible_name(entry.run))
    foreign = foreign.attacked_as({part: visible_name(text) for part, text in entry.attacked_by.items()})
    name = foreign.full_name
    population = Population.of(entry)
    reading = facts.reading(entry)
    sentence = answer or say(
        "guide.sentence-as-given" if reading else "guide.sentence",
        name=name,
        d_ece=population.in_words,
        full=facts.full_disclosure(),
        share=population.share_in_words,
        direction=facts.direction_in_words(found.strongest_log10_lr),
        odds=odds_in_words(found.worst_case_log10_lr),
    )
    sentence = "\n\n".join([*reading, sentence])
    mind = say(
        "guide.mind",
        count=found.n_target + found.n_nontarget,
        direction=facts.direction_in_words(found.strongest_log10_lr),
        ceiling=log10_lr(abs(found.strongest_ceiling_log10_lr)),
    )
    if entry.condition is None:
        mind += "\n\n" + say("guide.mind-condition")
    return (
        GuideSection(translate("Guide", "In one sentence"), sentence),
        GuideSection(translate("Guide", "What this shows"), say(f"guide.{topic}-shows", name=name)),
        GuideSection(translate("Guide", "How to read it"), say(f"guide.{topic}-read")),
        _to_do(topic),
        *(_of_an_audit() if topic in ("answer", "overview") else ()),
        GuideSection(translate("Guide", "Keep in mind"), mind),
    )


def _of_an_audit() -> tuple[GuideSection, ...]:
    """What an audit does in the overview besides looking."""
    return (
        GuideSection(translate("Guide", "To say who attacks"), say("guide.do-attackers")),
        GuideSection(translate("Guide", "To tell whether it can be trusted"), say("guide.do-checks")),
        GuideSection(translate("Guide", "To require something"), say("guide.do-requirements")),
    )


def _to_do(topic: str) -> GuideSection:
    """What can be done with what is shown; most panes are pictures."""
    about = topic if topic in ("answer", "overview", "files", "report") else "picture"
    about = "compare" if topic.startswith("compare-") else about
    about = "certainty" if topic in ABOUT_CERTAINTY else about
    return GuideSection(translate("Guide", "What you can do"), say(f"guide.do-{about}"))


def sections_of_matrices(topic: str, entry: SimilarityEntry) -> tuple[GuideSection, ...]:
    """The guide to a pane, for similarity matrices: only panes about speakers have something to say."""
    if topic not in ABOUT_SPEAKERS:
        return (GuideSection(translate("Guide", "What this shows"), say("guide.only-matrices")),)
    voices, name = entry.similarity, visible_name(entry.full_name)
    return (
        GuideSection(
            translate("Guide", "In one sentence"),
            say(
                "guide.sentence-matrices",
                name=name,
                de_id=similarity_facts.shown(entry, "de_id"),
                g_vd=similarity_facts.shown(entry, "g_vd_db"),
            ),
        ),
        GuideSection(translate("Guide", "What this shows"), say(f"guide.{topic}-shows", name=name)),
        GuideSection(translate("Guide", "How to read it"), say(f"guide.{topic}-read")),
        _to_do(topic),
        GuideSection(
            translate("Guide", "Keep in mind"),
            say("guide.mind-matrices", count=len(voices.speakers), remarks=len(entry.remarks)),
        ),
    )


class GuidePane(QWidget):
    """Follows the pane in front and the selection.

    Signals:
        manual_asked: the user wants to read more, in the manual.
    """

    manual_asked = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._page = QFrame()
        self._page.setProperty("look", "card")
        self._texts = in_column(on=self._page, margins=(_SIDE, 12, _SIDE, 12), spacing=6)
        self._shown: tuple[GuideSection, ...] = ()

        self._scroll = scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Guide"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._page)
        layout = QVBoxLayout(self)
        left, right = (8, 0) if self.isRightToLeft() else (0, 8)
        layout.setContentsMargins(left, 0, right, 8)
        layout.addWidget(scroll)
        self.more_button = QPushButton(self.tr("More in the manual"))
        self.more_button.setToolTip(self.tr("The page about what is shown (F1)"))
        self.more_button.clicked.connect(lambda _checked=False: self.manual_asked.emit())
        layout.addWidget(self.more_button)

        for signal in (session.changed, session.left):
            signal.connect(self._show_guide)
        session.topic_changed.connect(self._show_guide)
        session.conclusions.found.connect(self._show_guide)
        self._show_guide()

    @property
    def text(self) -> str:
        """Everything it says."""
        return "\n".join(f"{section.heading}\n{section.text}" for section in self._shown)

    def _show_guide(self) -> None:
        item, topic = self._session.selected_item, self._session.topic
        nothing = GuideSection(translate("Guide", "What this shows"), say("guide.nothing-selected"))
        shown: tuple[GuideSection, ...] = (nothing,)
        if item is not None and topic:
            answer = visible_sentence(self._session.conclusions.sentence, _LONGEST)
            for entry in item.entries:
                shown = sections(topic, entry, answer)
            for matrices in item.similarities:
                shown = sections_of_matrices(topic, matrices)
        self._show_sections(shown)
        name = shown_name(item.full_name) if item is not None else ""
        self._page.setToolTip(tooltip(name) if len(name) > LONGEST_QUOTE else "")

    def _show_sections(self, shown: tuple[GuideSection, ...]) -> None:
        if shown == self._shown:
            return
        self._shown = shown
        clear(self._texts)
        for section in shown:
            text = label(with_short_words(section.text), "quiet")
            text.setAccessibleName(section.text)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._texts.addWidget(label(section.heading, "subheading"))
            self._texts.addWidget(text)
            self._texts.addSpacing(8)
        self._texts.addStretch(1)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Be as wide as the longest word: no text may be cut. A longer one on the button makes it wider."""
        items = map(self._texts.itemAt, range(self._texts.count()))
        shown = (item.widget() for item in items if item)
        widest = max((one.minimumSizeHint().width() for one in shown if one), default=0)
        self._scroll.setMinimumWidth(max(_LEAST_WIDTH, widest + 2 * _SIDE + _BAR))
