"""`zebra utility`: word errors against jiwer and by hand, ratings, speakers, and what is refused."""

import json

import jiwer
import pytest

from tests.zebra_gui.test_cli import zebra as run_zebra

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
SPEAKERS = 24


def zebra(*arguments):
    return run_zebra("utility", *map(str, arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Of 24 speakers two utterances of eight words each: of the n-th, n % 3 words are changed in both."""
    top = tmp_path_factory.mktemp("utility")
    said, heard, who, rated = [], [], [], []
    for speaker in range(SPEAKERS):
        for utterance in range(2):
            name = f"s{speaker:02}-{utterance}"
            wrong = [f"x{word}" if n < speaker % 3 else word for n, word in enumerate(WORDS)]
            said.append(f"{name} {' '.join(WORDS).upper()}\n")
            heard.append(f"{name} {' '.join(wrong)}\n")
            who.append(f"{name} s{speaker:02}\n")
            rated.append(f"l1 {name} {8 + speaker % 3} clean\nl1 {name} {3 + speaker % 3} protected\n")
    for name, lines in {"text": said, "heard": heard, "utt2spk": who, "ratings": rated}.items():
        (top / name).write_text("".join(lines))
    return top


def test_the_rate_is_a_fraction_that_follows_from_the_rule_and_from_jiwer(folder):
    found = json.loads(
        zebra("--reference", folder / "text", "--hypothesis", folder / "heard", "--json").stdout
    )
    said, heard = (
        [line.split(maxsplit=1)[1].lower() for line in (folder / name).read_text().splitlines()]
        for name in ("text", "heard")
    )

    assert found["wer"] == (0 + 1 + 2) / 3 / 8 == pytest.approx(jiwer.wer(said, heard))
    assert (found["substitutions"], found["deletions"], found["insertions"]) == (48, 0, 0)
    assert (found["utterances"], found["reference_words"], found["speakers"]) == (48, 384, 24)
    low, high = found["intervals"]["wer"]
    # The standard error of 24 speakers whose rates are 0, 1/8 and 2/8 is 0.0213; Student's t is 2.07.
    assert (low, high) == pytest.approx((0.125 - 0.0441, 0.125 + 0.0441), abs=0.006)
    assert found["ratings"] is None


def test_the_rate_of_chinese_is_called_that_of_characters_wherever_it_stands(tmp_path):
    (tmp_path / "ref").write_text("u1 我们今天去学校\nu2 你好世界\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("u1 我们今天去雪校\nu2 你好世界\n", encoding="utf-8")
    given = ("--reference", tmp_path / "ref", "--hypothesis", tmp_path / "hyp")
    done = zebra(*given)
    assert done.stdout.startswith("Character error rate: 9.09 %\n")
    assert "11 characters in 2 utterances" in done.stdout
    assert "not a word error rate" in done.stderr
    assert done.stderr.count("was read as: lines of an id and words.") == 2
    found = json.loads(zebra(*given, "--json").stdout)
    assert (found["wer"], found["cer"], found["reference_words"]) == (None, 1 / 11, None)
    assert (found["reference_characters"], found["intervals"]) == (11, {"cer": None})


def test_predicted_ratings_of_two_files_and_their_scale(tmp_path):
    (tmp_path / "nisqa.csv").write_text("deg,mos_pred\nu1_anon.wav,3.1\nu2_anon.wav,2.9\n")
    (tmp_path / "clean.csv").write_text("deg,mos_pred\nu1.wav,4.5\nu2.wav,4.25\n")
    given = (
        "--ratings",
        tmp_path / "nisqa.csv",
        "--clean",
        tmp_path / "clean.csv",
        "--question",
        "naturalness",
    )
    done = zebra(*given)
    assert done.stdout.startswith("Ratings of naturalness, from 1 to 5\n  unprotected speech: 4.38")
    assert "No rating is above 5" in done.stderr
    assert "they are means or were predicted" in done.stderr
    found = json.loads(zebra(*given, "--scale", "10", "--json").stdout)["ratings"]
    assert (found["highest"], found["values"]) == (10, [2.9, 3.1, 4.25, 4.5])
    assert zebra("--clean", tmp_path / "clean.csv", "--question", "naturalness").exit_code == 2


def test_ratings_have_means_and_rates_with_intervals(folder):
    done = zebra(
        "--ratings",
        folder / "ratings",
        "--question",
        "naturalness",
        "--speakers",
        folder / "utt2spk",
        "--json",
    )
    found = json.loads(done.stdout)

    assert found["wer"] is None
    rated = found["ratings"]
    assert (rated["upper_mean"], rated["lower_mean"], rated["eer"], rated["speakers"]) == (9.0, 4.0, 0.0, 24)
    assert rated["upper"] == [0] * 7 + [16] * 3
    assert rated["intervals"]["eer"] is None
    assert rated["intervals"]["lower_mean"] == pytest.approx([4.0 - 0.353, 4.0 + 0.353], abs=0.05)
    [remark] = found["remarks"]
    assert remark.startswith("A figure that is the same however the speakers are drawn has no interval.")


def test_what_is_printed(folder):
    done = zebra(
        *("--reference", folder / "text", "--hypothesis", folder / "heard", "--bootstrap", 100),
        *("--ratings", folder / "ratings", "--question", "naturalness"),
    )
    lines = done.stdout.splitlines()

    assert lines[0].startswith("Word error rate: 12.50 %, between ")
    assert lines[1] == "  48 substituted, 0 deleted, 0 inserted; 384 words in 48 utterances"
    assert lines[2] == "Ratings of naturalness, from 1 to 10"
    assert lines[3].startswith("  unprotected speech: 9.00 on average over 48 ratings, between ")
    assert lines[5:] == [
        "  equal error rate of the listeners: 0.00 %",
        "Intervals at 95 %: 24 speakers were drawn 100 times.",
    ]


def test_a_rule_tells_the_speakers_and_ids_that_are_speakers_are_they(folder, tmp_path):
    ratings = tmp_path / "ratings"
    lines = [f"s{a:02} s{b:02}-0 {9 if a == b else 2 + a} {'target' if a == b else 'nontarget'}\n"
             for a in range(4) for b in range(4)]  # fmt: skip
    ratings.write_text("".join(lines))
    by_rule = zebra("--ratings", ratings, "--question", "similarity", "--speakers", "before-hyphen", "--json")

    assert json.loads(by_rule.stdout)["ratings"]["speakers"] == 4
    unsaid = zebra("--ratings", ratings, "--question", "similarity", "--json")
    assert json.loads(unsaid.stdout)["ratings"]["intervals"] == {
        "upper_mean": None, "lower_mean": None, "eer": None,
    }  # fmt: skip
    assert "Nobody has said who speaks" in unsaid.stderr


def test_speakers_that_nobody_knows_and_too_few_of_them_leave_no_interval(folder, tmp_path):
    (tmp_path / "who").write_text("".join(f"s{n:02}-0 s{n:02}\n" for n in range(24)))
    given = ("--reference", folder / "text", "--hypothesis", folder / "heard", "--speakers")

    assert "the speakers of 24 lines are not known" in zebra(*given, tmp_path / "who").stderr
    (tmp_path / "few").write_text("".join(f"s{n:02}-{u} s{n % 2}\n" for n in range(24) for u in range(2)))
    done = zebra(*given, tmp_path / "few")
    assert "they need at least 3 speakers, and there are only 2" in done.stderr
    assert done.stdout.startswith("Word error rate: 12.50 %\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give --reference with --hypothesis, --emotions with --predictions, or --ratings"),
        (("--reference", "text"), "Word errors need both"),
        (("--ratings", "ratings"), "Say what listeners were asked"),
    ],
)
def test_what_is_missing_is_said(arguments, sentence):
    done = zebra(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr


def emotion_files(folder):
    """Six people with eight recordings each; the sad ones of every second are not told."""
    rows = [(f"s{k}-{n}", f"s{k}", "neu" if n % 2 else "sad", k, n) for k in range(6) for n in range(8)]
    (folder / "utt2emo").write_text("".join(f"{name} {emotion}\n" for name, _, emotion, _, _ in rows))
    said = ((name, "neu" if k % 2 and n < 4 else emotion) for name, _, emotion, k, n in rows)
    (folder / "predicted").write_text("".join(f"{name} {emotion}\n" for name, emotion in said))
    (folder / "utt2spk").write_text("".join(f"{name} {who}\n" for name, who, *_ in rows))
    return ["--emotions", str(folder / "utt2emo"), "--predictions", str(folder / "predicted")]


def test_emotions_are_told_with_their_interval_over_speakers(tmp_path):
    """Of 24 sad recordings 18 are told, of 24 neutral ones all: 87.5 %, and guessing gives a half."""
    asked = emotion_files(tmp_path)
    ran = zebra(*asked, "--json")
    told = json.loads(ran.stdout)["emotions"]
    assert (told["uar"], told["chance"], told["speakers"], told["recordings"]) == (0.875, 0.5, 6, 48)
    assert told["emotions"] == {"neu": {"recordings": 24, "told": 24}, "sad": {"recordings": 24, "told": 18}}
    low, high = told["intervals"]["uar"]
    assert low < 0.875 < high
    said = zebra(*asked).stdout
    assert "Unweighted average recall of emotions: 87.50 %, between" in said
    assert "2 emotions in 48 recordings; guessing gives 50.00 %" in said
    assert "6 speakers were drawn" in said


def test_emotions_without_speakers_have_no_interval_and_halves_are_refused(tmp_path):
    asked = emotion_files(tmp_path)
    (tmp_path / "utt2spk").unlink()
    ran = zebra(*asked, "--json")
    assert json.loads(ran.stdout)["emotions"]["intervals"] == {"uar": None}
    assert "Nobody has said who speaks" in ran.stderr
    ran = zebra(*asked[:2])
    assert ran.exit_code == 2
    assert "Emotions need both --emotions and --predictions." in ran.output
