"""Published figures against ours: each by the definition of its program, to the printed digits."""

import datetime as dt
import json
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from zebra_core.document.parts import SavedValue
from zebra_core.document.project import utilities_as_json, utilities_of
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.tables.published import FigureDefinition, published_in
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive, leaves_something_open
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.published import (
    compare_published,
    comparison_lines,
    kaldi_eer,
    speechbrain_eer,
    unmatched_published,
    with_printed_word_errors,
)
from zebra_core.project.utility import Utility
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.export import made_pdf, make_report
from zebra_core.report.verify import verify
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.version import versions
from zebra_core.wording.texts import zebra_number

DATA = Path(__file__).parents[3] / "data"
EXPECTED = json.loads((DATA / "reference" / "expected.json").read_text(encoding="utf-8"))["files"]
scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


def counts(target: list[float], nontarget: list[float]) -> ScoreCounts:
    is_target = np.arange(len(target) + len(nontarget)) < len(target)
    return ScoreCounts.of(np.array([*target, *nontarget], dtype=np.float64), is_target)


def kaldi_by_the_loop(target: list[float], nontarget: list[float]) -> float:
    """Step by step, as its documentation tells it."""
    target, nontarget = sorted(target), sorted(nontarget)
    position = 0
    while position + 1 < len(target):
        above = int(len(nontarget) * position / len(target))
        if nontarget[max(len(nontarget) - 1 - above, 0)] < target[position]:
            break
        position += 1
    return position / len(target)


def speechbrain_by_the_loop(target: list[float], nontarget: list[float]) -> float:
    """Every threshold at a score and half-way to the next one."""
    at = sorted({*target, *nontarget})
    best, found = None, 0.0
    for threshold in sorted([*at, *((a + b) / 2 for a, b in pairwise(at))]):
        miss = float(np.float32(sum(s <= threshold for s in target)) / np.float32(len(target)))
        alarm = float(np.float32(sum(s > threshold for s in nontarget)) / np.float32(len(nontarget)))
        if best is None or abs(np.float32(alarm) - np.float32(miss)) < best:
            best, found = abs(np.float32(alarm) - np.float32(miss)), (alarm + miss) / 2
    return found


@given(target=scores, nontarget=scores)
@settings(max_examples=200, deadline=None)
def test_eers_are_those_of_the_loops_ties_included(target: list[int], nontarget: list[int]) -> None:
    assert kaldi_eer(counts(target, nontarget)) == kaldi_by_the_loop(target, nontarget)
    assert speechbrain_eer(counts(target, nontarget)) == speechbrain_by_the_loop(target, nontarget)


def test_eers_worked_by_hand() -> None:
    # Above 2 lie two of four targets and one of four nontargets; above 1 three targets and two nontargets.
    case = counts([0.5, 1.5, 2.5, 3.5], [-1.0, 0.0, 2.0, 3.0])
    assert kaldi_eer(case) == 0.5
    assert speechbrain_eer(case) == 0.5
    assert kaldi_eer(counts([1.0, 2.0], [0.0])) == 0.0


def results_of(folder: Path) -> str:
    """What the 2020 recipe would print, from the figures of an independent implementation."""
    lines = []
    for place, known in EXPECTED.items():
        if not (folder / place).exists():
            continue
        lines += [
            place.split("/")[-2],
            f"  Cllr (min/act): {known['min_cllr_bits']:.3f}/{known['cllr_bits']:.3f}",
            f"  ROCCH-EER: {100 * known['rocch_eer']:2.3f}%",
            f"  Population: {zebra_number(known['d_ece_bits'])} bit",
            f"  Individual: {zebra_number(known['worst_case_log10_lr'])} ({known['tag']})",
        ]
    return "\n".join([*lines, "ASR-libri_test_asr", "  %WER 5.55 [ 1944 / 35042 ]", ""])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """One system of the reference data, with its results."""
    shutil.copytree(DATA / "reference" / "data", tmp_path / "data")
    shutil.copytree(DATA / "reference" / "exp" / "B1w", tmp_path / "exp" / "B1w")
    (tmp_path / "exp" / "B1w" / "results.txt").write_text(results_of(tmp_path))
    return tmp_path


def project_of(folder: Path) -> Project:
    arrival = arrive([folder])
    assert not leaves_something_open(arrival.plan)
    assert not arrival.has_offers
    return Project().with_items(*arrival.entries).publishing(arrival.plan.published)


