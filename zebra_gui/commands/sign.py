"""`zebra sign` and `zebra certificate`: a signature on a report, and what it can be tried with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from zebra_core.report.certificates import make_trial, read_key, read_passphrase, told_of
from zebra_core.wording.texts import after_name, say, visible
from zebra_gui.commands.options import INPUT, out_option, overwrite_option, passphrase_option
from zebra_gui.commands.terminal import one_sentence, progress_bar


@click.command(help=say("cli.sign"))
@click.argument("report", metavar="REPORT.pdf", type=INPUT)
@click.option(
    "--certificate",
    required=True,
    metavar="FILE.p12",
    type=INPUT,
    help=say("cli.sign-certificate"),
)
@passphrase_option
@click.option("--visible", "is_visible", is_flag=True, help=say("cli.sign-visible"))
@click.option("--reason", default="", metavar="TEXT", help=say("cli.sign-reason"))
@click.option("--replaces", metavar="SIGNED.pdf", type=INPUT, help=say("cli.sign-replaces"))
@out_option("OUT.pdf", "cli.sign-out")
@overwrite_option
@one_sentence
def sign(
    report: Path,
    certificate: Path,
    passphrase_file: Path | None,
    is_visible: bool,
    reason: str,
    replaces: Path | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Write a signed copy of a report."""
    from zebra_core.report.attachment import read_evidence
    from zebra_core.report.signing import sign_report

    key = read_key(certificate, _passphrase(passphrase_file))
    how: dict[str, Any] = {"is_visible": is_visible, "reason": reason, "replaces": replaces}
    with progress_bar(say("cli.signing", file=report.name)) as progress:
        path = sign_report(report, out, key, overwrite=overwrite, on_progress=progress, **how)
    click.echo(path)
    click.echo(say("cli.signed-by", name=visible(told_of(key.certificate), 200)), err=True)
    if read_evidence(report).is_draft:
        click.echo(say("sign.draft"), err=True)


@click.command("certificate", help=say("cli.certificate"))
@click.argument("name", metavar="NAME")
@passphrase_option
@out_option("FILE.p12", "cli.certificate-out")
@overwrite_option
@one_sentence
def certificate_for_trials(name: str, passphrase_file: Path | None, out: Path, overwrite: bool) -> None:
    """Write a self-made certificate with its key, and beside it the certificate alone."""
    alone = make_trial(name, out, _passphrase(passphrase_file, is_new=True), overwrite=overwrite)
    click.echo(out)
    click.echo(alone)


def _passphrase(path: Path | None, *, is_new: bool = False) -> str:
    """From the file, or asked for without showing it; it is never an argument, which others could see."""
    if path is not None:
        return read_passphrase(path)
    return str(
        click.prompt(
            say("cli.passphrase"), hide_input=True, default="", show_default=False, err=True,
            confirmation_prompt=is_new, prompt_suffix=after_name(""),
        )
    )  # fmt: skip
