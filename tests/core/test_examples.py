"""The examples in the help of every public name: each can be pasted as it is, and comes to what it says."""

import doctest

import pytest

import zebra_core

PUBLIC = [name for name in zebra_core.__all__ if name != "__version__"]
_FINDER = doctest.DocTestFinder(exclude_empty=True)


def failures(examples):
    """What differs from what it says, in words of doctest; nothing is there but what an example imports."""
    told = []
    runner = doctest.DocTestRunner(verbose=False)
    for example in examples:
        runner.run(example, out=told.append)
    return "".join(told)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_help_of_a_public_name_has_an_example_that_is_true(name):
    examples = _FINDER.find(getattr(zebra_core, name), name, globs={})

    assert any(each.name == name and each.examples for each in examples)
    assert failures(examples) == ""


def test_the_example_of_the_package_is_true():
    assert failures(doctest.DocTestFinder(recurse=False).find(zebra_core, globs={})) == ""


def test_no_example_is_left_out():
    """One that is skipped, or is told not to mind its result, proves nothing."""
    examples = [each for name in PUBLIC for each in _FINDER.find(getattr(zebra_core, name), name, globs={})]
    assert [each.name for each in examples if any(one.options for one in each.examples)] == []


def test_an_example_that_is_wrong_is_shown():
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3", {}, "sum", None, None)
    assert "Expected:\n    3\nGot:\n    2" in failures([wrong])
