"""Fields for signatures: on the printed lines, else over blank paper; tagged before the first covers them."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import typst

from zebra_core.errors import InputError
from zebra_core.figures.fonts import fonts_folder
from zebra_core.figures.lettering import FAMILY, in_inter
from zebra_core.report.printed_pages import INK, PPI, SEEN, Box, PrintedPage, pages_of
from zebra_core.wording.texts import ENGLISH, language_for, moment, say, speaking, visible

FIELD = "ZEBRA-signature-"
MOST_FIELDS = 8
_PREFIXES = {
    "xmpTPg": "http://ns.adobe.com/xap/1.0/t/pg/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "stEvt": "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#",
}
_MOST_SEEN = 4  # of these lie over blank paper, the others have no size
_FIRST_PAGES = 12  # before the first section, after the answer
_LINE = 7.0  # points from the top of the words below a line to what stands on it
_GAP = 6.0  # points around a field
_MARGIN_X, _MARGIN_Y = 59.5, 66.0  # points of the page that stay free


@dataclass(frozen=True)
class Place:
    """Where a field lies: the page from 0, and its rectangle."""

    page: int
    box: Box


def with_fields(content: bytes, name: str, *, is_visible: bool) -> tuple[bytes, str]:
    """The PDF with our fields, which an update adds where there are none, and one that is empty.

    A visible signature takes a field on a printed line, or over blank paper. Raises InputError where there
    is none left.
    """
    try:
        content, empty = _with_fields(content, name)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("report-broken", file=name) from error
    fit = [field for field, has_room in empty.items() if has_room or not is_visible]
    if not fit:
        raise InputError("sign-no-room" if empty else "sign-no-field-left", file=name)
    return content, min(fit, key=lambda field: (empty[field] is not is_visible, field))


def _with_fields(content: bytes, name: str) -> tuple[bytes, dict[str, bool]]:
    """The PDF with our fields, and the names of those that are empty: whether each has room."""
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign.fields import enumerate_sig_fields

    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    if writer.prev.encrypted:
        raise InputError("sign-encrypted", file=name)
    known = list(enumerate_sig_fields(writer.prev))
    if not any(field.startswith(FIELD) for field, _, _ in known):
        if any(value is not None for _, value, _ in known):
            raise InputError("sign-foreign", file=name)
        content = fields_added(content, name)
        known = list(enumerate_sig_fields(IncrementalPdfFileWriter(io.BytesIO(content)).prev))
    return content, {
        field: _has_room(found) for field, value, found in known if field.startswith(FIELD) and value is None
    }


def fields_added(content: bytes, name: str) -> bytes:
    """The PDF with our fields, all of them empty, as an update at its end. Raises InputError."""
    writer = update_of(content)
    with speaking(language_of(content)):
        lines = printed_lines(content, name)
        with closing(pages_of(content, name, (SEEN,), backwards=True)) as printed:
            last = next(printed)
            places = [*lines, *free_places(chain((last,), printed))][: max(_MOST_SEEN, len(lines))]
        _add_fields(writer, places, last.number)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def update_of(content: bytes) -> Any:
    """What writes an update of a PDF: the same bytes in every process, whatever was loaded into it before."""
    from lxml.etree import register_namespace
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    # The prefixes of namespaces in the description of a file are those that a whole process agrees on.
    for prefix, namespace in _PREFIXES.items():
        register_namespace(prefix, namespace)
    return IncrementalPdfFileWriter(io.BytesIO(content))


def language_of(content: bytes) -> str:
    """The language of a PDF, as far as there are texts in it; else English."""
    from pyhanko.pdf_utils.reader import PdfFileReader

    return language_for(str(PdfFileReader(io.BytesIO(content)).root.get("/Lang", ""))) or ENGLISH


def _has_room(reference: Any) -> bool:
    left, bottom, right, top = (float(value) for value in reference.get_object()["/Rect"])
    return right > left and top > bottom


def printed_lines(content: bytes, name: str) -> list[Place]:
    """Where the report has lines to sign on, of which there are none in a summary; in the PDF's language.

    A line is known by the words below it: place and date at the margin, beside them the signature.
    """
    date, signature = (say(f"front.{code}").split()[0] for code in ("place-date", "signature"))
    places: list[Place] = []
    with closing(pages_of(content, name)) as printed:
        for page in islice(printed, _FIRST_PAGES):
            dated = [
                one.box.bottom for one in page.words if one.text == date and one.box.left < _MARGIN_X + 2.0
            ]
            for word in page.words:
                left, bottom, _, top = word.box
                is_beside = left > page.size[0] / 2 and any(abs(bottom - at) < 2.0 for at in dated)
                if is_beside and word.text.startswith(signature):
                    foot = round(top + _LINE, 1)
                    place = Box(left, foot, round(left + WIDTH, 1), round(foot + HEIGHT, 1))
                    places.append(Place(page.number, place))
    return places[:MOST_FIELDS]


def free_places(printed: Iterable[PrintedPage]) -> list[Place]:
    """Where fields can lie over blank paper, two in a row; pages come from the last one backwards."""
    places: list[Place] = []
    for page in printed:
        width, height = page.size
        scale = PPI / 72.0
        is_blank = np.atleast_1d(~(page.drawn[0] < INK).any(axis=(1, 2)))
        is_blank[: int(_MARGIN_Y * scale)] = False
        is_blank[-int(_MARGIN_Y * scale) :] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[0], is_blank.astype(int), [0]])))
        half = (width - 2 * _MARGIN_X - _GAP) / 2
        for top, bottom in zip(edges[::2] / scale, edges[1::2] / scale, strict=True):
            upper = top + _GAP
            while upper + HEIGHT + _GAP <= bottom and len(places) < _MOST_SEEN:
                for left in (_MARGIN_X, _MARGIN_X + half + _GAP):
                    box = Box(left, height - upper - HEIGHT, left + half, height - upper)
                    places.append(Place(page.number, Box(*(round(float(value), 1) for value in box))))
                upper += HEIGHT + _GAP
        if len(places) >= 2:
            break
    return places[:_MOST_SEEN]


def _add_fields(writer: Any, places: Sequence[Place], last_page: int) -> None:
    """Empty fields, each with an appearance, a name to be read out, and its element among the tags.

    Those that have no place are on the last page, without a size.
    """
    from pyhanko.pdf_utils import generic
    from pyhanko.sign.fields import InvisSigSettings, SigFieldSpec, append_signature_field

    pdf = generic.pdf_name
    unseen = InvisSigSettings(set_print_flag=True, set_hidden_flag=False)
    for number in range(1, MOST_FIELDS + 1):
        place = places[number - 1] if number <= len(places) else None
        page, box = (place.page, place.box) if place else (last_page, None)
        at: Any = box  # fractions of points, whatever its annotation says
        append_signature_field(writer, SigFieldSpec(f"{FIELD}{number}", page, at, invis_sig_settings=unseen))
    ours = {f"{FIELD}{number}" for number in range(1, MOST_FIELDS + 1)}
    fields = writer.root["/AcroForm"]["/Fields"]
    for number, reference in enumerate(
        (one for one in fields if one.get_object().get("/T") in ours), start=1
    ):
        field = reference.get_object()
        field[pdf("/AP")] = _dictionary({pdf("/N"): writer.add_object(_blank(field["/Rect"]))})
        field[pdf("/TU")] = generic.pdf_string(say("sign.field", number=number))
        _tag(writer, reference, field)
        writer.update_container(field)
    for page in {last_page, *(place.page for place in places)}:
        found, _ = writer.find_page_for_modification(page)
        values = found.get_object()
        values[pdf("/Tabs")] = pdf("/S")
        writer.update_container(values)


def _blank(box: Any) -> Any:
    """What a field looks like before it is signed: PDF/A asks for something, and this is nothing."""
    from pyhanko.pdf_utils import generic

    pdf = generic.pdf_name
    left, bottom, right, top = (float(value) for value in box)
    size = [_number(0), _number(0), _fraction(right - left), _fraction(top - bottom)]
    kind = {pdf("/Type"): pdf("/XObject"), pdf("/Subtype"): pdf("/Form")}
    values = {**kind, pdf("/BBox"): generic.ArrayObject(size), pdf("/Resources"): _dictionary({})}
    return generic.StreamObject(dict_data=values, stream_data=b"")


def _tag(writer: Any, reference: Any, field: Any) -> None:
    """A Form element for the field at the end of the document's tags; without tags there is none."""
    from pyhanko.pdf_utils import generic

    pdf = generic.pdf_name
    if "/StructTreeRoot" not in writer.root:
        return
    root = writer.root["/StructTreeRoot"]
    parent = root.raw_get("/K")
    if not isinstance(parent, generic.IndirectObject) or isinstance(root["/K"], generic.ArrayObject):
        parent = root["/K"].raw_get(0)
    document = parent.get_object()
    key = int(root.get("/ParentTreeNextKey", 0)) or _next_key(root["/ParentTree"])
    item = _dictionary({pdf("/Type"): pdf("/OBJR"), pdf("/Obj"): reference})
    element = _dictionary(
        {
            pdf("/Type"): pdf("/StructElem"),
            pdf("/S"): pdf("/Form"),
            pdf("/P"): parent,
            pdf("/Pg"): field.raw_get("/P"),
            pdf("/K"): item,
            pdf("/Alt"): field["/TU"],
        }
    )
    added = writer.add_object(element)
    kids = document["/K"]
    if not isinstance(kids, generic.ArrayObject):
        kids = generic.ArrayObject([document.raw_get("/K")])
        document[pdf("/K")] = kids
    kids.append(added)
    writer.update_container(document)
    writer.update_container(kids)
    _append(writer, root["/ParentTree"], key, added)
    root[pdf("/ParentTreeNextKey")] = _number(key + 1)
    writer.update_container(root)
    field[pdf("/StructParent")] = _number(key)


