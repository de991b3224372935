"""Whoever attacks by words: by hand, by a slow version, where words tell, and where they tell nothing."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest

from zebra_core.attackers.fusion import fold_of_each
from zebra_core.attackers.words import Texts, ngrams, word_scores
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.error_rates import eer
from zebra_core.wording.spoken import normalised

SIDES = {"a": ("a ", " a", " a "), "b": ("b ", " b", " b ")}


def texts(*said, fold):
    return Texts(said, np.full(len(said), fold))


def scored(enrol, test, *learnt):
    """The score of one trial, whose speakers are in folds 0 and 1, by what was learnt in fold 2."""
    one = np.zeros((1, 2), dtype=np.int64)
    return float(word_scores(texts(enrol, fold=0), texts(test, fold=1), one, texts(*learnt, fold=2)).item())


def test_ngrams_are_runs_within_words_and_a_word_that_is_shorter_counts_whole_and_once():
    of_to = {" t", "to", "o ", " to", "to ", " to "}

    assert ngrams("To, to!") == dict.fromkeys(of_to, 2)
    assert ngrams("a") == {" a": 1, "a ": 1, " a ": 1}
    assert set(ngrams("ＴＯ")) == of_to  # compatibility forms, as for word errors
    assert not ngrams(" … ")


def test_what_is_expected_of_a_text_of_its_length_does_not_count_by_hand():
    """“a b” is learnt from: each n-gram is a sixth of it and has the idf ln(2/2) + 1 = 1.

    “a” has 3 n-grams: of each of its own 1 − 3/6, of each of b 0 − 3/6. “a a b” has 9: 2 − 9/6 and 1 − 9/6,
    which is the same; “b” is the contrary; and “a b” is as expected, which says nothing.
    """
    assert scored("a", "a a b", "a b") == 1.0
    assert scored("a", "b", "a b") == -1.0
    assert scored("a", "b a", "a b") == 0.0


def test_what_nobody_else_says_counts_most_by_hand():
    """“a c” has 6 n-grams: of a 1 − 1, of b 0 − 1, and c, in none of one text: idf ln(2/1) + 1."""
    assert scored("a", "a c", "a b") == pytest.approx(1 / sqrt(2 * (1 + (1 + log(2)) ** 2)), abs=1e-12)


def test_equal_texts_score_one_and_a_text_without_words_scores_nothing():
    assert scored("it's the same", "It’s — the SAME", "what others said", "or did not say") == 1.0
    assert scored("", "…", "what others said") == scored("word", "", "others") == 0.0
    assert scored("a word", "a word") == 1.0  # where nobody else said anything


def slowly(enrol, test, pairs, learnt):
    """The same from the formula, n-gram by n-gram."""

    def grams(text):
        found = Counter()
        for word in normalised(text).split():
            padded, n = f" {word} ", 2
            while n <= min(4, len(padded)):
                found.update(padded[k : k + n] for k in range(len(padded) - n + 1))
                n += 1
        return found

    scores = []
    for left, right in pairs:
        first, second = enrol.fold[left], test.fold[right]
        apart = {
            first,
            (first + 1) % (max(enrol.fold.max(), test.fold.max()) + 1) if first == second else second,
        }
        known = [
            grams(text) for text, fold in zip(learnt.texts, learnt.fold, strict=True) if fold not in apart
        ]
        total, seen = Counter(), Counter()
        for one in known:
            total.update(one)
            seen.update(set(one))

        def weights(text, total=total, seen=seen, known=known):
            n, of = len(known), grams(text)
            length, everything = sum(of.values()), sum(total.values())
            return {
                gram: (of[gram] - length * total[gram] / everything) * (log((1 + n) / (1 + seen[gram])) + 1)
                for gram in {*of, *total}
            }

        a, b = weights(enrol.texts[left]), weights(test.texts[right])
        sizes = (sqrt(sum(x * x for x in side.values())) for side in (a, b))
        scores.append(sum(a[gram] * b.get(gram, 0.0) for gram in a) / np.prod([*sizes]))
    return np.array(scores)


def made(seed, *, speakers=20, each=6, own=0.0, length=lambda _who, _draw: 10):
    """Texts of words that some say more often than others; each speaker says words of their own as often."""
    draw = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnoprstu"))
    words = ["".join(draw.choice(letters, draw.integers(2, 9))) for _ in range(400)]
    favourites = draw.integers(0, len(words), (speakers, 8))
    people = np.repeat(np.arange(speakers), each if np.ndim(each) else [each] * speakers)

    def said(who):
        usual = [int(len(words) * place**3) for place in draw.random(length(who, draw))]
        return " ".join(
            words[favourites[who, draw.integers(8)] if draw.random() < own else one] for one in usual
        )

    fold = fold_of_each([f"{seed}-{who}" for who in range(speakers)])
    return Texts([said(who) for who in people], fold[people]), people


def every_pair(people):
    return np.stack(np.triu_indices(len(people), 1), axis=1)


def error_rate(seed, **how):
    said, people = made(seed, **how)
    pairs = every_pair(people)
    scores = word_scores(said, said, pairs, said)
    return eer(ScoreCounts.of(scores, people[pairs[:, 0]] == people[pairs[:, 1]]))


def test_scores_are_those_of_the_formula_whatever_else_is_compared():
    said, people = made(3, own=0.2)
    heard, _ = made(4)
    pairs = np.random.default_rng(1).permutation(every_pair(people))[:60]
    scores = word_scores(said, heard, pairs, said)

    assert scores == pytest.approx(slowly(said, heard, pairs, said), abs=1e-11)
    assert word_scores(said, heard, pairs[::-1], said)[::-1].tobytes() == scores.tobytes()


def test_whoever_speaks_in_a_trial_is_not_learnt_from():
    enrol, test = texts("ab cd", fold=0), texts("ab ef", fold=1)
    pair = np.zeros((1, 2), dtype=np.int64)

    def with_words_of(fold):
        learnt = Texts(["gh ij", "ab ab ab"], np.array([2, fold]))
        return float(word_scores(enrol, test, pair, learnt).item())

    assert with_words_of(0) == with_words_of(1) != with_words_of(3)


def test_where_only_words_tell_people_are_found_by_them():
    assert np.mean([error_rate(seed, own=0.4) for seed in range(5)]) < 0.2


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"each": [3, 9] * 10},  # who speaks often and who seldom
        {"length": lambda who, _draw: 5 + 2 * who},  # who says little and who says much
        {"length": lambda _who, draw: 3 + draw.integers(20)},
        {"speakers": 8, "each": 10},  # fewer than folds
    ],
)
def test_who_cannot_be_told_by_words_is_not_told(how):
    """The mean EER of 20 sets without identity, ± 0.003: nothing leaks by folds or by how much people say."""
    rates = [error_rate(seed, **how) for seed in range(20)]

    assert 0.49 <= np.mean(rates) <= 0.51
