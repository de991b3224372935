"""The files pane: what the selected assessment rests on, and everything that the audit found in it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from zebra_core.project.items import Entry
from zebra_core.project.reading.published import comparison_lines
from zebra_gui.panes.pane import Card, Pane
from zebra_gui.session.session import Session
from zebra_gui.tables.files import FilesTable, rows_of_entry
from zebra_gui.widgets.audit_view import AuditView
from zebra_gui.widgets.layouts import WhenVisible, in_column, label


class FilesPane(Pane):
    """Files with size, hash and dialect; counts; findings with the decisions that are the user's own."""

    topic = "files"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.table = FilesTable(self.tr("Files of the assessment"), with_states=False)
        self.audit = AuditView(with_counts=True)
        self.nothing = label("", "quiet")
        card = Card()
        card.body.addWidget(label(self.tr("Audit"), "heading"))
        card.body.addSpacing(4)
        card.body.addWidget(self.audit)
        card.body.addWidget(self.nothing)
        self.published_card = Card()
        self.published_card.body.addWidget(label(self.tr("Published results"), "heading"))
        self.published = label()
        self.published.setAccessibleName(self.tr("Published figures"))
        self.published.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.published_card.body.addWidget(self.published)
        page = QWidget()
        page.setProperty("look", "scrolled")
        in_column(self.table, card, self.published_card, 1, on=page, margins=2, spacing=10)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Files"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        in_column(scroll, on=self, margins=0)

        self.audit.decided.connect(self._on_decided)
        self._when_visible = WhenVisible(page, self._show_selected)
        session.changed.connect(self._when_visible.refresh)
        session.problems_changed.connect(self._when_visible.refresh)  # a decision may have been refused
        self._show_selected()

    def forget(self) -> None:
        self._when_visible.refresh_now()

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("FilesPane", "Files")

    def _show_selected(self) -> None:
        entry = self.session.selected
        rows = rows_of_entry(entry) if entry else []
        self.table.show_rows(rows)
        self.table.setFixedHeight(self.table.whole_height())
        audit = entry.audit if entry else None
        self.audit.setVisible(audit is not None)
        self.nothing.setVisible(audit is None)
        self.nothing.setText(
            self.tr("These scores were made from the files above: no score file and key was there to audit.")
            if rows
            else self.tr("These scores did not come from a file, so there was nothing to audit.")
        )
        if audit is not None:
            self.audit.show_audit(audit)
        else:
            self.audit.forget()
        lines = self._published(entry) if entry else []
        self.published_card.setVisible(bool(lines))
        self.published.setText("\n".join(lines))

    def _published(self, entry: Entry) -> list[str]:
        """What result files print about this entry against ours, and what of them is about none."""
        project = self.session.project
        if project is None or not project.published:
            return []
        return comparison_lines(project, entry.id)

    def _on_decided(self, decision: object, holds: bool) -> None:
        if (entry := self.session.selected) is not None:
            self.session.reassessing.decide(entry.id, decision, holds=holds)  # type: ignore[arg-type]
