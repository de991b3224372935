"""The compare pane in a real window: table and picture of the same rows."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication

from tests.core.attribute_cases import write_drop
from tests.core.challenge_case import challenge, similarity_entry
from tests.core.samples import small_entry
from tests.zebra_gui.turning import turn_events
from zebra_core.figures.comparison import condition_figure, multiples_figure
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.comparison.columns import ALL_COLUMNS
from zebra_core.project.comparison.comparison import compare, learnt_on_other_runs
from zebra_core.project.conclusion.overall import rate_cell
from zebra_core.project.items import Population, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import try_planned
from zebra_gui.models.comparison import NAME, WER
from zebra_gui.panes.compare import ComparePane, ComparePicture
from zebra_gui.settings import settings

CODES = [column.code for column in ALL_COLUMNS]
D_ECE = CODES.index("d_ece")
UNTIL = {"timeout": 20_000}


def pane_of(window, project):
    """The pane in front, with this project."""
    window.session.open_project(project)
    window.workspace.show_topic("compare")
    pane = window.workspace.front_pane
    assert isinstance(pane, ComparePane)
    while pane._when_visible._is_stale:  # what is behind another pane waits until it is painted
        turn_events(1)
    return pane


@pytest.fixture(scope="module")
def seen_panes():
    return ("compare",)


@pytest.fixture
def window(shared_window):
    """The tests of this module take turns with one window, in which the demo is open at first."""
    return shared_window


@pytest.fixture(autouse=True)
def fresh_settings():
    settings().remove("comparison")
    yield
    settings().remove("comparison")


@pytest.fixture
def pane(window):
    pane = pane_of(window, challenge())
    window.session.select(window.session.entries[1].id)  # B1w, other_f, OP
    return pane


@pytest.fixture
def demo_pane(window, demo):
    return pane_of(window, demo)


def drawn(qtbot, pane):
    qtbot.waitUntil(lambda: pane.card.is_drawn, **UNTIL)
    return pane.card.view.figure


def copied(pane):
    pane.table.setFocus()
    pane.table.actions()[0].trigger()
    return QGuiApplication.clipboard().text()


def only(pane, *codes):
    for number, code in enumerate(CODES):
        pane.table.show_column(number, shown=code in codes or number == NAME)


def row_of(pane, entry_id):
    return pane.table.order.mapFromSource(pane.table.rows.index_of(entry_id))


def test_the_picture_is_of_the_group_of_the_selected_row(qtbot, pane):
    selected = pane.session.selected
    rows = pane.comparison.of(pane.comparison.row(selected.id).group)
    expected = condition_figure(rows, selected.id, prior_log_odds=pane.session.prior_mark)
    figure = drawn(qtbot, pane)
    assert (figure.title, [line.label for line in figure.lines]) == (
        expected.title,
        [line.label for line in expected.lines],
    )


@pytest.mark.parametrize("picture", list(ComparePicture))
def test_every_picture_has_its_words_and_is_drawn_or_says_what_it_needs(qtbot, pane, picture, window):
    pane.card.choose(picture)
    if pane.card.rows:
        assert drawn(qtbot, pane).alt_text
        assert not pane.card.nothing.isVisible()
    else:
        qtbot.waitUntil(pane.card.nothing.isVisible, **UNTIL)
        assert pane.card.nothing.text().endswith(".")
        assert not pane.card.scrolled.isVisible()
        assert not pane.card.export_button.isEnabled()
    assert pane.subject == f"compare-{picture.value}"
    assert window.workspace.guide.grab().width() > 0  # the guide has words for it


def test_choosing_a_row_selects_the_entry_and_the_other_way_round(qtbot, pane):
    other = pane.comparison.rows[10].entry
    pane.table.setCurrentIndex(row_of(pane, other.id))
    assert pane.session.selected.id == other.id
    another = pane.comparison.rows[20].entry
    pane.session.select(another.id)
    assert pane.table.currentIndex().row() == row_of(pane, another.id).row()
    qtbot.waitUntil(lambda: pane.card.is_drawn, **UNTIL)


def test_small_multiples_are_those_of_the_core(qtbot, pane):
    pane.card.choose(ComparePicture.MULTIPLES)
    expected = multiples_figure(pane.comparison.rows, pane.session.selected.id)
    figure = drawn(qtbot, pane)
    assert figure.words == expected.words
    assert len(pane.card.view.decorations.words) == 6
    assert pane.card.view.read_out(figure.lines[-1], 0).startswith("prior ")


def test_pictures_with_a_line_for_each_row_are_as_high_as_they_need(qtbot, pane):
    pane.card.choose(ComparePicture.DOTS)
    drawn(qtbot, pane)
    assert pane.card.view.minimumHeight() > 24 * 15
    pane.card.choose(ComparePicture.CONDITION)
    drawn(qtbot, pane)
    assert pane.card.view.minimumHeight() < 24 * 15


def test_rows_are_copied_as_tabs_with_the_columns_that_are_shown(demo_pane):
    only(demo_pane, "d_ece", "tag", "rank")
    assert copied(demo_pane) == (
        "Safeguard\tDataset\tCondition\tAttacker\tTag\tRank\tD_ECE as computed (bit)\n"
        "unprotected\t–\tOO\t–\t≥ C\t–\t0.678\nB1w\t–\tOP\t–\tA\t1, not tested\t0.037\n"
        "B2\t–\tOP\t–\tC\t2, not tested\t0.205\nB2r\t–\tOP\t–\tC\t3, not tested\t0.214\n"
    )


def test_they_are_copied_in_the_order_they_are_shown(demo_pane):
    only(demo_pane, "d_ece")
    demo_pane.table.sortByColumn(D_ECE, Qt.SortOrder.DescendingOrder)
    assert [line.split("\t")[0] for line in copied(demo_pane).splitlines()[1:]] == [
        "unprotected",
        "B2r",
        "B2",
        "B1w",
    ]


def test_of_several_selected_rows_only_those_are_copied(demo_pane):
    only(demo_pane, "tag")
    demo_pane.table.clearSelection()
    demo_pane.table.setSelectionMode(QAbstractItemView.SelectionMode.MultiSelection)
    for name in ("B1w", "B2r"):
        entry = next(entry for entry in demo_pane.session.entries if entry.name == name)
        demo_pane.table.selectRow(row_of(demo_pane, entry.id).row())
    chosen = {line.split("\t")[0] for line in copied(demo_pane).splitlines()[1:]}
    assert {"B1w", "B2r"} <= chosen
    assert "unprotected" not in chosen


def choose(table, entry):
    next(action for action in table.actions() if action.text() == entry).trigger()


def test_they_are_copied_as_markdown_and_as_latex(demo_pane):
    only(demo_pane, "tag")
    choose(demo_pane.table, "Copy as Markdown")
    assert QGuiApplication.clipboard().text().splitlines() == [
        "| Safeguard | Dataset | Condition | Attacker | Tag |",
        "| --- | --- | --- | --- | ---: |",
        "| unprotected | – | OO | – | ≥ C |",
        "| B1w | – | OP | – | A |",
        "| B2 | – | OP | – | C |",
        "| B2r | – | OP | – | C |",
    ]
    choose(demo_pane.table, "Copy as LaTeX")
    tex = QGuiApplication.clipboard().text()
    assert tex.count(r"\midrule") == 2
    assert r"B1w & \textendash{} & OP & \textendash{} & A \\" in tex


def test_they_are_copied_as_a_table_for_word_processors(demo_pane):
    only(demo_pane, "tag", "condition")
    copied(demo_pane)
    found = QGuiApplication.clipboard().mimeData()
    assert found.text().splitlines()[0] == "Safeguard\tDataset\tAttacker\tTag\tCondition"
    rows = re.findall(r"<tr>(.*?)</tr>", found.html())
    assert [re.findall(r">([^<>]*)</t[hd]>", row) for row in rows[:2]] == [
        ["Safeguard", "Dataset", "Attacker", "Tag", "Condition"],
        ["unprotected", "–", "–", "≥ C", "OO"],
    ]
    choose(demo_pane.table, "Copy as HTML")
    assert QGuiApplication.clipboard().text().startswith("<table border=")


def test_columns_are_chosen_and_remembered(qtbot, pane, window):
    menu = pane.table.columns_menu()
    parts = [part.menu().actions() for part in menu.actions()]
    actions = [action for part in parts for action in part]
    assert [action.text() for action in actions] == [column.head for column in ALL_COLUMNS]
    assert len(parts) <= 8  # a list of them all would cover the screen
    assert max(map(len, parts)) <= 10
    action = actions[CODES.index("cllr")]
    assert not action.isChecked()
    action.trigger()
    assert not pane.table.isColumnHidden(CODES.index("cllr"))
    assert not actions[NAME].isEnabled()

    again = ComparePane(window.session)
    qtbot.addWidget(again)
    assert again.table.columns == pane.table.columns


def test_a_column_is_as_wide_when_it_is_shown_later_and_stays_as_the_user_wants_it(qtbot, pane, window):
    codes = ("cllr", "c_ece", "attribute_similarity")
    numbers = [CODES.index(code) for code in codes]
    assert all(map(pane.table.isColumnHidden, numbers))
    for number in numbers:
        pane.table.show_column(number, shown=True)
    again = ComparePane(window.session)  # with these columns from the first
    qtbot.addWidget(again)
    widths = list(map(pane.table.columnWidth, numbers))
    assert widths == list(map(again.table.columnWidth, numbers))
    assert len(set(widths)) == len(codes)

    pane.table.setColumnWidth(numbers[0], 77)
    for shown in (False, True):
        pane.table.show_column(numbers[0], shown=shown)
    assert pane.table.columnWidth(numbers[0]) == 77


def test_headings_go_across_whatever_is_sorted_or_filtered(pane):
    def spans():
        table = pane.table
        return [
            table.order.index(r, 0).data()
            for r in range(table.order.rowCount())
            if table.columnSpan(r, 0) > 1
        ]

    headings = [f"{group} · D_ECE as computed" for group in pane.comparison.groups]
    assert spans() == headings
    pane.table.sortByColumn(D_ECE, Qt.SortOrder.DescendingOrder)
    assert spans() == headings
    pane.filter.setText("other_m")
    assert spans() == headings[3:]


def test_the_filter_is_reached_by_its_key_and_says_what_it_is(pane, window):
    window.activateWindow()
    pane.table.setFocus()
    next(action for action in pane.actions() if action.shortcut().toString() == "Ctrl+F").trigger()
    assert pane.filter.accessibleName() == "Filter"
    assert pane.focusWidget() is pane.filter


def test_it_says_that_groups_are_not_ranked_against_each_other(pane):
    assert "Ranked within each group only" in pane.note.whole_text


def test_one_group_needs_no_such_words(window):
    assert pane_of(window, Project(items=(small_entry(),))).note.whole_text == ""


def test_c_ece_is_learnt_when_its_column_is_shown(qtbot, pane):
    column = CODES.index("c_ece")
    assert {row.c_ece_bits for row in pane.comparison.rows} == {None}
    pane.table.show_column(column, shown=True)
    expected = learnt_on_other_runs(pane.session.entries)
    qtbot.waitUntil(lambda: any(row.c_ece_bits for row in pane.comparison.rows), **UNTIL)
    assert {row.entry.id: row.c_ece_bits for row in pane.comparison.rows if row.c_ece_bits} == expected


def test_people_are_looked_for_when_their_columns_are_shown(qtbot, window, tmp_path):
    write_drop(tmp_path)
    entry = try_planned(plan([tmp_path]).assessments[0]).entry
    pane = pane_of(window, Project(items=(entry,)))
    codes = ("linkage", "singling_out", "rank_disclosure", "attribute_similarity", "attribute_recall")
    numbers = [CODES.index(code) for code in codes]
    assert all(pane.table.isColumnHidden(number) for number in numbers)
    for number in numbers:
        pane.table.show_column(number, shown=True)
    row = row_of(pane, entry.id)

    def texts():
        return [row.siblingAtColumn(number).data() for number in numbers]

    qtbot.waitUntil(lambda: "–" not in texts(), **UNTIL)
    linked, singled, ranks, alone, recall = texts()
    assert " among 8 (" in linked
    assert " among 8 (" in singled
    assert ranks.count("/") == 1
    assert [one.split(": ")[0] for one in alone.split("; ")] == ["accent", "sex"]
    assert recall.startswith("sex: 94 % (")


def test_word_errors_are_counted_from_transcripts_and_the_normalisation_is_told(
    qtbot, pane, tmp_path, answers
):
    (tmp_path / "reference").write_text("a one two three four\nb five\n", encoding="utf-8")
    (tmp_path / "recognised").write_text("a one too three four\n", encoding="utf-8")
    answers["reference transcripts"] = tmp_path / "reference"
    answers["recognised transcripts"] = tmp_path / "recognised"
    pane._utility_menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: bool(pane.session.project.utilities), **UNTIL)

    assert pane.session.project.utilities[SpeechKey("other_f", "B1w")].wer == 0.25
    assert row_of(pane, pane.session.selected.id).siblingAtColumn(WER).data() == "25 %"
    assert pane.note.whole_text.startswith("Counted for B1w: 25 %, in the column “WER”. ")
    cell = pane.table.visualRect(row_of(pane, pane.session.selected.id).siblingAtColumn(WER))
    assert pane.table.viewport().rect().contains(cell), "it is in view"
    assert "no hypothesis and was left out: b." in pane.note.whole_text
    assert "was read as: lines of an id and words." in pane.note.whole_text
    pane.session.undo_stack.undo()
    assert pane.session.project.utilities == {}


def test_chinese_is_counted_in_characters_and_called_so(qtbot, pane, tmp_path, answers):
    (tmp_path / "reference").write_text("u1 我们今天去学校\nu2 你好世界\n", encoding="utf-8")
    (tmp_path / "recognised").write_text("u1 我们今天去雪校\nu2 你好世界\n", encoding="utf-8")
    answers["reference transcripts"] = tmp_path / "reference"
    answers["recognised transcripts"] = tmp_path / "recognised"
    pane._utility_menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: bool(pane.session.project.utilities), **UNTIL)

    row = row_of(pane, pane.session.selected.id)
    assert row.siblingAtColumn(WER).data() == "–"
    assert row.siblingAtColumn(WER + 1).data() == "9 %"
    assert "character error rate (CER), not a word error rate" in pane.note.whole_text


def test_emotions_are_read_from_labels_and_predictions_and_drawn(qtbot, pane, tmp_path, answers):
    (tmp_path / "utt2emo").write_text("a1 neu\na2 sad\nb1 neu\nb2 sad\n", encoding="utf-8")
    (tmp_path / "predicted").write_text("a1 neu\na2 neu\nb1 neu\nb2 sad\n", encoding="utf-8")
    answers["emotion labels"] = tmp_path / "utt2emo"
    answers["predicted emotions"] = tmp_path / "predicted"
    pane._utility_menu().actions()[-1].trigger()
    qtbot.waitUntil(lambda: bool(pane.session.project.utilities), **UNTIL)

    assert pane.session.project.utilities[SpeechKey("other_f", "B1w")].uar == 0.75
    assert pane.note.whole_text.startswith("Counted for B1w: 75 %, in the column “UAR”.")
    pane.card.choose(ComparePicture.UTILITY_EMOTIONS)
    assert pane.card.rows
    pane.session.undo_stack.undo()
    assert pane.session.project.utilities == {}


def test_ratings_give_a_det_curve_of_listeners(qtbot, pane, tmp_path, answers):
    path = tmp_path / "ratings"
    path.write_text("u1 9 clean\nu2 8 clean\nu3 4 anonymized\nu4 8 anonymized\n", encoding="utf-8")
    answers["ratings"] = path
    pane._utility_menu().actions()[3].trigger()
    qtbot.waitUntil(lambda: bool(pane.session.project.utilities), **UNTIL)
    pane.card.choose(ComparePicture.LISTENING_NATURALNESS)
    assert drawn(qtbot, pane).title == "Listeners: how natural?"


def test_a_bad_file_is_told_and_changes_nothing(qtbot, pane, tmp_path, answers):
    path = tmp_path / "ratings"
    path.write_text("u1 19 clean\n", encoding="utf-8")
    answers["ratings"] = path
    pane._utility_menu().actions()[3].trigger()
    qtbot.waitUntil(lambda: bool(pane.session.problems), **UNTIL)
    assert "“19” is not a rating" in pane.session.problems[0]
    assert pane.session.project.utilities == {}


def test_a_dialogue_that_is_cancelled_asks_no_more(pane, answers):
    asked = []
    answers["reference transcripts"] = lambda: asked.append("once")
    pane._utility_menu().actions()[0].trigger()
    assert asked == ["once"]


def test_distinctiveness_is_drawn_where_there_are_matrices(qtbot, window):
    pane = pane_of(window, challenge().with_items(similarity_entry("B2", "other_f")))
    pane.card.choose(ComparePicture.DISTINCTIVENESS)
    assert len(drawn(qtbot, pane).points) == 1


@pytest.mark.parametrize("count", [1, 200])
def test_few_and_many_rows(qtbot, window, count):
    items = tuple(replace(small_entry(), id=str(n), name=f"S{n}", colour=n) for n in range(count))
    pane = pane_of(window, Project(items=items))
    assert pane.table.order.rowCount() == count + 1
    assert len(drawn(qtbot, pane).lines) == count + 2  # with perfect privacy, and the prior
    assert pane.table.grab().width() > 0


def test_what_is_not_ticked_is_not_there(window):
    entries = tuple(replace(entry, is_ticked=entry.name == "B2") for entry in challenge().entries)
    pane = pane_of(window, Project(items=entries))
    assert {row.entry.name for row in pane.comparison.rows} == {"B2"}
    assert len(compare(window.session.project).rows) == 6


def test_the_picture_is_exported_under_its_name(pane):
    pane.card.choose(ComparePicture.MULTIPLES)
    assert pane.card.file_stem() == "ZEBRA-compare-multiples"
    assert pane.figure_cards() == (pane.card,)


def test_the_table_is_judged_at_the_prior_that_is_considered(pane):
    def shown():
        return row_of(pane, pane.session.selected.id).siblingAtColumn(CODES.index("prior")).data()

    before = shown()
    pane.session.consider_prior(1000)
    assert (before, shown()) == ("1 in 100", "1 in 1\u202f000")


def test_rows_come_in_order_of_rank_and_the_tag_is_the_second_column(qtbot, window, demo):
    first = pane_of(window, replace(demo, items=demo.items[::-1]))
    again = ComparePane(window.session)
    qtbot.addWidget(again)
    for shown in (first, again):
        order = shown.table.order
        ranks = [row.rank for row in shown.comparison.rows]
        assert ranks != sorted(ranks, key=lambda rank: rank or 0)
        found = [order.index(row, CODES.index("rank")).data() for row in range(order.rowCount())]
        assert [text[0] for text in found if text and text[0].isdigit()] == ["1", "2", "3"]
        assert shown.table.columns[:3] == [NAME, CODES.index("tag"), CODES.index("rank")]


def test_what_is_not_tested_can_be_tested_there(qtbot, demo_pane, window, settled):
    assert "not tested" in demo_pane.table.order.index(3, CODES.index("rank")).data()
    assert demo_pane.test.isVisible()
    qtbot.mouseClick(demo_pane.test, Qt.MouseButton.LeftButton)
    assert window.session.intervals.is_settling
    assert not demo_pane.test.isEnabled()
    window.jobs.cancel_all()
    settled(window.jobs)
    assert demo_pane.test.isEnabled()


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_neither_the_words_of_the_axis_nor_the_legend_is_cut(qtbot, demo_pane, window, size):
    window.resize(*size)
    window.workspace.show_topic("compare")
    card = window.workspace.front_pane.card
    qtbot.waitUntil(lambda: card.is_drawn, timeout=20_000)
    QApplication.processEvents()
    view = card.view
    assert view.plot.getAxis("left")._shown == view.figure.y.label
    assert view.legend.verticalScrollBar().maximum() == 0
    assert view.height() >= view.minimumHeight()
    bars = card.scrolled.horizontalScrollBar()
    assert bars.maximum() == 0


def test_heads_are_in_two_lines_so_that_columns_are_as_wide_as_their_figures(pane):
    head = pane.table.rows.headerData(CODES.index("d_ece"), Qt.Orientation.Horizontal)
    assert "\n" in head
    assert head.replace("\n", " ") == ALL_COLUMNS[CODES.index("d_ece")].head


def test_reviewers_see_few_columns_until_they_choose_others_and_a_laboratory_all(pane):
    pane.show_few(is_few=False)
    shown = [CODES[number] for number in pane.table.columns]
    assert len(shown) > 6
    pane.show_few(is_few=True)
    few = ["name", "tag", "rank", "average", "named", "exposed"]
    assert sorted(CODES[number] for number in pane.table.columns) == sorted(few)
    pane.table.show_column(CODES.index("eer"), shown=True)
    pane.show_few(is_few=False)
    assert [CODES[number] for number in pane.table.columns] == shown
    pane.show_few(is_few=True)
    assert sorted(CODES[number] for number in pane.table.columns) == sorted([*few, "eer"])
    pane.show_few(is_few=False)  # as the window has it again for the next test


def test_columns_of_the_answer_say_what_the_answer_says(qtbot, demo_pane):
    pane = demo_pane
    pane.show_few(is_few=True)
    qtbot.waitUntil(lambda: any(row.named for row in pane.comparison.rows), **UNTIL)
    for one in pane.session.conclusions.known.conclusions:
        row = pane.comparison.row(one.strongest.as_given.id)
        assert row.named[1] == str(rate_cell(one.naming))
        assert row.average[0] == Population.of(row.entry).by_reading_bits
    pane.show_few(is_few=False)


def test_the_names_stay_in_sight_when_the_table_is_scrolled(demo_pane):
    table = demo_pane.table
    demo_pane.show_few(is_few=False)
    table.horizontalScrollBar().setValue(0)
    name = QRect(0, 0, table.columnWidth(NAME) - 1, table.viewport().height())
    head = QRect(0, 0, name.width(), table.horizontalHeader().height())
    before = table.viewport().grab(name).toImage()
    head_before = table.horizontalHeader().viewport().grab(head).toImage()
    table.horizontalScrollBar().setValue(200)
    assert table.horizontalScrollBar().value() > 0
    assert table.viewport().grab(name).toImage() == before
    assert table.horizontalHeader().viewport().grab(head).toImage() == head_before
    table.horizontalScrollBar().setValue(0)


def test_the_prior_is_marked_in_profiles_and_follows_the_choice(qtbot, pane, window):
    pane.card.choose(ComparePicture.CONDITION)
    marked = len(drawn(qtbot, pane).lines)
    window.session.mark_prior(False)
    qtbot.waitUntil(lambda: len(drawn(qtbot, pane).lines) == marked - 1, **UNTIL)
    window.session.mark_prior(True)
    qtbot.waitUntil(lambda: len(drawn(qtbot, pane).lines) == marked, **UNTIL)


def test_the_same_scores_twice_are_told_below_the_table_and_have_no_rank(window, demo):
    copied = replace(demo.entries[2], name="copy", id="copy")
    pane = pane_of(window, replace(demo, items=(*demo.items, copied)))
    assert pane.note.whole_text.startswith("B2 and copy have the same scores, so these are not ranked")
    ranks = {row.entry.name: row.rank for row in pane.comparison.rows}
    assert (ranks["B2"], ranks["copy"]) == (None, None)
