"""Embeddings that somebody brings along: what is read, and with which sentence anything else is refused."""

import io
import math
import os
import pickle
import zipfile

import h5py
import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.intake.sorting.plan import plan
from zebra_core.recordings.embedding_files import read_embeddings

VECTORS = {"spk0-u0": [3.0, 4.0, 0.0], "spk0-u1": [0.0, 1.0, 2.0], "a/b/1": [1.0, 0.0, 0.5]}


def npz(path, vectors):
    np.savez(path, **vectors)
    return path


def hdf5(path, vectors):
    with h5py.File(path, "w") as file:
        for name, vector in vectors.items():
            file[name] = vector
    return path


def kaldi(path, vectors):
    lines = (f"{name}  [ {' '.join(map(str, vector))} ]\n" for name, vector in vectors.items())
    path.write_text("".join(lines))
    return path


def utterances(folder, vectors, *, end="npy"):
    """As the evaluations keep them: the rows in another order than the lines of id2idx."""
    folder.mkdir(parents=True)
    rows = np.array(list(vectors.values())[::-1])
    (np.save if end == "npy" else np.savez)(folder / f"speaker_vectors.{end}", rows)
    of = dict(zip(vectors, reversed(range(len(vectors))), strict=True))
    (folder / "id2idx").write_text("".join(f"{name} {row}\n" for name, row in of.items()))
    spoken = "".join(f"{row} {name.partition('-')[0]}\n" for name, row in of.items())
    (folder / "idx2spk").write_text(spoken)
    return folder


def refused(path, code, **facts):
    with pytest.raises(InputError) as caught:
        read_embeddings([path])
    assert caught.value.code == code, str(caught.value)
    assert facts.items() <= caught.value.facts.items()
    return caught.value


def is_refused(path, code, **facts):
    return facts.items() <= refused(path, code).facts.items()


@pytest.mark.parametrize("write", [npz, hdf5, kaldi])
def test_an_array_a_data_set_or_a_line_is_an_embedding(tmp_path, write):
    found = read_embeddings(
        [write(tmp_path / "emb", VECTORS) if write is not npz else npz(tmp_path / "e.npz", VECTORS)]
    )
    assert dict(zip(found.ids, found.vectors.tolist(), strict=True)) == VECTORS
    assert found.dimensions == 3
    assert found.speaker == {}


@pytest.mark.parametrize("write", [npz, hdf5])
def test_rows_of_one_by_d_and_half_precision_are_embeddings(tmp_path, write):
    rows = {name: np.array([vector], dtype=np.float16) for name, vector in VECTORS.items()}
    found = read_embeddings([write(tmp_path / "emb.npz", rows)])
    assert dict(zip(found.ids, found.vectors.tolist(), strict=True)) == VECTORS


@pytest.mark.parametrize("end", ["npy", "npz"])
@pytest.mark.parametrize("inside", ["utt-level", ""])
def test_the_folder_of_the_evaluations_numbers_rows_and_says_who_speaks(tmp_path, end, inside):
    top = tmp_path / "libri_dev_enrolls"
    utterances(top / "utt-level", VECTORS, end=end)
    found = read_embeddings([top / inside])
    assert dict(zip(found.ids, found.vectors.tolist(), strict=True)) == VECTORS
    assert found.speaker == {"spk0-u0": "spk0", "spk0-u1": "spk0", "a/b/1": "a/b/1"}
    assert [file.name for file in found.files] == [f"speaker_vectors.{end}", "id2idx", "idx2spk"]


def test_what_pytorch_saved_is_never_loaded_and_what_converts_it_is_said(tmp_path):
    folder = utterances(tmp_path / "utt-level", VECTORS)
    (folder / "speaker_vectors.npy").unlink()

    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "ran"),))

    (folder / "speaker_vectors.pt").write_bytes(pickle.dumps(Trap()))
    error = refused(folder, "embeddings-torch")
    assert "numpy.savez('speaker_vectors.npz'" in str(error)
    assert "weights_only=True" in str(error)
    assert refused(folder / "speaker_vectors.pt", "mistake-pickle").code == "mistake-pickle"


