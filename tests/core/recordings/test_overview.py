"""What would be compared, before anything was heard: pairs, speakers, trials, and what is lacking."""

import zipfile
from dataclasses import replace

import pytest

import zebra_resources
from tests.core.recordings.samples import tone, write
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import Attack, AttackerChoice, BackEndKind, attacks_on
from zebra_core.recordings.comparable import compare_recordings
from zebra_core.recordings.embedding import glance, survey
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.folder_roles import FolderRole, find_versions
from zebra_core.recordings.overview import (
    ExpectedWork,
    RecordingChoices,
    of_assessing,
    of_attack,
    of_hearing,
    of_steps,
    overview,
    seconds_of,
)
from zebra_core.recordings.pairing_rules import PairingRule, PairingTable
from zebra_core.recordings.recording_table import rows
from zebra_core.recordings.speakers import SpeakerColumn

DEMO = zebra_resources.path("recordings")
PLAIN = RecordingChoices()
EQUAL = "One original recording is identical, byte by byte, to another under another name, and was left out"
SAME = "identical to their originals, byte by byte, and so are not protected"


def looked_at(dropped, channel=None):
    recordings = [one for version in dropped.versions for one in version.folder.recordings]
    return survey(recordings, glance(recordings, {}), channel)


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Two speakers, and everything that is odd."""
    top = tmp_path_factory.mktemp("odd")
    for version in ("original", "B2"):
        for number in range(6):
            samples = tone(1.5, hertz=200.0 + 50 * number + (7 if version == "B2" else 0))
            write(top / version / f"{'ab'[number % 2]}-{number}.wav", samples)
        write(top / version / "a-short.wav", tone(0.4))
        write(top / version / "a-silent.wav", 0.0 * tone(1.5))
        write(top / version / "b-clipped.wav", (8.0 * tone(1.5)).clip(-1.0, 1.0))
    write(top / "original" / "a-alone.wav", tone(1.5, hertz=900.0))
    write(top / "original" / "b-copy.wav", tone(1.5, hertz=250.0))
    write(top / "B2" / "b-copy.wav", tone(1.5, hertz=251.0))
    (top / "original" / "letter.wav").write_text("dear all")
    (top / "original" / "nothing.wav").touch()
    return find_versions([top])


def test_the_demo_is_clear_before_anybody_says_anything():
    dropped = find_versions([DEMO])
    found = overview(dropped, PLAIN, {})

    assert (found.lacking, found.speakers, len(found.ids)) == ((), 10, 30)
    assert {one: (count.trials, count.targets) for one, count in found.trials.items()} == {
        "oo": (435, 30),
        "oa": (870, 60),
        "aa": (435, 30),
    }
    assert found.source is SpeakerRule.FIRST_FOLDER
    assert [offer.in_words for offer in found.offers] == [
        "The first folder: 10 speakers",
        "The file name before its first hyphen: 10 speakers",
    ]
    assert found.offers[0].examples.startswith("1688/1688-142285-0005.flac → 1688, ")
    assert found.request.protected == {"B2": DEMO / "B2"}


def test_what_is_odd_is_told_as_it_will_be_when_all_was_heard(odd):
    seen = looked_at(odd)
    found = overview(odd, PLAIN, seen)

    assert found.lacking == ()
    assert found.sentences == (
        (
            "2 files in original have names of sound files but are not sound, and were left alone: "
            "letter.wav, nothing.wav (empty)."
        ),
        "A recording has no copy under B2 and was left out everywhere: a-alone.",
        "original/a-silent.wav contains no speech. Leave it out, or record again.",
        "B2/a-silent.wav contains no speech. Leave it out, or record again.",
        f"{EQUAL}: b-copy.",
        "One recording contains less than a second of speech, which says little about who speaks: a-short.",
        "A recording is clipped: b-clipped.",
        f"2 copies under B2 are {SAME}: a-short, b-clipped.",
    )
    assert compare_recordings(found.request).ids == found.ids
    listed = {row.id: (row.is_compared, row.remark) for row in rows(found, seen) if row.remark}
    assert listed == {
        "a-alone": (False, "No copy under B2."),
        "a-silent": (
            False,
            (
                "original/a-silent.wav contains no speech. Leave it out, or record again. "
                "B2/a-silent.wav contains no speech. Leave it out, or record again."
            ),
        ),
        "b-copy": (False, "Identical to another original."),
        "a-short": (True, "Less than a second of speech. Identical to its copy under B2."),
        "b-clipped": (True, "Clipped. Identical to its copy under B2."),
    }
    short = {row.id: row.in_short for row in rows(found, seen)}
    assert short["a-silent"] == "original: no speech. B2: no speech."
    assert short["b-clipped"] == "Clipped. Identical to its copy under B2."
    first = rows(found, seen)[0]
    assert (first.id, first.speaker, first.seconds, first.rate_hz) == ("a-alone", "", 1.5, 16_000)


def test_very_many_recordings_are_compared_as_the_challenge_does_unless_a_user_says_otherwise():
    few = find_versions([DEMO])
    many = replace(few.versions[0].folder, recordings=few.versions[0].folder.recordings * 40)

    assert RecordingChoices.first(few).every_pair
    assert not RecordingChoices.first(
        replace(few, versions=(replace(few.versions[0], folder=many),))
    ).every_pair


def test_nobody_guesses_who_speaks_where_rules_differ(tmp_path):
    for name in ("x/1-a_1.wav", "x/1-b_2.wav", "y/2-a_3.wav", "y/2-c_4.wav", "x/2-c_5.wav"):
        write(tmp_path / name, tone(0.2))
    dropped = find_versions([tmp_path], {tmp_path: False})
    found = overview(dropped, PLAIN, {})

    assert [offer.speakers for offer in found.offers] == [2, 2, 4]
    assert found.source is None
    assert found.lacking == ("Choose what says who speaks in a recording.",)
    chosen = overview(dropped, replace(PLAIN, speakers=SpeakerRule.BEFORE_HYPHEN), {})
    assert (chosen.lacking, chosen.trials["oo"].targets) == ((), 4)


def test_a_list_that_cannot_be_read_has_its_sentence(tmp_path):
    for name in ("p-1", "p-2", "q-3", "q-4"):
        write(tmp_path / f"{name}.wav", tone(0.2))
    dropped = find_versions([tmp_path])
    (tmp_path / "wrong.csv").write_text("a,b\n1,2\n")

    wrong = overview(dropped, replace(PLAIN, speakers=tmp_path / "wrong.csv"), {})
    assert wrong.request is None
    assert wrong.lacking[0].startswith(
        "wrong.csv begins with “a,b”, which does not name a column of recordings"
    )


def test_roles_and_names_that_do_not_fit_are_told(odd):
    original, copy = odd.versions
    both = replace(PLAIN, roles={copy.top: FolderRole.ORIGINAL})
    none = replace(PLAIN, roles={original.top: FolderRole.UNUSED})
    named = replace(PLAIN, names={copy.top: "my trials"})

    assert overview(odd, both, {}).lacking == ("2 folders are marked as original. Choose exactly one.",)
    assert overview(odd, none, {}).lacking == ("Say which folder holds the original recordings.",)
    assert "cannot be the name of a safeguard" in overview(odd, named, {}).lacking[0]
    alone = overview(odd, replace(PLAIN, roles={copy.top: FolderRole.UNUSED}), {})
    assert list(alone.trials) == ["oo"]
    assert alone.sentences[-1].startswith("There are only original recordings")


def test_a_channel_is_asked_for_where_there_are_several(tmp_path):
    for name in ("a-1", "a-2", "b-1", "b-2"):
        samples = tone(1.5, hertz=300.0 + 10 * ord(name[0]) + ord(name[2]))
        write(tmp_path / f"{name}.wav", [[0.0, one] for one in samples])
    dropped = find_versions([tmp_path])
    recordings = dropped.versions[0].folder.recordings
    seen = glance(recordings, {})

    asked = overview(dropped, PLAIN, seen)
    assert (asked.channels, asked.lacking) == (
        2,
        (
            "4 recordings have several channels, up to 2: "
            + ", ".join(f"{tmp_path.name}/{name}.wav" for name in ("a-1", "a-2", "b-1", "b-2"))
            + ". Choose the channel to listen to.",
        ),
    )
    second = overview(dropped, replace(PLAIN, channel=2), survey(recordings, seen, 2))
    assert (second.lacking, second.trials["oo"].trials) == ((), 6)
    first = overview(dropped, replace(PLAIN, channel=1), survey(recordings, seen, 1))
    assert (first.ids, first.request) == ((), None)


def test_trials_of_the_challenge_that_cannot_be_made_are_told(odd):
    challenge = replace(PLAIN, every_pair=False)

    assert overview(odd, challenge, {}).trials["oa"].targets == 8
    assert overview(odd, replace(challenge, enrol=9), {}).lacking == (
        (
            "With 9 for an enrolment, 0 speakers have recordings left to be compared with it, "
            "and at least two are needed. Enrol fewer recordings, or give more of each speaker."
        ),
    )


@pytest.mark.parametrize("names", [("a/a-1.wav", "a/a-2.wav"), ("a/a-1.wav", "b/b-1.wav")])
def test_where_nobody_could_be_recognised_again_that_is_said_and_not_asked(tmp_path, names):
    for name in names:
        write(tmp_path / name, tone(0.2))

    found = overview(find_versions([tmp_path], {tmp_path: False}), PLAIN, {})
    assert found.lacking[0].startswith("A comparison needs two speakers, one of them with two recordings")


def test_coarse_samples_are_told_and_rates_are_of_what_is_compared(tmp_path):
    for number in range(6):
        name, samples = f"{'ab'[number % 2]}-{number}.wav", tone(1.5, hertz=200.0 + 50 * number)
        write(tmp_path / name, samples, subtype="PCM_U8" if number == 3 else "PCM_16")
    write(tmp_path / "a-fast.wav", tone(1.5, 48_000, 700.0), 48_000)
    write(tmp_path / "a-silent.wav", 0.0 * tone(1.5, 8_000), 8_000)
    dropped = find_versions([tmp_path])
    seen = looked_at(dropped)
    found = overview(dropped, PLAIN, seen)

    assert found.rates == {16_000: 6, 48_000: 1}
    assert found.sentences[-1] == (
        "One recording has only 8 bits a sample, and its noise may hide who speaks: "
        f"{tmp_path.name}/b-3.wav. Where it also exists with 16 bits, give that."
    )
    assert {row.id: row.remark for row in rows(found, seen)}["b-3"] == "8 bits a sample."


def test_a_speaker_with_one_recording_is_told_before_anything_is_heard(tmp_path):
    for name in ("a-1", "a-2", "a-3", "b-1", "b-2", "c-1"):
        write(tmp_path / f"{name}.wav", tone(0.2))
    dropped = find_versions([tmp_path])

    assert overview(dropped, PLAIN, {}).sentences[-1] == (
        "A speaker has only one recording, which is compared with those of others, "
        "but cannot show whether they are recognised again: c."
    )
    assert overview(dropped, replace(PLAIN, every_pair=False), {}).sentences[-1] == (
        "A speaker has too few recordings for an enrolment and a test, and was left out: c."
    )


def vendors(top, copy="call_{n:02}_ANON", numbers=range(1, 9), agent="Agent {a}"):
    """Two agents with calls, and what a vendor made of these."""
    for n in range(1, 9):
        path = top / "Originals" / agent.format(a=n % 2) / f"2025-03-2{n}_call_{n:02}.wav"
        write(path, tone(1.2 + 0.1 * n, hertz=200.0 + 10 * n))
    for n in numbers:
        write(top / "Vendor" / f"{copy.format(n=n)}.wav", tone(1.2 + 0.1 * n, hertz=300.0 + 10 * n))
    (top / "calls.csv").write_text(
        "Call;Day;Who\n" + "".join(f"2025-03-2{n}_call_{n:02};{n % 3};Agent {n % 2}\n" for n in range(1, 9)),
    )
    return find_versions([top / "Originals", top / "Vendor"])


def test_names_that_a_vendor_gives_are_paired_and_the_rule_is_told(tmp_path):
    dropped = vendors(tmp_path, numbers=range(1, 8))
    found = overview(dropped, PLAIN, looked_at(dropped))

    assert found.lacking == ()
    assert len(found.ids) == 7
    assert {name: str(source) for name, source in found.chosen_pairs.items()} == {"Vendor": "*_{}={}_ANON"}
    assert found.asks_for_pairs(found.protected[0])
    [way] = found.pairs["Vendor"]
    assert way.examples.startswith("Agent 0/2025-03-22_call_02.wav ↔ call_02_ANON.wav, ")
    assert (
        compare_recordings(found.request)
        .sentences[0]
        .startswith(
            f"Copies under Vendor are paired with originals by the rule *_{{}}={{}}_ANON: {way.examples}"
        )
    )
    assert found.request.pairs == {"Vendor": (PairingRule("*_{}", "{}_ANON"),)}
    assert compare_recordings(found.request).ids == found.ids


def test_names_that_leave_it_open_are_asked_about_and_a_table_answers(tmp_path):
    dropped = vendors(tmp_path, copy="anon_{n:02}")
    found = overview(dropped, PLAIN, {})
    assert found.chosen_pairs == {}
    assert found.lacking[0] == (
        "Which copies under Vendor belong to which originals? Choose a way, or a table."
    )
    assert [str(one.source) for one in found.pairs["Vendor"]] == ["*_call_{}=anon_{}"]

    rows_of_table = "".join(f"2025-03-2{n}_call_{n:02}.wav,anon_{n:02}.wav\n" for n in range(1, 9))
    (tmp_path / "mine.csv").write_text(rows_of_table)
    table, vendor = PairingTable(tmp_path / "mine.csv"), found.protected[0].top
    told = overview(dropped, replace(PLAIN, tables=(table,), pairs={vendor: table}), {})
    assert told.lacking == ()
    assert told.chosen_pairs == {"Vendor": table}
    (tmp_path / "mine.csv").write_text("nothing\n")
    broken = overview(dropped, replace(PLAIN, tables=(table,), pairs={vendor: table}), {})
    assert broken.lacking[0].startswith("mine.csv begins with “nothing”, which is not a line of several")


def test_the_columns_of_a_table_are_offered_and_none_is_taken_unasked(tmp_path):
    dropped = vendors(tmp_path)
    found = overview(dropped, PLAIN, {})
    by_column = [offer for offer in found.offers if isinstance(offer.source, SpeakerColumn)]

    assert [offer.in_words for offer in by_column] == [
        "The column Day of calls.csv: 3 speakers",
        "The column Who of calls.csv: 2 speakers",
    ]
    assert "Agent 0/2025-03-22_call_02.wav → Agent" in by_column[1].examples
    assert found.source is SpeakerRule.FIRST_FOLDER
    chosen = overview(dropped, replace(PLAIN, speakers=by_column[1].source), {})
    assert (chosen.speakers, chosen.request.speakers.column) == (2, "Who")


CALLS = """Call;Patient;Sex;Day;Begin;Sure;One
2025-03-21_call_01;P-1;f;01.03.2025;10:05:00;0,91;x
2025-03-22_call_02;P-1;f;01.03.2025;10:05:00;0,91;x
2025-03-23_call_03;P-2;m;02.03.2025;11:05:00;0,87;x
2025-03-24_call_04;P-2;m;02.03.2025;11:05:00;0,87;x
2025-03-25_call_05;P-3;f;02.03.2025;11:05:00;0,87;x
"""


def test_dates_times_amounts_and_constants_are_no_people(tmp_path):
    vendors(tmp_path, agent="2025-03-1{a}")
    (tmp_path / "calls.csv").write_text(CALLS)
    found = overview(find_versions([tmp_path / "Originals", tmp_path / "Vendor"]), PLAIN, {})

    offered = [one.source.column for one in found.offers if isinstance(one.source, SpeakerColumn)]
    assert offered == ["Patient", "Sex"]
    assert SpeakerRule.FIRST_FOLDER not in [one.source for one in found.offers]
    assert found.source is None
    assert found.lacking == ("Choose what says who speaks in a recording.",)
    insisted = overview(
        find_versions([tmp_path / "Originals", tmp_path / "Vendor"]),
        replace(PLAIN, speakers=SpeakerRule.FIRST_FOLDER),
        {},
    )
    assert insisted.sentences[-1].startswith(
        "What would count as people here are dates, times or amounts: 2025-03-11/"
    )


def test_two_speakers_may_count_as_one_person(tmp_path):
    for n in range(8):
        write(tmp_path / f"agent {n // 2}" / f"{n}.wav", tone(0.2))
    dropped = find_versions([tmp_path], {tmp_path: False})
    together = replace(PLAIN, one_person=(("agent 0", "agent 3"),))
    found = overview(dropped, together, {})

    assert (found.speakers, found.trials["oo"].targets) == (3, 8)
    assert "agent 0 and agent 3 count as one person, as the user says." in found.sentences
    assert {row.speaker for row in rows(found, {})} == {"agent 0", "agent 1", "agent 2"}
    assert "agent 0=agent 3" in found.request.as_words(tmp_path / "out")
    wrong = overview(dropped, replace(PLAIN, one_person=(("agent 0", "agent 9"),)), {})
    assert wrong.lacking[0].startswith("Nobody is called “agent 9”")


def test_transcripts_may_be_left_alone(tmp_path):
    for n in range(4):
        write(tmp_path / f"{'ab'[n // 2]}-{n}.wav", tone(0.5, hertz=200.0 + 20 * n))
    (tmp_path / "text").write_text("".join(f"{'ab'[n // 2]}-{n} word {n}\n" for n in range(4)))
    dropped = find_versions([tmp_path])

    assert overview(dropped, PLAIN, {}).request.transcripts == tmp_path / "text"
    without = overview(dropped, replace(PLAIN, without_transcripts=True), {})
    assert without.request.transcripts is None
    assert compare_recordings(without.request).transcripts == {}
    assert without.request.as_words(tmp_path / "out") == []


def test_an_archive_of_recordings_beside_the_folders_is_told_with_its_count(tmp_path):
    dropped = vendors(tmp_path)
    with zipfile.ZipFile(tmp_path / "Beta.zip", "w") as archive:
        for n in range(3):
            archive.writestr(f"call {n}.flac", b"")

    for paths in (dropped.paths, (*dropped.paths, tmp_path / "Beta.zip")):
        found = overview(find_versions(paths), PLAIN, {})
        told = "Beta.zip contains 3 recordings. Unpack it, and drop the folder here, if they are meant."
        assert [one for one in found.sentences if "Beta" in one] == [told]
        assert not any("Beta" in one.in_words for one in found.offers)


@pytest.mark.parametrize(
    ("patients", "taken"),
    [
        pytest.param("abababab", True, id="another name for each"),
        pytest.param("fffffffm", False, id="two for one folder"),
        pytest.param("acbdacbd", False, id="two for each folder"),
    ],
)
def test_a_rule_that_a_column_contradicts_is_asked_about(tmp_path, patients, taken):
    vendors(tmp_path)
    rows_of_table = (f"2025-03-2{n}_call_{n:02};{patients[n - 1]}\n" for n in range(1, 9))
    (tmp_path / "calls.csv").write_text("Call;Patient\n" + "".join(rows_of_table))
    found = overview(find_versions([tmp_path / "Originals", tmp_path / "Vendor"]), PLAIN, {})

    assert found.source is (SpeakerRule.FIRST_FOLDER if taken else None)


def test_a_column_of_what_speakers_share_does_not_contradict_a_rule(tmp_path):
    for n in range(8):
        write(tmp_path / "calls" / f"agent {n // 2}" / f"{n}.wav", tone(0.2))
    (tmp_path / "who.csv").write_text("File,Sex\n" + "".join(f"{n}.wav,{'ffmm'[n // 2]}\n" for n in range(8)))

    assert (
        overview(find_versions([tmp_path / "calls"], {tmp_path / "calls": False}), PLAIN, {}).source
        is SpeakerRule.FIRST_FOLDER
    )


@pytest.mark.parametrize("name", ["utt2spk", "speakers.csv"])
def test_a_list_in_the_folder_of_copies_is_offered_and_never_taken_unasked(tmp_path, name):
    dropped = vendors(tmp_path, copy="2025-03-2{n}_call_{n:02}")
    (tmp_path / "calls.csv").unlink()
    lines = [f"2025-03-2{n}_call_{n:02}{{}}agent{n // 5}\n" for n in range(1, 9)]
    head, mark = ("file,speaker\n", ",") if name.endswith("csv") else ("", " ")
    (tmp_path / "Vendor" / name).write_text(head + "".join(lines).format(*[mark] * 8))
    sexes = "".join(f"Agent {n} f\n" for n in (0, 1))
    (tmp_path / "Vendor" / "spk2gender").write_text(sexes)
    dropped = find_versions(dropped.paths)
    found = overview(dropped, PLAIN, {})

    assert [offer.speakers for offer in found.offers if offer.is_likely] == [2, 2]
    assert found.source is None
    assert found.lacking == ("Choose what says who speaks in a recording.",)
    mine = overview(dropped, replace(PLAIN, speakers=SpeakerRule.FIRST_FOLDER), {})
    assert mine.request.sex is None
    asked = replace(mine.choices, with_sex=True)
    assert overview(dropped, asked, {}).request.sex == tmp_path / "Vendor" / "spk2gender"
    (tmp_path / "Originals" / "spk2gender").write_text(sexes)
    again = overview(find_versions(dropped.paths), mine.choices, {})
    assert again.request.sex == tmp_path / "Originals" / "spk2gender"


def test_a_list_in_the_folder_of_copies_is_asked_about_where_nothing_else_says_who_speaks(tmp_path):
    for folder in ("original", "B2"):
        for n in range(4):
            write(tmp_path / folder / f"{n}.wav", tone(0.2))
    (tmp_path / "B2" / "utt2spk").write_text("0 a\n1 a\n2 b\n3 b\n")

    assert overview(find_versions([tmp_path]), PLAIN, {}).source is None
    (tmp_path / "B2" / "utt2spk").rename(tmp_path / "utt2spk")
    assert overview(find_versions([tmp_path]), PLAIN, {}).source == tmp_path / "utt2spk"


def test_a_list_that_contradicts_another_likely_way_is_asked_about(tmp_path):
    for name in ("p-1", "p-2", "q-3", "q-4"):
        write(tmp_path / f"{name}.wav", tone(0.2))
    (tmp_path / "utt2spk").write_text("p-1 anna\np-2 bert\nq-3 anna\nq-4 bert\n")

    assert overview(find_versions([tmp_path]), PLAIN, {}).source is None
    (tmp_path / "utt2spk").write_text("p-1 anna\np-2 bert\nq-3 anna\n")
    assert overview(find_versions([tmp_path]), PLAIN, {}).source is None
    (tmp_path / "utt2spk").write_text("p-1 anna\np-2 anna\nq-3 bert\nq-4 bert\n")
    assert overview(find_versions([tmp_path]), PLAIN, {}).source == tmp_path / "utt2spk"


def test_copies_whose_lengths_are_not_those_of_their_originals_are_pointed_out(tmp_path):
    right = vendors(tmp_path / "right")
    wrong = vendors(tmp_path / "wrong", copy="call_{n:02}_ANON")
    vendor = tmp_path / "wrong" / "Vendor"
    for n, other in zip(range(1, 9), (5, 1, 7, 3, 8, 2, 6, 4), strict=True):
        write(vendor / f"call_{n:02}_ANON.wav", tone(1.2 + 0.1 * other, hertz=300.0 + 10 * n))

    said = "Under Vendor long originals do not have long copies and short ones short copies."
    assert not any(one.startswith(said) for one in overview(right, PLAIN, looked_at(right)).sentences)
    assert any(one.startswith(said) for one in overview(wrong, PLAIN, looked_at(wrong)).sentences)


def test_a_folder_of_what_is_not_read_is_shown_and_told(tmp_path):
    for number in range(2):
        write(tmp_path / "original" / "a" / f"{number}.wav", tone(1.5))
        (tmp_path / "vendor").mkdir(exist_ok=True)
        (tmp_path / "vendor" / f"{number}.m4a").write_bytes(b"\0\0\0\x1cftypM4A " + bytes(64))
    dropped = find_versions([tmp_path / "original", tmp_path / "vendor"])
    found = overview(dropped, PLAIN, looked_at(dropped))

    assert [one.top.name for one in dropped.versions] == ["original", "vendor"]
    assert found.lacking[0].startswith(
        "vendor holds no recordings that ZEBRA can read. It holds 2 in formats"
    )
    assert found.sentences[0].startswith("2 recordings in vendor are in formats that ZEBRA does not read")


@pytest.mark.parametrize("how", ["vanish", "empty", "become text", "become a folder"])
def test_recordings_that_change_after_they_were_listed_are_told_and_left_out(tmp_path, how):
    """However many do so, before or after somebody has looked at them: the others are compared."""
    for number in range(14):
        for version in ("original", "V"):
            write(
                tmp_path / version / "ab"[number % 2] / f"{number:02}.wav",
                tone(1.5, hertz=200.0 + 9 * number),
            )
    dropped = find_versions([tmp_path / "original", tmp_path / "V"])
    versions = [one.folder.recordings for one in dropped.versions]
    gone = [one.path for one in versions[1][:4] + versions[1][7:11] + versions[0][5:7]]
    for path in gone:
        if how == "empty":
            path.write_bytes(b"")
        elif how == "become text":
            path.write_text("dear all")
        else:
            path.unlink()
            if how == "become a folder":
                path.mkdir()
    seen = looked_at(dropped)
    found = overview(dropped, PLAIN, seen)

    assert len(found.ids) == 4
    assert sum(bool(row.remark) for row in rows(found, seen)) >= 10
    assert any(one.startswith("2 more recordings cannot be heard: ") for one in found.sentences)
    assert compare_recordings(found.request).ids == found.ids


def test_copies_among_their_originals_are_told(tmp_path):
    for number in range(4):
        write(tmp_path / "calls" / f"call_{number}.wav", tone(0.2))
        write(tmp_path / "calls" / f"call_{number}_anon.wav", tone(0.2))
    found = overview(find_versions([tmp_path / "calls"]), PLAIN, {})

    assert found.request is None
    assert found.lacking[0].startswith("4 recordings are called like copies of others in the same folder")


def test_a_table_beside_folders_is_offered_and_one_that_was_dropped_is_taken(tmp_path):
    dropped = vendors(tmp_path, copy="x{n:02}y")
    lines = "".join(f"2025-03-2{n}_call_{n:02}.wav;x{n:02}y.wav\n" for n in range(1, 9))
    (tmp_path / "map.csv").write_text(lines)
    beside = overview(find_versions(dropped.paths), PLAIN, {})
    given = overview(find_versions([*dropped.paths, tmp_path / "map.csv"]), PLAIN, {})

    table = PairingTable(tmp_path / "map.csv")
    assert (beside.pairs["Vendor"][0].source, beside.chosen_pairs) == (table, {})
    assert given.chosen_pairs == {"Vendor": table}


def test_attacking_is_told_in_recordings_that_could_be_heard_meanwhile():
    expected = ExpectedWork(recordings=60, trials=870, hearing_s=30.0, attacking_s=10.0)

    assert expected.share_of_hearing == pytest.approx(0.75)
    assert expected.attacking_as_recordings == pytest.approx(20.0)


def test_assessing_comes_after_the_scores_and_is_told_in_recordings_as_well():
    expected = ExpectedWork(recordings=60, trials=870, hearing_s=30.0, attacking_s=10.0, assessing_s=10.0)

    assert expected.share_of_scores == pytest.approx(0.8)
    assert expected.assessing_as_recordings == pytest.approx(20.0)


def test_keys_scores_and_similarity_lists_have_their_share_of_attacking():
    attacks = attacks_on(["b2"], AttackerChoice.COSINE)
    steps = of_steps(attacks, {"oo": 1e6, "oa": 2e6, "aa": 1e6}, 4e6, 300, in_folds=True)

    assert list(steps) == pytest.approx([3.6, 0.9, 2.0, 1.8, 4.0, 0.9, 2.0, 11.6])


def test_every_file_and_every_trial_is_read_again_to_be_assessed():
    attacks = attacks_on(["b2"], AttackerChoice.COSINE)

    assert of_assessing(attacks, {"oo": 1e6, "oa": 2e6, "aa": 1e6}, 4e6) == pytest.approx(4 * 0.014 + 8.0)


def test_hearing_takes_as_long_as_there_is_speech_on_all_threads(monkeypatch):
    monkeypatch.setattr("zebra_core.recordings.overview.threads_for", lambda _count: 2)

    assert of_hearing(100, 500.0) == pytest.approx((100 * 0.02 + 500.0 * 0.027) / 2)  # 7.75 s


@pytest.mark.parametrize(
    ("kind", "adapted", "safeguard", "in_folds", "seconds"),
    [
        pytest.param(BackEndKind.COSINE, False, "", True, 0.09, id="trials alone: 100 000 times 0.9 µs"),
        pytest.param(BackEndKind.CENTRED, True, "b2", True, 0.09, id="means are learnt in no time"),
        pytest.param(
            BackEndKind.WITHIN, False, "", True, 0.09 + 45 * (0.015 + 1.5e-7 * 5 * 120**2), id="45 back ends"
        ),
        pytest.param(BackEndKind.WITHIN, False, "b2", True, 0.09, id="learnt from originals before"),
        pytest.param(
            BackEndKind.WITHIN,
            True,
            "b2",
            False,
            0.09 + 0.015 + 1.5e-7 * 5 * 150**2,
            id="from other speakers",
        ),
    ],
)
def test_attacks_that_learn_take_longest(kind, adapted, safeguard, in_folds, seconds):
    attack = Attack(safeguard, bool(safeguard), bool(safeguard), adapted, kind)

    assert of_attack(attack, 100_000, 300, in_folds=in_folds) == pytest.approx(seconds)


def test_more_recordings_than_shrinkage_is_judged_on_take_no_longer():
    attack = Attack("", False, False, False, BackEndKind.WITHIN)

    assert of_attack(attack, 0, 3_000, in_folds=True) == of_attack(attack, 0, 9_000, in_folds=True)


def test_seconds_are_those_that_recordings_say_of_themselves(tmp_path):
    write(tmp_path / "a.wav", tone(1.0))
    write(tmp_path / "b.wav", tone(2.0))
    whole = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "c.wav").write_bytes(whole[:20])  # says nothing, and counts as the others

    assert seconds_of(look_into(tmp_path).recordings) == pytest.approx(4.5)
