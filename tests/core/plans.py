"""What the tests of plans ask of one."""

from zebra_core.intake.planned import Plan


def asks_nothing(made: Plan) -> bool:
    """Whether there is something to assess, and everything can be without asking anybody."""
    return bool(made.planned) and not made.questions and not made.problems