def test_a_folder_with_anything_wrong_is_refused_with_the_line(tmp_path):
    folder = utterances(tmp_path / "utt-level", VECTORS)
    index = folder / "id2idx"
    good = index.read_text()
    index.write_text(good.replace(" 0\n", " 7\n"))
    assert is_refused(folder, "embeddings-index", line=3, file="id2idx")
    index.write_text(good.replace(" 0\n", " 1\n"))
    assert is_refused(folder, "embeddings-index", line=3)
    index.write_text(good.replace("a/b/1", "spk0-u0"))
    assert is_refused(folder, "embeddings-index", line=3)
    index.write_text("".join(good.splitlines(keepends=True)[:2]))
    assert is_refused(folder, "embeddings-row", row=0)
    index.write_text(good)
    (folder / "idx2spk").write_text("0 x\n0 y\n")
    assert is_refused(folder, "embeddings-index", line=2, file="idx2spk")
    (folder / "idx2spk").write_text(f"{'9' * 5000} x\n")
    assert is_refused(folder, "embeddings-index", line=1, file="idx2spk")
    index.unlink()
    assert is_refused(folder, "embeddings-folder")
    assert is_refused(tmp_path, "embeddings-folder")


def test_binary_archives_of_kaldi_get_the_command_that_writes_text(tmp_path):
    path = tmp_path / "xvector.ark"
    path.write_bytes(b"utt1 \x00BFV \x04\x03\x00\x00\x00" + bytes(12))
    assert "copy-vector ark:FILE ark,t:TEXT" in str(refused(path, "mistake-ark"))


@pytest.mark.parametrize(
    ("vectors", "code", "about"),
    [
        ({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, "embeddings-dimensions", {"id": "b", "found": 3}),
        ({"a": [1.0, np.nan], "b": [1.0, 2.0]}, "embeddings-not-finite", {"id": "a"}),
        ({"a": [1.0, 2.0], "b": [np.inf, 2.0]}, "embeddings-not-finite", {"id": "b"}),
        ({"a": [1.0, 2.0], "b": [1e200, 2.0]}, "embeddings-not-finite", {"id": "b"}),
        ({"a": [1.0, 2.0], "b": [0.0, 0.0]}, "embeddings-zero", {"id": "b", "count": 1}),
        ({"a": [1e-300, 0.0], "b": [1.0, 0.0]}, "embeddings-zero", {"id": "a"}),
        ({"a": [[1.0, 2.0], [3.0, 4.0]]}, "embeddings-shape", {"id": "a", "found": "float64 2 × 2"}),
        ({"a": [1.0]}, "embeddings-shape", {"id": "a"}),
        ({"a": 1.0}, "embeddings-shape", {"id": "a"}),
        ({"a": np.ones(20_000)}, "embeddings-shape", {"id": "a"}),
        ({"a": [1.0, 2.0], "words": ["x", "y"]}, "embeddings-shape", {"id": "words"}),
        ({"a": [1.0 + 1j, 2.0]}, "embeddings-shape", {"id": "a"}),
    ],
)
@pytest.mark.parametrize("write", [npz, hdf5])
def test_what_is_no_embedding_is_named_and_never_left_out(tmp_path, write, vectors, code, about):
    if write is hdf5 and "words" in vectors:
        vectors = {**vectors, "words": np.array([b"x", b"y"])}
    error = refused(write(tmp_path / "emb.npz", vectors), code)
    if write is npz or "found" not in about:
        assert about.items() <= error.facts.items()


def test_nothing_pickled_is_loaded_from_an_npz(tmp_path):
    np.savez(tmp_path / "e.npz", a=np.array([1.0, 2.0]), b=np.array([{}, 1], dtype=object))
    assert is_refused(tmp_path / "e.npz", "array-of-objects")


def test_an_array_that_promises_more_than_it_has_is_refused(tmp_path):
    held = io.BytesIO()
    np.lib.format.write_array_header_1_0(held, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(tmp_path / "e.npz", "w") as archive:
        archive.writestr("a.npy", held.getvalue() + bytes(16))
    assert is_refused(tmp_path / "e.npz", "array-broken")


@pytest.mark.parametrize(
    ("descr", "shape"),
    [("V0", (10**12,)), ("<f8", (10**4000, 0)), ("<f8", (1,) * 80), ("<f8", (-1,)), ("<f8", (-2, -1))],
)
def test_a_description_that_no_array_can_have_is_refused(tmp_path, descr, shape):
    head = str({"descr": descr, "fortran_order": False, "shape": shape}).encode() + b"\n"
    size = 8 * max(0, min(math.prod(shape), 8)) if descr != "V0" else 0
    array = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(size)
    with zipfile.ZipFile(tmp_path / "e.npz", "w") as archive:
        archive.writestr("a.npy", array)
    assert is_refused(tmp_path / "e.npz", "array-broken")
    (tmp_path / "scores.npy").write_bytes(array)
    (problem,) = plan([tmp_path / "scores.npy"]).problems
    assert problem.error.code == "array-broken"


@pytest.mark.parametrize("dtype", ["<U2", ">U2", [("x", "<f8"), ("y", "<U2")]])
def test_texts_of_what_are_no_characters_are_refused(tmp_path, dtype):
    array = np.zeros(4, dtype)
    np.save(tmp_path / "scores.npy", array)
    content = bytearray((tmp_path / "scores.npy").read_bytes())
    content[-8:] = b"\x7f" * 8
    (tmp_path / "scores.npy").write_bytes(content)
    (problem,) = plan([tmp_path / "scores.npy"]).problems
    assert problem.error.code == "array-broken"


def test_a_name_twice_in_an_archive_is_refused(tmp_path):
    held = io.BytesIO()
    np.save(held, np.array([1.0, 2.0]))
    with zipfile.ZipFile(tmp_path / "e.npz", "w") as archive:
        archive.writestr("a.npy", held.getvalue())
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.npy", held.getvalue())
    assert is_refused(tmp_path / "e.npz", "embeddings-twice", found="a")


def test_an_archive_that_unpacks_to_far_more_is_refused(tmp_path):
    np.savez_compressed(tmp_path / "e.npz", a=np.zeros(40_000_000))
    assert is_refused(tmp_path / "e.npz", "unpacks-too-much")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a  [ 1 2 ]\nb  [ 1 x ]\n", "embeddings-line", 2),
        ("a  [ 1 1_0 ]\n", "embeddings-line", 1),
        ("a  [ 1 2 ]\n\nb 1 2\n", "embeddings-line", 3),
        ("a  [\n  1 2\n  3 4 ]\n", "embeddings-matrix", 1),
        ("a  [ 1 2 ]\nb  [\n  1 2 ]\n", "embeddings-matrix", 2),
    ],
)
def test_a_line_that_is_no_embedding_is_named(tmp_path, text, code, line):
    (tmp_path / "emb.txt").write_text(text)
    assert is_refused(tmp_path / "emb.txt", code, line=line)