def test_a_report_with_printed_figures_is_verified(run: Path) -> None:
    """They are stated, for whoever verifies it does not have the files that print them."""
    made = evidence(gather(project_of(run)), dt.date(2026, 11, 20), versions())
    (printed,) = [line for line in made["checks"] if line["check"] == "printed"]  # type: ignore[attr-defined]
    assert printed["outcome"] == "passed"
    (run / "evidence.json").write_bytes(as_bytes(made))
    assert verify(run / "evidence.json", [run]).is_verified


def test_a_folder_given_by_command_is_compared_with_what_lies_printed_in_it(run: Path) -> None:
    """As in the window: the command line said that no result file prints anything."""
    path = run / "exp" / "B1w" / "results.txt"
    path.write_text(path.read_text().replace("35.179%", "35.180%"))
    found = project_of_folder(run).project

    assert found.published == project_of(run).published
    made = evidence(gather(found), dt.date(2026, 11, 20), versions())
    printed = [line for line in made["checks"] if line["check"] == "printed"]  # type: ignore[attr-defined]
    assert [line["outcome"] for line in printed] == ["failed"]
    assert "printed 35.180, but 35.179 here" in str(printed)


def test_results_of_2020_agree_with_ours_to_the_printed_digits(run: Path) -> None:
    project = project_of(run)
    found = compare_published(project, project.published)

    assert len(found) == 6 * 6
    assert {figure.agrees for figure in found} == {True}
    assert {figure.name for figure in found} == {
        f"{dataset} · {name}"
        for dataset in ("other_f", "other_m")
        for name in ("unprotected OO", "B1w OP, ignorant", "B1w PP, lazy-informed")
    }
    [one] = [
        f for f in found if f.what is FigureDefinition.ROCCH_EER and f.name == "other_f · B1w OP, ignorant"
    ]
    assert (one.printed, one.ours) == ("35.179", "35.179")
    assert str(one) == f"ROCCH-EER in percent: 35.179 as printed (results.txt, line {one.line})"


def test_a_printed_figure_that_differs_is_told_with_ours(run: Path) -> None:
    path = run / "exp" / "B1w" / "results.txt"
    path.write_text(path.read_text().replace("35.179%", "35.180%"))
    project = project_of(run)
    [figure] = [one for one in compare_published(project, project.published) if not one.agrees]
    assert str(figure) == (
        f"ROCCH-EER in percent: printed 35.180, but 35.179 here (results.txt, line {figure.line})"
    )
    assert comparison_lines(project, figure.entry_id)[:2] == [
        "6 printed figures are about these scores; 1 of them differ from ours.",
        str(figure),
    ]


def test_results_of_a_baseline_that_was_left_out_are_compared_with_the_one_kept(run: Path) -> None:
    shutil.copytree(run / "exp" / "B1w", run / "exp" / "B9")
    project = project_of(run)
    assert len(project.entries) == 6 + 4
    assert {one.agrees for one in compare_published(project, project.published)} == {True}


def test_files_of_2024_and_tables_are_compared_by_their_rows(tmp_path: Path) -> None:
    shutil.copytree(DATA / "intake" / "layouts" / "2024", tmp_path / "run")
    exp = tmp_path / "run" / "exp"
    rates = {}
    for entry in project_of(tmp_path).entries:
        folder = entry.files[0].path.parent
        rates[folder.relative_to(exp).as_posix()] = rate = speechbrain_eer(entry.assessment.counts)
        (folder / "EER").write_text(str(rate))
    retrained = rates["asv_anon_mcadams/libri_dev_enrolls_mcadams-libri_dev_trials_f_mcadams"]
    lazy = rates["asv_orig/libri_dev_enrolls_mcadams-libri_dev_trials_f_mcadams"]
    (exp / "results_summary").mkdir()
    head = "  dataset split gender enrollment     trial     EER\n"
    (exp / "results_summary" / "result_for_rank_mcadams").write_text(
        "---- Time: 28-03-24_19:00 ----\n\n---- SER results ----\n   dataset  UAR\n0  IEMOCAP  55.6\n\n"
        f"---- ASV_eval results ----\n{head}2   libri   dev      f       anon      anon  {100 * lazy:.3f}\n\n"
        f"---- ASV_eval^anon results ----\n{head}2   libri   dev      f  anon  anon  {100 * retrained:.3f}\n"
    )
    (exp / "asv_orig" / "results_mcadams.csv").write_text(
        f",dataset,split,gender,enrollment,trial,EER\n0,libri,dev,f,anon,anon,{100 * lazy:.3f}\n"
        "1,libri,dev,m,anon,anon,5.0\n"
    )
    project = project_of(tmp_path)
    found = compare_published(project, project.published)

    assert [one.agrees for one in found if one.source.path.name == "EER"] == [True] * 6
    ranked = [one for one in found if one.source.path.name == "result_for_rank_mcadams"]
    assert [(one.name.partition(", ")[2], one.agrees) for one in ranked] == [
        ("lazy-informed", True),
        ("semi-informed", True),
    ]
    [unmatched] = unmatched_published(project, project.published)
    assert str(unmatched) == (
        "EER by SpeechBrain, in percent of libri_dev_trials_m: printed 5.0, which could not be matched with "
        "one assessment (results_mcadams.csv, line 3)"
    )
    rows = [one for one in found if one.source.path.suffix == ".csv"]
    assert [one.agrees for one in rows] == [True, None]
    assert "could not be matched with one assessment" in str(rows[1])


