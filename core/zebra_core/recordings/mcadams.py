"""The McAdams safeguard of the VoicePrivacy evaluations (B2): the poles of the vocal tract are turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zebra_core.runtime.progress import Progress, no_progress

Signal = NDArray[np.float64]
"""Shape (n,), one channel."""

ORDER = 20  # poles, at any rate, as in the challenge
WINDOW_S, HOP_S = 0.02, 0.01
_TINY = float(np.finfo(np.float32).eps)  # the challenge adds it, so that silence has a spectrum
_EXHAUSTED = 1e-11  # of the energy of a frame; the rounding to 16 bits leaves more in any speech
_BLOCK = 2_048  # frames


def mcadams(signal: Signal, rate_hz: int, coefficient: float, on_progress: Progress = no_progress) -> Signal:
    """Speech with the angle θ of every pole moved to sign(θ)·|θ|^coefficient; as long as before.

    Linear prediction of order 20 (Burg) in frames of 20 ms every 10 ms, square-root Hann windows, overlap and
    add; no levelling and no rounding. All frames of a block are computed at once. What is shorter than a
    frame comes back as it is. Ref: Patino et al. 2021; anonymisation B2 of the VoicePrivacy Challenge 2024.
    """
    padded = np.asarray(signal, dtype=np.float64) + _TINY
    size, hop = int(WINDOW_S * rate_hz), int(HOP_S * rate_hz)
    if len(padded) < size:
        return np.asarray(signal, dtype=np.float64).copy()
    window = np.hanning(size)
    window = np.sqrt(window / (window.sum() / hop))
    count = 1 + (len(padded) - size) // hop
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]
    found = np.zeros(len(padded))
    for start in range(0, count, _BLOCK):
        on_progress(start / count)
        turned = _turned(frames[start : start + _BLOCK] * window, coefficient) * window
        for number, frame in enumerate(turned, start):
            found[number * hop : number * hop + size] += frame
    return found


def _turned(frames: Signal, coefficient: float) -> Signal:
    """Each frame (row) through its inverse filter, and back through one with its poles turned."""
    predictor = burg(frames + _TINY, ORDER)
    residual = _filtered(frames, predictor)
    return _synthesised(residual, _with_turned_poles(predictor, coefficient))


def burg(frames: Signal, order: int) -> Signal:
    """The coefficients of linear prediction of each row by Burg's method, shape (rows, order + 1)."""
    found = np.zeros((len(frames), order + 1))
    found[:, 0] = 1.0
    forward, backward = frames[:, 1:].copy(), frames[:, :-1].copy()
    energy = (forward**2 + backward**2).sum(axis=1)
    exhausted = _EXHAUSTED * energy
    for n in range(order):
        reflection = -2.0 * (backward * forward).sum(axis=1) / (energy + np.finfo(np.float64).tiny)
        # Of a pure tone, or of digital silence, rounding is all that is left after a few steps.
        reflection = np.where(energy > exhausted, reflection.clip(-1.0, 1.0), 0.0)
        found[:, 1 : n + 2] = found[:, 1 : n + 2] + reflection[:, None] * found[:, n::-1]
        forward, backward = (
            forward + reflection[:, None] * backward,
            backward + reflection[:, None] * forward,
        )
        energy = (1.0 - reflection**2) * energy - backward[:, -1] ** 2 - forward[:, 0] ** 2
        forward, backward = forward[:, 1:], backward[:, :-1]
    return found


def _with_turned_poles(predictor: Signal, coefficient: float) -> Signal:
    order = predictor.shape[1] - 1
    companion = np.zeros((len(predictor), order, order))
    companion[:, 0] = -predictor[:, 1:]
    below = np.arange(order - 1)
    companion[:, below + 1, below] = 1.0
    poles = np.linalg.eigvals(companion)
    angle = np.angle(poles)
    turned = np.where(poles.imag != 0.0, np.sign(angle) * np.abs(angle) ** coefficient, angle)
    return _polynomials(np.abs(poles) * np.exp(1j * turned))


def _polynomials(roots: NDArray[np.complex128]) -> Signal:
    """The coefficients of the polynomial with the roots in each row, the highest power first."""
    found = np.ones((len(roots), 1), np.complex128)
    for root in roots.T:
        found = np.pad(found, ((0, 0), (0, 1))) - root[:, None] * np.pad(found, ((0, 0), (1, 0)))
    return found.real


def _filtered(frames: Signal, coefficients: Signal) -> Signal:
    """Each row through the filter of its zeros, from rest."""
    order, size = coefficients.shape[1] - 1, frames.shape[1]
    before = np.pad(frames, ((0, 0), (order, 0)))
    found = np.zeros_like(frames)
    for delay in range(order + 1):
        found += coefficients[:, delay, None] * before[:, order - delay : order - delay + size]
    return found


def _synthesised(residual: Signal, coefficients: Signal) -> Signal:
    """Each row through the filter of its poles, from rest: sample by sample, for all rows at once."""
    order, size = coefficients.shape[1] - 1, residual.shape[1]
    backwards = np.ascontiguousarray(coefficients[:, :0:-1].T)
    given = np.ascontiguousarray(residual.T)
    found = np.zeros((order + size, len(residual)))
    for n in range(size):
        found[n + order] = given[n] - (backwards * found[n : n + order]).sum(axis=0)
    return found[order:].T