def _next_key(tree: Any) -> int:
    """One more than the greatest key of a number tree."""
    keys = [int(key) for key in tree.get("/Nums", [])[::2]]
    keys += [_next_key(kid.get_object()) - 1 for kid in tree.get("/Kids", [])]
    return max(keys, default=-1) + 1


def _append(writer: Any, tree: Any, key: int, value: Any) -> None:
    """A number tree with a key that is greater than all of its own."""
    from pyhanko.pdf_utils import generic

    pdf = generic.pdf_name
    if "/Limits" in tree:
        tree["/Limits"][1] = _number(key)
    if "/Kids" in tree:
        _append(writer, tree["/Kids"][-1].get_object(), key, value)
    else:
        nums = tree.setdefault(pdf("/Nums"), generic.ArrayObject())
        nums += [_number(key), value]
        writer.update_container(nums)
    writer.update_container(tree)


def _dictionary(values: Any) -> Any:
    from pyhanko.pdf_utils import generic

    return generic.DictionaryObject(values)  # type: ignore[no-untyped-call]


def _number(value: int) -> Any:
    from pyhanko.pdf_utils import generic

    return generic.NumberObject(value)  # type: ignore[no-untyped-call]


def _fraction(value: float) -> Any:
    from pyhanko.pdf_utils import generic

    return generic.FloatObject(f"{value:.1f}")  # type: ignore[no-untyped-call]