def test_the_table_of_the_toolkit_is_matched_by_system_set_and_task(tmp_path: Path) -> None:
    shutil.copytree(DATA / "intake" / "layouts" / "toolkit", tmp_path / "run")
    (tmp_path / "run" / "results.csv").write_text(
        ",System,Gender,Dataset,Task,ROCCH-EER [%],ZEBRA Population [bit],ZEBRA Individual,ZEBRA Category,"
        "Cllr\n"
        "0,Baseline-primary,f,vctk_common,a-a,99.0,0.9,9.0,F,99.00\n"
        "1,Nobody,f,libri,a-a,99.0,0.9,9.0,F,99.00\n"
    )
    project = project_of(tmp_path)
    found = compare_published(project, project.published)
    assert {one.name for one in found[:5]} == {"vctk_f_common · Baseline-primary PP, lazy-informed"}
    assert [one.agrees for one in found] == [False] * 5 + [None] * 5


RANKED = (
    "---- Time: 28-03-24_19:00 ----\n\n---- SER results ----\n"
    "   dataset split       ser      UAR  ACC_sad  ACC_neu\n"
    "                               mean     mean     mean\n"
    "0  IEMOCAP   dev      anon  55.6146  32.9580  57.9720\n"
    "1  IEMOCAP   dev  original  69.0796  63.6292  65.9652\n\n---- ASR results ----\n"
    "  dataset split       asr     WER\n0   libri   dev  original   1.807\n"
    "4   libri   dev      anon  10.482\n"
)


def with_results(tmp_path: Path, files: dict[str, str]) -> Project:
    """The folders of 2024 with these files in exp."""
    shutil.copytree(DATA / "intake" / "layouts" / "2024", tmp_path / "run")
    for name, text in files.items():
        path = tmp_path / "run" / "exp" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project_of_folder(tmp_path).project


def test_printed_word_errors_stand_in_their_column_as_printed(tmp_path: Path) -> None:
    """Of 2024 and 2026: they were skipped, and the column stayed empty although the file said it."""
    files = {"results_summary/result_for_rank_mcadams": RANKED}
    files["asr/libri_dev_asr_mcadams/wer"] = "%WER 10.48 [ 1 / 2, 1 ins, 0 del, 0 sub ]\n%SER 3.0 [ 1 / 2 ]\n"
    files["asr/results_other.csv"] = ",dataset,split,asr,WER\n0,libri,dev,anon,99.9\n"
    project = with_results(tmp_path, files)

    rates = {key.safeguard: (one.wer, one.printed_in) for key, one in project.utilities.items()}
    assert rates == {
        "": (pytest.approx(0.01807), "result_for_rank_mcadams:11"),
        "mcadams": (pytest.approx(0.10482), "result_for_rank_mcadams:12"),
    }
    row = next(row for row in compare(project).rows if row.entry.name == "mcadams")
    assert column("wer").shown(row) == "10.48 % (as printed)"
    told = comparison_lines(project, row.entry.id)
    assert (
        "result_for_rank_mcadams prints what is not computed here, unweighted average recall of emotions "
        "(UAR), in percent: IEMOCAP_dev protected 55.6146; IEMOCAP_dev unprotected 69.0796"
    ) in told
    assert unmatched_published(project, project.published) == ()
    saved = SavedValue(utilities_as_json(project.utilities), "utilities", "a.zebra")
    assert utilities_of(saved)[row.entry.speech].printed_in