def test_an_id_twice_in_text_or_in_two_files_is_refused(tmp_path):
    (tmp_path / "emb.txt").write_text("a  [ 1 2 ]\na  [ 1 2 ]\n")
    assert is_refused(tmp_path / "emb.txt", "embeddings-twice", found="a")
    one = npz(tmp_path / "one.npz", {"a": [1.0, 2.0]})
    other = npz(tmp_path / "other.npz", {"b": [1.0, 2.0], "a": [2.0, 1.0]})
    with pytest.raises(InputError) as caught:
        read_embeddings([one, other])
    assert caught.value.code == "embeddings-in-two"
    assert caught.value.facts["other"] == "one.npz"
    with pytest.raises(InputError) as caught:
        read_embeddings([one, one])
    assert caught.value.code == "embeddings-in-two"
    longer = npz(tmp_path / "longer.npz", {"c": [1.0, 2.0, 3.0]})
    with pytest.raises(InputError) as caught:
        read_embeddings([one, longer])
    assert caught.value.code == "embeddings-dimensions"


def test_a_matrix_without_ids_is_refused(tmp_path):
    np.save(tmp_path / "m.npy", np.ones((3, 4)))
    assert is_refused(tmp_path / "m.npy", "embeddings-without-ids")


def test_a_hostile_hdf5_file_kills_only_the_program_that_reads_it(tmp_path):
    hdf5(tmp_path / "e.h5", VECTORS)
    content = bytearray((tmp_path / "e.h5").read_bytes())
    content[600:1600] = b"\xff" * 1000
    (tmp_path / "e.h5").write_bytes(bytes(content))
    assert is_refused(tmp_path / "e.h5", "hdf5-broken")


def test_links_out_of_an_hdf5_file_are_not_followed(tmp_path):
    hdf5(tmp_path / "secret.h5", {"x": [1.0, 2.0, 3.0]})
    with h5py.File(tmp_path / "e.h5", "w") as file:
        file["a"] = [1.0, 2.0, 3.0]
        file["b"] = h5py.ExternalLink("secret.h5", "x")
    assert read_embeddings([tmp_path / "e.h5"]).ids == ("a",)


def test_more_arrays_than_an_archive_of_scores_may_have_members_are_read(tmp_path):
    count = 20_500
    npz(tmp_path / "e.npz", {f"a-long-name-of-an-utterance-{n:06d}": [1.0, n + 1.0] for n in range(count)})
    assert len(read_embeddings([tmp_path / "e.npz"])) == count


@pytest.mark.parametrize("write", [npz, hdf5, kaldi])
def test_a_dropped_file_of_embeddings_is_told_the_command(tmp_path, write):
    vectors = {f"s{n}": np.arange(1.0, 20.0) + n for n in range(4)}
    path = write(tmp_path / "emb.npz", vectors)
    [problem] = plan([path]).problems
    assert "zebra score --embeddings FILE -k KEY -o DIR" in str(problem.error)
