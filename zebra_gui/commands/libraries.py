"""What Qt needs on Linux and no wheel brings: libraries of the system, and a screen that answers.

Only the standard library is imported: packaging/system_packages.py asks before anything is installed.
"""

import os
import sys

# Package of Debian and Ubuntu -> the library.
QT = {
    "libegl1": "libEGL.so.1",
    "libgl1": "libGL.so.1",
    "libdbus-1-3": "libdbus-1.so.3",
    "libfontconfig1": "libfontconfig.so.1",
    "libglib2.0-0": "libglib-2.0.so.0",
    "libwayland-cursor0": "libwayland-cursor.so.0",
    "libxkbcommon0": "libxkbcommon.so.0",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-image0": "libxcb-image.so.0",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxcb-randr0": "libxcb-randr.so.0",
    "libxcb-render-util0": "libxcb-render-util.so.0",
    "libxcb-shape0": "libxcb-shape.so.0",
    "libxcb-xfixes0": "libxcb-xfixes.so.0",
}


def is_installed(library: str) -> bool:
    """Whether the system finds the library; elsewhere than on Linux Qt brings what it needs."""
    if sys.platform != "linux":
        return True
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing() -> list[str]:
    """The packages of the libraries that are not there. A bundle has its own, and is not asked."""
    if getattr(sys, "frozen", False):
        return []
    return [package for package, library in QT.items() if not is_installed(library)]


def silent_screens() -> list[str]:
    """The screens that the environment names, as "DISPLAY=:0", where not one of them takes a connection."""
    if sys.platform != "linux":
        return []
    takes = {"WAYLAND_DISPLAY": _wayland_takes, "DISPLAY": _x_takes}
    named = [name for name in takes if os.environ.get(name)]
    return [] if any(takes[name]() for name in named) else [f"{name}={os.environ[name]}" for name in named]


def _x_takes() -> bool:
    import ctypes

    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # for all we know
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))  # with whatever cookie Qt would show
    is_refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not is_refused


def _wayland_takes() -> bool:
    import ctypes

    try:
        wayland = ctypes.CDLL("libwayland-client.so.0")
    except OSError:
        return True
    wayland.wl_display_connect.restype = ctypes.c_void_p
    display = ctypes.c_void_p(wayland.wl_display_connect(None))
    if display.value is None:
        return False
    wayland.wl_display_disconnect(display)
    return True
