"""The same contents are not assessed twice, and every entry speaks of its own files."""

import pytest

import zebra_core.project.reading.reading
from tests.core.attribute_cases import write_drop
from zebra_core.evidence.audit import Answers, Decision
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.items import Condition
from zebra_core.project.reading import content_cache
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.content_cache import KnownResults

KEY = "e1 t1 target\ne1 t2 target\ne1 t3 nontarget\ne1 t4 nontarget\n"
SCORES = "e1 t1 2.5\ne1 t2 0.5\ne1 t3 1.5\ne1 t4 -1.5\n"
SEGMENTS = "a1 a2 2.0\na1 b1 -1.0\na2 b1 -2.0\nb1 b2 1.0\na1 b2 0.5\na2 b2 -1.5\n"
SPEAKERS = "a1 a\na2 a\nb1 b\nb2 b\n"


@pytest.fixture
def read(monkeypatch):
    """What was read and matched, one name for each time."""
    names = []
    audit_planned, read_similarity = (
        zebra_core.project.reading.reading.audit_planned,
        zebra_core.project.reading.reading.read_planned_similarity,
    )

    def audited(planned, *rest):
        names.append(planned.scores.source.path.name)
        return audit_planned(planned, *rest)

    def compared(planned, *rest):
        names.append(planned.name)
        return read_similarity(planned, *rest)

    monkeypatch.setattr(zebra_core.project.reading.reading, "audit_planned", audited)
    monkeypatch.setattr(zebra_core.project.reading.reading, "read_planned_similarity", compared)
    return names


def test_the_same_scores_with_attributes_are_not_those_without(tmp_path):
    known = KnownResults()
    write_drop(tmp_path)
    plain, beside = [tmp_path / name for name in ("scores", "trials", "who")], [tmp_path / "sex"]
    told = [only(arrive(paths, known=known)) for paths in (plain, [*plain, *beside], plain)]
    assert [len(names_of_attributes(entry)) for entry in told] == [0, 1, 0]


def only(arrival):
    (entry,) = arrival.entries
    return entry


def test_the_same_files_again_are_another_entry_with_the_same_figures(put, read):
    known, paths = KnownResults(), [put("one", SCORES), put("key", KEY)]
    first = only(arrive(paths, known=known))
    second = only(arrive(paths, known=known))

    assert read == ["one"]
    assert second.id != first.id
    assert second.assessment.counts is first.assessment.counts
    assert (second.assessment.eer, second.assessment.d_ece_bits) == (0.5, first.assessment.d_ece_bits)
    assert second.trials is first.trials  # which the first entry holds
    assert second.audit == first.audit


def test_what_nobody_remembers_is_read_again(put, read):
    paths = [put("one", SCORES), put("key", KEY)]
    arrive(paths)
    arrive(paths)

    assert read == ["one", "one"]


def test_copies_are_found_by_their_contents_and_keep_their_own_names(put, read):
    known = KnownResults()
    first = only(arrive([put("one", SCORES), put("key", KEY)], known=known))
    moved = [put("there/two", SCORES), put("there/list", KEY)]
    second = only(arrive(moved, known=known))

    assert read == ["one"]
    assert (first.name, second.name) == ("one", "two")
    assert [file.path for file in second.files] == moved
    assert [file.path for file in second.audit.files] == moved
    assert [file.sha256 for file in second.files] == [file.sha256 for file in first.files]
    assert [file.path.name for file in first.files] == ["one", "key"]
    assert second.trials is None  # those of the first speak of its files
    assert zebra_core.project.reading.reading.trials_of(second).files == second.files


def test_the_condition_is_that_of_the_folders_it_lies_in_now(put, read):
    known, key = KnownResults(), put("key", KEY)
    lies_in = (
        "ASV-libri_test_enrolls-libri_test_trials_f_anon",
        "ASV-libri_test_enrolls_anon-libri_test_trials_f_anon",
    )
    entries = [only(arrive([put(f"B2/{folder}/scores", SCORES), key], known=known)) for folder in lies_in]

    assert len(read) == 1
    assert [entry.condition for entry in entries] == [Condition.OP, Condition.PP]
    assert [entry.files[0].path.parent.name for entry in entries] == list(lies_in)


@pytest.mark.parametrize(("scores", "key"), [(SCORES.replace("2.5", "3.5"), KEY), (SCORES, KEY + "\n")])
def test_another_byte_is_another_content(put, read, scores, key):
    known = KnownResults()
    arrive([put("one", SCORES), put("key", KEY)], known=known)
    arrive([put("one", scores), put("key", key)], known=known)

    assert read == ["one", "one"]


def test_another_decision_is_another_result(put, read):
    known = KnownResults()
    paths = [put("one", SCORES), put("key", KEY + "e1 t5 target\n")]
    assert arrive(paths, known=known).has_offers  # no entry: nothing is remembered
    allowed = Answers().deciding([str(paths[0])], Decision.KEY_LINES_WITHOUT_SCORE, holds=True)
    first = only(arrive(paths, allowed, known=known))
    second = only(arrive(paths, allowed, known=known))

    assert len(read) == 2
    assert second.audit.decisions == first.audit.decisions == (Decision.KEY_LINES_WITHOUT_SCORE,)
    assert arrive(paths, known=known).has_offers
    assert len(read) == 3


def test_where_a_finding_names_a_file_that_is_called_otherwise_the_file_is_read_again(put, read):
    known = KnownResults()
    twice = SCORES + "e1 t1 2.5\n"
    paths = [put("one", twice), put("key", KEY)]
    first = only(arrive(paths, known=known))
    assert any("one" in example.file for finding in first.audit.findings for example in finding.examples)

    arrive(paths, known=known)
    assert read == ["one"]
    second = only(arrive([put("two", twice), paths[1]], known=known))
    assert read == ["one", "two"]
    assert all(example.file == "two" for finding in second.audit.findings for example in finding.examples)


def test_matrices_are_remembered_too(put, read):
    known = KnownResults()
    first = only(arrive([put("a/scores_oo.txt", SEGMENTS), put("a/utt2spk", SPEAKERS)], known=known))
    second = only(arrive([put("b/scores_oo.txt", SEGMENTS), put("b/utt2spk", SPEAKERS)], known=known))

    assert len(read) == 1
    assert second.similarity.oo is first.similarity.oo
    assert {file.path.parent.name for file in second.files} == {"b"}


def test_what_was_used_last_is_kept_within_bounds(put, read):
    one = arrive([put("one", SCORES), put("key", KEY)])
    known = KnownResults(most_bytes=5 * content_cache._size_of(only(one)) // 2)
    for k in range(4):
        arrive([put(f"s{k}", SCORES.replace("2.5", f"2.{k}")), put("key", KEY)], known=known)

    assert len(known) == 2
    read.clear()
    arrive([put("s3", SCORES.replace("2.5", "2.3")), put("key", KEY)], known=known)
    assert read == []
    arrive([put("s0", SCORES.replace("2.5", "2.0")), put("key", KEY)], known=known)
    assert read == ["s0"]


def test_what_is_too_large_is_not_kept_at_all(put):
    known = KnownResults(most_bytes=10)
    arrive([put("one", SCORES), put("key", KEY)], known=known)

    assert len(known) == 0
