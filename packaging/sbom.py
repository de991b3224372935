"""The list of components in the bundle, as CycloneDX 1.6 in JSON."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from typing import Any, Protocol

_EXPRESSION = re.compile(r"\(?[A-Za-z0-9.+-]+\)?( (AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*")
_NAMESPACE = uuid.UUID("9e2f7200-cf5e-44bf-8beb-4549dd283539")  # of our serial numbers, made once at random


class Part(Protocol):
    """What is needed of a part; see zebra_core.installation.licences."""

    name: str
    version: str
    licence: str
    home: str
    purl: str


def document(parts: Sequence[Part], version: str, commit: str, date: str) -> dict[str, Any]:
    """The document; the same parts, version, commit and date (ISO 8601, UTC) give the same bytes."""
    serial = uuid.uuid5(_NAMESPACE, "\n".join([commit, date, *(f"{p.name} {p.version}" for p in parts)]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": date,
            "component": {
                "type": "application",
                "bom-ref": "zebra",
                "name": "zebra",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "zebra:commit", "value": commit}],
            },
        },
        "components": [_component(part) for part in parts],
        "dependencies": [{"ref": "zebra", "dependsOn": [_reference(part) for part in parts]}],
    }


def as_text(document: dict[str, Any]) -> str:
    """The document as it is written to a file."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def problems(text: str) -> str:
    """What the published schema has against the document; "" where it has nothing."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    return str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) or "")


def _component(part: Part) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": _reference(part),
        "name": part.name,
        "version": part.version,
        "licenses": [_licence(part.licence)],
    }
    if part.purl:
        made["purl"] = part.purl
    if part.home.startswith("https://"):
        made["externalReferences"] = [{"type": "website", "url": part.home.split()[0]}]
    return made


def _licence(named: str) -> dict[str, Any]:
    if _EXPRESSION.fullmatch(named):
        return {"expression": named}
    return {"license": {"name": named}}


def _reference(part: Part) -> str:
    return part.purl or f"{part.name}@{part.version}"
