"""SVG from somebody else: plain pictures are drawn, and what would crash or stop whoever draws is refused."""

import base64

import pytest
import typst

from zebra_core.errors import InputError
from zebra_core.project.report_settings import Logo, refuse_unless_plain

RECT = '<rect fill="url(#a)" width="1" height="1"/>'


def of_svg(inside: str, said: str = "width='9' height='9'") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {said}>{inside}</svg>'.encode()


def nested(depth: int) -> bytes:
    return of_svg("<g>" * depth + RECT + "</g>" * depth)


GRADIENT = '<linearGradient id="b"><stop offset="0"/></linearGradient><linearGradient id="a" href="#b"/>'


@pytest.mark.parametrize(
    "content",
    [
        of_svg(GRADIENT + RECT * 1000),
        of_svg(f'<clipPath id="a"><rect width="1" height="1"/></clipPath><g clip-path="url(#a)">{RECT}</g>'),
        of_svg(f'<pattern id="a">{200 * "<g/>"}</pattern>{200 * RECT}'),
        of_svg("<text>ZEBRA</text>" * 100),
        nested(60),
        of_svg(f'<path id="p12345678" fill="#1e9999" d="M0 0{"A1e3 1e-9 0 0 0 9 9l1 1" * 400}"/>'),
    ],
    ids=["gradients", "clipped", "patterns", "texts", "sixty deep", "arcs"],
)
def test_what_logos_are_made_of_is_drawn(content: bytes) -> None:
    logo = Logo(content)
    files = {"main.typ": b'#image("logo.svg")', "logo.svg": logo.as_svg}
    assert typst.compile(files, ignore_system_fonts=True).startswith(b"%PDF")


@pytest.mark.parametrize(
    "content",
    [
        nested(20_000),  # ends the whole program, for whoever draws it goes as deep
        of_svg('<mask id="a" mask="url(#a)"><rect/></mask><rect mask="url(#a)"/>'),
        of_svg(f'<pattern id="a"><rect fill="url(#b)"/></pattern>{RECT}'),
        of_svg(f'<pattern id="a">{300 * "<g/>"}</pattern>{300 * RECT}'),
        of_svg('<marker id="a"/><path marker-mid="url(#a)" d="M0 0L1 1"/>'),
        of_svg('<filter id="a"/>'),
        of_svg(f"<text>{'a' * 2001}</text>"),
        of_svg(f"<text>{'<tspan>a</tspan>' * 200}</text>"),
        of_svg("<g/>" * 20_000),
        of_svg("".join(f'<linearGradient id="g{n}" href="#g{n + 1}"/>' for n in range(501))),
        b"<!DOCTYPE svg>" + of_svg(""),
        of_svg(f'<path d="M0 0{"A1e4 1e4 0 0 0 9 9" * 1000}"/>'),  # thirty times as many end the program
        of_svg(f'<path d="M0 0a{"1 1 0 009 9 " * 2000}"/>'),
        of_svg('<path stroke="red" stroke-width="1e9" d="M0 0C1e4 0 0 1e4 9 9"/>'),  # takes many seconds
        of_svg('<path style="stroke:#1e9;stroke-width:1000000" d="M0 0L9 9"/>'),
    ],
    ids=str.split(
        "deep mask-of-itself pattern-in-pattern bomb marker filter letters spans elements chain dtd "
        "arcs arcs-in-short broad styled"
    ),
)
def test_what_would_never_be_done_is_refused(content: bytes) -> None:
    with pytest.raises(InputError) as refused:
        refuse_unless_plain(content)
    assert refused.value.code == "logo-not-plain"


@pytest.mark.parametrize(
    "content",
    [
        of_svg("").decode().encode("utf-16"),
        b'<?xml version="1.0" encoding="cp037"?>' + of_svg("").decode().encode("cp037"),
        b"\xff" + of_svg(""),
    ],
)
def test_another_encoding_than_utf_8_hides_nothing(content: bytes) -> None:
    with pytest.raises(InputError) as refused:
        refuse_unless_plain(content)
    assert refused.value.code == "logo-not-readable"


def test_what_cannot_be_drawn_is_told_when_it_is_chosen_and_not_in_the_report() -> None:
    empty = of_svg(RECT, "width='0' height='0'")
    for make in (Logo, lambda content: Logo.from_json(base64.b64encode(content).decode())):
        with pytest.raises(InputError) as refused:
            make(empty)
        assert refused.value.code == "logo-not-readable"
