"""What is dropped: a few of the recordings that come along, cut short."""

import soundfile
from PySide6.QtCore import QElapsedTimer

import zebra_resources
from tests.zebra_gui.turning import turn_events

DEMO = zebra_resources.path("recordings")
SPEAKERS = ("3331", "2414", "1688")
_SECONDS = 1.6


def material(top, speakers=SPEAKERS):
    """Two recordings of each of these speakers, short, as originals and as copies."""
    for version in ("original", "B2"):
        for speaker in speakers:
            for path in sorted((DEMO / version / speaker).iterdir())[:2]:
                place = top / version / speaker / f"{path.stem}.wav"
                place.parent.mkdir(parents=True, exist_ok=True)
                samples, rate = soundfile.read(path, frames=int(16_000 * _SECONDS), start=8_000)
                soundfile.write(place, samples, rate)
    return top


def rest(window, until=lambda: True):
    """Until no job is under way, and this holds."""
    since = QElapsedTimer()
    since.start()
    queues = window.jobs, window.recordings.state.jobs
    while any(queue.waiting for queue in queues) or not until():
        assert since.elapsed() < 60_000
        turn_events(5)
