"""The audit: what is counted, which findings are errors, and what the user may decide."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import zebra_core
from zebra_core.document.parts import audit_as_json
from zebra_core.evidence.audit import AuditError, Decision, Severity
from zebra_core.wording.texts import knows

KEY = "s1 u1 target\ns1 u2 nontarget\ns2 u1 nontarget\ns2 u2 target\n"
SCORES = "s1 u1 2.5\ns1 u2 -1\ns2 u1 -2\ns2 u2 .5\n"
Read = Callable[..., zebra_core.Trials]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def write_and_read(scores: str, key: str | None = KEY, *allow: str) -> zebra_core.Trials:
        (tmp_path / "scores").write_bytes(scores.encode())
        if key is None:
            return zebra_core.read_trials(tmp_path / "scores", allow=allow)
        (tmp_path / "key").write_bytes(key.encode())
        return zebra_core.read_trials(tmp_path / "scores", tmp_path / "key", allow=allow)

    return write_and_read


def codes(trials: zebra_core.Trials) -> list[str]:
    return [finding.code for finding in trials.audit.findings]


def test_a_clean_pair_of_files_has_counts_and_no_findings(read: Read) -> None:
    trials = read(SCORES)
    audit = trials.audit
    assert audit.findings == ()
    assert trials.remarks == ()
    assert (audit.n_scores, audit.n_key, audit.matched, audit.n_target, audit.n_nontarget) == (4, 4, 4, 2, 2)
    assert (audit.enrolments, audit.tests, audit.decimals, audit.tied_share) == (2, 2, 1, 0.0)
    assert (audit.median_target, audit.median_nontarget) == (1.5, -1.5)
    assert [(file.role, file.format, file.rows) for file in audit.files] == [
        ("scores", "kaldi-scores", 4),
        ("key", "kaldi-key", 4),
    ]
    assert audit.files[0].dialect == "UTF-8, blanks between columns, LF"


def test_key_lines_without_score_are_an_error_until_the_user_decides(read: Read) -> None:
    with pytest.raises(AuditError) as refused:
        read(SCORES.replace("s2 u2 .5\n", "s2 u3 .5\n"))
    [error] = refused.value.audit.errors
    assert error.lifted_by == (Decision.KEY_LINES_WITHOUT_SCORE,)
    assert [(one.file, one.line, one.text) for one in error.examples] == [("key", 4, "s2 u2 target")]
    assert str(refused.value).endswith("(--allow key-lines-without-score).")

    trials = read(SCORES.replace("s2 u2 .5\n", "s2 u3 .5\n"), KEY, "key-lines-without-score")
    assert trials.score.tolist() == [2.5, -1.0, -2.0]
    assert codes(trials) == ["key-lines-left-out", "scores-outside-key"]
    assert trials.audit.decisions == (Decision.KEY_LINES_WITHOUT_SCORE,)
    assert (trials.audit.key_without_score, trials.audit.scores_without_key) == (1, 1)


def test_a_decision_that_changes_nothing_is_not_recorded(read: Read) -> None:
    assert read(SCORES, KEY, "infinite-scores", "key-lines-without-score").audit.decisions == ()


def test_infinities_are_an_error_until_the_user_decides(read: Read) -> None:
    scores = SCORES.replace("2.5", "inf").replace("-2\n", "-Infinity\n")
    with pytest.raises(AuditError, match=r"scores, line 1: the score in “s1 u1 inf” is infinite; 2"):
        read(scores)
    trials = read(scores, KEY, "infinite-scores")
    assert trials.score.tolist() == [1.5, -1.0, -2.0, 0.5]
    assert trials.audit.infinite_scores == 2


def test_nan_is_an_error_until_the_user_decides(read: Read) -> None:
    scores = SCORES + "s1 u3 nan\n"
    key = KEY + "s1 u3 target\n"
    with pytest.raises(AuditError, match="line 5: the score in “s1 u3 nan” is not a number"):
        read(scores, key)
    assert read(scores, key, "nan-scores").score.tolist() == [2.5, -1.0, -2.0, 0.5]


def test_repeats_that_contradict_are_an_error_with_both_lines(read: Read) -> None:
    with pytest.raises(AuditError, match=r"scores, line 5: “s1 u2 7” contradicts line 2, “s1 u2 -1”. Keep"):
        read(SCORES + "s1 u2 7\n")


def test_symmetric_repeats_are_counted(read: Read) -> None:
    trials = read("a b 1.5\nb a 1.25\na c -1\n", "a b target\nb a target\na c nontarget\n")
    assert (codes(trials), trials.audit.symmetric_repeats) == (["symmetric-repeats"], 1)
    assert trials.audit.findings[0].examples[0].line == 2
    assert str(trials.audit.findings[0]).endswith(
        "is also listed the other way round. Both count: where only one side is protected, they are two "
        "different comparisons."
    )


def test_polarity_is_a_warning_with_an_offer_and_never_changed_unasked(read: Read) -> None:
    scores = "s1 u1 -2.5\ns1 u2 1\ns2 u1 2\ns2 u2 -.5\n"
    trials = read(scores)
    [finding] = trials.audit.findings
    assert (finding.code, finding.severity) == ("targets-score-lower", Severity.WARNING)
    assert finding.lifted_by == (Decision.LOWER_IS_MORE_ALIKE,)
    turned = read(scores, KEY, "lower-is-more-alike")
    np.testing.assert_array_equal(turned.score, -trials.score)
    assert turned.audit.decisions == (Decision.LOWER_IS_MORE_ALIKE,)
    assert codes(turned) == ["lower-is-more-alike"]


def test_constant_scores_and_many_ties_are_warnings(read: Read) -> None:
    assert codes(read("s1 u1 .5\ns1 u2 .5\ns2 u1 .5\ns2 u2 .5\n")) == ["constant-scores"]
    tied = read("s1 u1 2.5\ns1 u2 .5\ns2 u1 .5\ns2 u2 1.5\n")
    assert (codes(tied), tied.audit.tied_share) == (["many-ties"], 0.5)


@pytest.mark.parametrize(
    ("spelt", "decision"),
    [
        pytest.param(str.upper, "ignore-case", id="case"),
        pytest.param(lambda text: text.replace("u", "wav/u"), "ignore-directories", id="folders"),
        pytest.param(
            lambda text: text.replace("u1", "u1.wav").replace("u2", "u2.wav"), "ignore-suffixes", id="wav"
        ),
        pytest.param(
            lambda text: text.replace("u1", "u1_anon").replace("u2", "u2_anon"), "ignore-suffixes", id="anon"
        ),
    ],
)
def test_ids_that_differ_in_spelling_only_are_offered_a_mapping(
    read: Read, spelt: Callable[[str], str], decision: str
) -> None:
    with pytest.raises(AuditError) as refused:
        read(spelt(SCORES))
    first = refused.value.audit.errors[0]
    assert (first.code, [one.value for one in first.lifted_by]) == ("ids-spelt-differently", [decision])
    trials = read(spelt(SCORES), KEY, decision)
    assert trials.score.tolist() == [2.5, -1.0, -2.0, 0.5]
    assert [one.value for one in trials.audit.decisions] == [decision]


def test_leading_zeros_are_ids_of_their_own_unless_the_user_says_otherwise(read: Read) -> None:
    scores = "007 a 1.5\n08 a -1.5\n"
    key = "7 a target\n8 a nontarget\n"
    with pytest.raises(
        AuditError, match=r"“7” of key is “007” in scores: the ids of the two files differ only in"
    ):
        read(scores, key)
    assert read(scores, key, "ignore-leading-zeros").score.tolist() == [1.5, -1.5]


def test_a_mapping_that_makes_two_ids_one_is_refused(read: Read) -> None:
    with pytest.raises(AuditError, match="“a” and “A” would become the same id"):
        read("a u 1.5\nA u -1.5\n", "a u target\nA u nontarget\n", "ignore-case")


def test_labels_inside_the_scores_may_not_contradict_the_key(read: Read) -> None:
    scores = "s1 u1 2.5 target\ns1 u2 -1 target\ns2 u1 -2 nontarget\ns2 u2 .5 target\n"
    with pytest.raises(AuditError, match="line 2: the label in “s1 u2 -1 target” is not that of key"):
        read(scores)
    assert codes(read(scores.replace("-1 target", "-1 nontarget"))) == []


def test_scores_without_labels_need_a_key(read: Read) -> None:
    with pytest.raises(
        zebra_core.InputError, match=r"does not say which trials are target. Give its key too"
    ):
        read(SCORES, None)


def test_an_unknown_decision_names_those_there_are(read: Read) -> None:
    with pytest.raises(
        zebra_core.InputError,
        match=r"everything is not something that can be allowed\. These can: key-lines-without",
    ):
        read(SCORES, KEY, "everything")


def test_lists_without_ids_are_matched_by_position_and_that_is_said(tmp_path: Path) -> None:
    np.save(tmp_path / "scores.npy", np.array([1.5, -1.5, 0.5]))
    np.save(tmp_path / "labels.npy", np.array([1, 0, 1]))
    trials = zebra_core.read_trials(
        tmp_path / "scores.npy", tmp_path / "labels.npy", choices={"scores.npy": "npy-scores"}
    )
    assert codes(trials) == ["matched-by-position"]
    assert trials.is_target.tolist() == [True, False, True]


def test_matching_is_the_same_by_table_and_by_hash() -> None:
    from zebra_core.evidence.trials import Ids
    from zebra_core.intake.matching import matching

    rng = np.random.default_rng(2)
    names = tuple(f"n{n}" for n in range(3000))
    pick = rng.permutation(3000 * 3000)[:400]
    key = (Ids((pick // 3000).astype(np.int32), names), Ids((pick % 3000).astype(np.int32), names))
    order = rng.permutation(400)
    scores = tuple(Ids(side.codes[order], side.names) for side in key)
    sparse = matching.match(scores, key)
    assert (order[sparse.score_row] == np.arange(400)).all()
    few = tuple(Ids(side.codes % 20, names[:20]) for side in key)
    _, first = np.unique(matching.pairs(*few), return_index=True)
    few = tuple(Ids(side.codes[first], side.names) for side in few)
    mixed = tuple(Ids(side.codes[::-1].copy(), side.names) for side in few)
    assert (matching.match(mixed, few).score_row == np.arange(len(first))[::-1]).all()


def test_trials_are_held_in_few_bytes(read: Read) -> None:
    trials = read(
        "".join(f"s{n % 9} u{n} {n / 7}\n" for n in range(999)),
        "".join(f"s{n % 9} u{n} {'target' if n % 3 else 'nontarget'}\n" for n in range(999)),
    )
    arrays = (trials.score, trials.is_target, trials.enrol.codes, trials.test.codes)
    assert sum(array.nbytes for array in arrays) == 17 * 999
    assert all(array.base is None for array in arrays)


def test_the_audit_can_be_stored(read: Read) -> None:
    stored = json.loads(json.dumps(audit_as_json(read(SCORES + "s9 u9 1\n").audit), allow_nan=False))
    assert stored["findings"][0]["code"] == "scores-outside-key"
    assert stored["matched"] == 4


def test_every_decision_has_words() -> None:
    assert all(knows(f"decision.{decision.value}") for decision in Decision)


def test_labels_of_two_vocabularies_in_one_key_are_told_with_the_first_line_of_each_word(read: Read) -> None:
    trials = read(SCORES, KEY.replace("s2 u1 nontarget", "s2 u1 −1").replace("s2 u2 target", "s2 u2 Genuine"))
    [found] = trials.audit.findings
    assert (found.code, found.severity) == ("labels-mixed", Severity.WARNING)
    assert str(found) == (
        "key uses labels of more than one vocabulary: “target” for target (first in line 1); “nontarget” "
        "for nontarget (first in line 2); “−1” for nontarget (first in line 3); “genuine” for target (first "
        "in line 4). Each counts as stated here; check that whoever wrote the file meant that."
    )
    assert trials.n_target == read(SCORES).n_target


@pytest.mark.parametrize(
    "pairs", [("Target", "NONTARGET"), ("1", "0"), ("1", "-1"), ("target", "imp"), ("True", "false")]
)
def test_one_word_for_each_class_is_one_vocabulary(read: Read, pairs: tuple[str, str]) -> None:
    target, nontarget = pairs
    key = KEY.replace(" target", f" {target}").replace(" nontarget", f" {nontarget}")
    assert codes(read(SCORES, key)) == []


@pytest.mark.parametrize(
    "labels", ["1 nontarget 0 1", "1 nontarget nontarget 1", "1 0 -1 1", "target 0 0 target"]
)
def test_numbers_among_words_and_three_numbers_are_told(read: Read, labels: str) -> None:
    rows = [line.split()[:2] for line in KEY.splitlines()]
    key = "".join(f"{a} {b} {label}\n" for (a, b), label in zip(rows, labels.split(), strict=True))
    assert codes(read(SCORES, key)) == ["labels-mixed"]
    combined = "".join(
        f"{a} {b} {n}.5 {x}\n" for n, ((a, b), x) in enumerate(zip(rows, labels.split(), strict=True))
    )
    assert "labels-mixed" in codes(read(combined, None))


def test_lines_set_aside_do_not_move_the_lines_of_words(read: Read) -> None:
    trials = read(SCORES + "s3 u1 1.25\n", "s3 u1 spoof\n" + KEY.replace("s2 u2 target", "s2 u2 1"))
    found = next(one for one in trials.audit.findings if one.code == "labels-mixed")
    assert "“1” for target (first in line 5)" in str(found)


def test_arrays_with_labels_of_three_numbers_are_told(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", scores=[0.5, -1.5, 2.25, 1.0], labels=[1, 0, -1, 1])
    [found] = zebra_core.read_trials(tmp_path / "a.npz").audit.findings
    assert "“0” for nontarget (first in line 2); “-1” for nontarget (first in line 3)" in str(found)


def test_the_medians_are_those_of_either_class_alone(tmp_path: Path) -> None:
    rng = np.random.default_rng(51)
    for n in (1, 2, 3, 4, 7, 20, 51):
        target, nontarget = (rng.integers(-9, 9, size).astype(np.float64) for size in (n, 52 - n))
        rows = [(score, "target") for score in target] + [(score, "nontarget") for score in nontarget]
        path = tmp_path / f"combined-{n}"
        path.write_text("".join(f"e{k} t{k} {score} {word}\n" for k, (score, word) in enumerate(rows)))
        audit = zebra_core.read_trials(path).audit
        assert audit is not None
        assert (audit.median_target, audit.median_nontarget) == (np.median(target), np.median(nontarget))