# What a visible signature looks like on paper: who signed, when and why, as a small page in our own font.


WIDTH, HEIGHT = 226, 34  # points
_LONGEST = 70  # characters of a line

_TEMPLATE = b"""
#let data = json("mark.json")
#set page(width: data.width * 1pt, height: data.height * 1pt, margin: (x: 4pt, y: 2pt))
#set text(font: data.font, fallback: false, size: 6.2pt, fill: rgb("#14181f"))
#set par(leading: 0.45em)
#if data.lines.len() > 0 {
  // Its stroke as a whole within the page, so that all edges are as thick.
  place(top + left, dx: -3.5pt, dy: -1.5pt, rect(
    width: (data.width - 1) * 1pt, height: (data.height - 1) * 1pt,
    radius: 1.5pt, stroke: 0.5pt + rgb("#4a5361"),
  ))
  pdf.artifact(align(horizon, stack(spacing: 2pt, ..data.lines.map(line => text(line)))))
}
"""


def mark_pdf(who: str, when: dt.datetime, reason: str, *, is_self_made: bool = False) -> bytes:
    """A page of the size of a field; without a name it is blank."""
    lines = []
    if who:
        lines.append(_fitted(say("sign.by", name=who)))
        lines += [say("sign.self-made")] if is_self_made else []
        lines.append(say("sign.when", when=moment(when)))
        lines += [_fitted(say("sign.why", reason=reason))] if reason else []
    values = {"font": FAMILY, "width": WIDTH, "height": HEIGHT, "lines": lines}
    files = {"main.typ": _TEMPLATE, "mark.json": json.dumps(values).encode("ascii")}
    # As in pdf.py: the binding's annotations forget files in memory.
    made = typst.compile(  # type: ignore[call-overload]
        files, font_paths=[str(fonts_folder())], ignore_system_fonts=True, format="pdf", timestamp=when
    )
    return bytes(made)


def _fitted(text: str) -> str:
    """The beginning of a text, as long as a line of a field, in letters that the font has."""
    return in_inter(visible(text, _LONGEST))
