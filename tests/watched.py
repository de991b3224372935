"""Programs that are watched for every attempt to use a socket, and ended where one is to another computer."""

import json
import subprocess
import sys
from pathlib import Path

# Runs what follows and prints every attempt to use a socket, one a line.
WATCHED = """
import os, sys
def watch(event, arguments):
    if event.startswith("socket."):
        os.write(2, f"SOCKET {event} {arguments[1:]}\\n".encode())
sys.addaudithook(watch)
"""
# One command after the other: each arguments as JSON.
COMMAND_LINE = """
import json
from zebra_gui.cli import main
for arguments in sys.argv[1:]:
    try:
        main(json.loads(arguments))
    except SystemExit as end:
        if end.code:
            raise
"""
# What is printed is read by whoever started it.
INTO_A_FILE = """
sys.stdout = open(sys.argv.pop(1), "w", encoding="utf-8")
"""
# Draws as few replicates as are enough to go every way; verifying draws as many as the report says.
FEWER_DRAWS = """
from functools import partial
from zebra_core.project.comparison import difference_tests
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings
few = BootstrapSettings(replicates=FEWEST_REPLICATES)
difference_tests.with_certainty = partial(difference_tests.with_certainty, settings=few)
"""

NO_NETWORK = Path(__file__).with_name("no_network.py")


def run_watched(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """In a process that the system ends where anything in it opens a socket to another computer."""
    return subprocess.run(
        [sys.executable, NO_NETWORK, sys.executable, "-c", WATCHED + program, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=300,
    )


def sockets(program: str, *arguments: object) -> list[str]:
    """What the program tried."""
    done = run_watched(program, *arguments)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("SOCKET")]


def sockets_of_commands(out: Path, *commands: tuple[object, ...]) -> list[str]:
    """What these commands of zebra tried, one after the other; what they print goes into a file."""
    given = (json.dumps(each, default=str) for each in commands)
    return sockets(FEWER_DRAWS + INTO_A_FILE + COMMAND_LINE, out, *given)