def test_a_report_that_states_word_errors_is_verified(tmp_path: Path) -> None:
    """Whoever made it again did not know them, so that its tables differed."""
    ratings = Ratings((0, 0, 0, 1, 1), (0, 1, 1, 0, 0), (1.0, 2.0, 3.0, 4.0, 5.0), 5)
    project = with_results(tmp_path, {"results_summary/result_for_rank_mcadams": RANKED})
    key, known = next(iter(project.utilities.items()))
    project = project.with_utility(key, known.heard(RatingQuestion.NATURALNESS, ratings))
    report = made_pdf(make_report(gather(project)))
    (tmp_path / "r.pdf").write_bytes(report)
    assert verify(tmp_path / "r.pdf", [tmp_path]).is_verified


def test_what_differs_is_not_taken_and_what_is_known_is_kept(tmp_path: Path) -> None:
    csv = ",dataset,split,asr,WER\n0,libri,dev,anon,9.9\n1,libri,dev,original,1.807\n"
    files = {"results_summary/result_for_rank_mcadams": RANKED, "asr/results_mcadams.csv": csv}
    project = with_results(tmp_path, files)
    assert {key.safeguard for key in project.utilities} == {""}
    typed = project.with_utility(next(iter(project.utilities)), Utility.typed(0.5))
    assert with_printed_word_errors(typed) is typed


def test_ser_tables_have_names_in_two_lines() -> None:
    ser = ",dataset,split,ser,UAR,ACC_sad\n,,,,mean,mean\n0,emodata,dev,anon,41.299,43.5\n"
    assert read(ser, "results_x.csv") == [(FigureDefinition.UAR, "41.299", "")]


def test_results_of_other_tools_are_told() -> None:
    assert read("dataset n_pairs threshold eer\nls-test-clean 1600 -3.2 0.21\n", "eer.txt") == [
        (FigureDefinition.SPKANON_EER, "0.21", "ls-test-clean")
    ]
    metric = '{"linkability": 0.07, "eer": 49.1, "eer_lower": 48.2, "eer_upper": 50.0, "min_cllr": 0.99}'
    assert read(metric, "metric.json") == [
        (FigureDefinition.FEERCI_EER, "49.1", ""),
        (FigureDefinition.MIN_CLLR, "0.99", ""),
    ]
    assert read("{" * 50_000 + '"eer_lower":', "metric.json") is None


def test_results_alone_ask_for_their_scores(tmp_path: Path) -> None:
    (tmp_path / "results.txt").write_text("ASV-a_enrolls-a_trials\n  EER: 8.665%\n")
    [problem] = arrive([tmp_path / "results.txt"]).plan.problems
    assert str(problem.error).startswith("results.txt contains results of an evaluation. Drop it together")


def read(text: str, name: str = "results.txt") -> list[tuple[FigureDefinition, str, str]] | None:
    found = published_in(OpenedFile(Source(Path("exp") / name), text.encode(), len(text), ""))
    return None if found is None else [(one.kind, one.text, one.pair) for one in found.figures]


def test_summaries_single_files_and_small_numbers_are_read() -> None:
    pair = "ASV-libri_dev_enrolls-libri_dev_trials_f"
    assert read(
        f"{pair}  EER: 8.665%\nASR-libri_dev_asr  %WER 3.82 [ 1 / 2 ]\nAverage WER dev orig: 7.3\n"
    ) == [(FigureDefinition.KALDI_EER, "8.665", pair)]
    assert read("EER: 50%\nminDCF(p-target=0.01): 0.99\n", "EER") == [(FigureDefinition.KALDI_EER, "50", "")]
    assert read("Population: 9e-05 bit\n     Individual: 0.080 (A)\n") == [
        (FigureDefinition.POPULATION, "9e-05", ""),
        (FigureDefinition.INDIVIDUAL, "0.080", ""),
        (FigureDefinition.TAG, "A", ""),
    ]
    assert read("0.10511363297700882", "EER") == [
        (FigureDefinition.SPEECHBRAIN_EER_SHARE, "0.10511363297700882", "")
    ]


def test_what_is_no_result_file_is_none() -> None:
    assert read("0.105", "scores") is None
    assert read("a b 0.5\na c 0.25\n") is None
    assert read("") is None
    assert read("EER: 8%\n" + "x" * 2000) is None
    assert read("EER: 8%\nwhat\nis\nthis\n") is None


def test_lines_that_nobody_understands_are_counted() -> None:
    content = b"EER: 8.1%\nsomething else\n"
    found = published_in(OpenedFile(Source(Path("EER")), content, len(content), ""))
    assert found.unread_lines == (2,)


@given(st.text("ASVER-:%|,_^ \n0123456789.eminacltr()/F[]", max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_not_and_never_fails(text: str) -> None:
    for name in ("EER", "results.txt", "results.csv"):
        figures = read(text, name)
        assert figures is None or (figures and all(printed in text for _kind, printed, _pair in figures))
