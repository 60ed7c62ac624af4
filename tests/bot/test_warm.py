"""Compiling ahead: nothing is left to compile afterwards, and nothing stale is ever used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import numba
import pytest

from ttr_sim import paths
from ttr_sim.bot import warm
from ttr_sim.bot.cache import bot_cache, bot_folder, bot_sources
from ttr_sim.bot.specs import bots_in, module_name, parse_spec
from ttr_sim.engine import jit
from ttr_sim.errors import TtrError

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="needs compiled kernels")


def test_nothing_is_left_to_compile() -> None:
    warm.warm_up()
    counted: list[int] = []
    assert warm.is_warm()
    assert warm.warm_up(counted.append) == 0
    assert counted == []


def test_marks_tell_bots_apart(tmp_path: Path) -> None:
    warm.warm_up()
    file = tmp_path / "own.py"
    file.write_text(
        f"# {uuid4()}: unknown to the cache, which outlives a run of the tests\n"
        "from ttr_sim.bot import policy\n@policy()\ndef own(T, V, W, params, memory):\n    return 9\n"
    )
    assert not warm.is_warm([file])
    warm.warm_up(bots=[file])
    assert warm.is_warm([file])
    file.write_text(file.read_text().replace("return 9", "return 10"))
    assert not warm.is_warm([file])


def test_an_interpreted_bot_has_nothing_to_compile(tmp_path: Path) -> None:
    warm.warm_up()
    file = tmp_path / "plain.py"
    file.write_text(
        "from ttr_sim.bot import Bot\nclass Plain(Bot):\n    def choose(self, view):\n        return view.legal[0]\n"
    )
    assert warm.is_warm([file])


def test_a_bot_that_does_not_compile(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        "from ttr_sim.bot import policy\n@policy()\ndef wrong(T, V, W, params, memory):\n    return V.handz[0]\n"
    )
    parse_spec(str(file))  # not compiled for this
    with pytest.raises(TtrError, match=r"bot wrong: does not compile: KeyError: .*handz"):
        warm.warm_up(bots=[file])


def test_the_cache_of_a_bot_depends_on_what_it_imports(tmp_path: Path) -> None:
    bot, helper, other = (tmp_path / name for name in ("bot.py", "helper.py", "other.py"))
    bot.write_text("import helper\n")
    helper.write_text("from deep.part import x\n")
    (tmp_path / "deep").mkdir()
    part = tmp_path / "deep" / "part.py"
    for file in (other, part, tmp_path / "deep" / "__init__.py"):
        file.write_text("x = 1\n")
    assert bot_sources(bot) == {bot, helper, part, tmp_path / "deep" / "__init__.py"}
    before = bot_folder(bot)
    other.write_text("x = 2\n")
    assert bot_folder(bot) == before
    part.write_text("x = 2\n")
    assert bot_folder(bot) != before


def test_the_cache_folder_is_set_for_the_bot_only() -> None:
    file = paths.available(paths.BOT)["random"]
    before = numba.config.CACHE_DIR
    with bot_cache(file):
        assert str(bot_folder(file)) == numba.config.CACHE_DIR
    assert before == numba.config.CACHE_DIR == str(jit.cache_folder())


def test_a_copy_of_the_package_finds_all_compiled(tmp_path: Path) -> None:
    warm.warm_up(bots=warm.built_in())
    root = paths.shipped_root()
    for part in ("bots", "configs"):
        shutil.copytree(root / part, tmp_path / part)
    shutil.copytree(Path(jit.__file__).parents[1], tmp_path / "ttr_sim")
    program = (
        "import ttr_sim\nfrom ttr_sim.bot import warm\n"
        "assert warm.is_warm(warm.built_in())\n"
        "print(ttr_sim.__file__, warm.warm_up(bots=warm.built_in()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "TTR_SIM_CACHE": str(jit.cache_root())}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(tmp_path / "ttr_sim" / "__init__.py"), "0"], done.stderr


def test_a_copy_of_a_shipped_bot_is_that_bot(tmp_path: Path) -> None:
    shipped = paths.shipped_root() / "bots" / "greedy.py"
    copy, changed = tmp_path / "greedy.py", tmp_path / "other" / "greedy.py"
    changed.parent.mkdir()
    copy.write_bytes(shipped.read_bytes())
    changed.write_bytes(shipped.read_bytes() + b"\n")
    assert bots_in(copy)["greedy"] is bots_in(shipped)["greedy"]
    assert module_name(copy) == module_name(shipped) == "ttr_bot_greedy"
    assert module_name(changed) != module_name(shipped)


def test_sources_with_kernels_make_the_digest() -> None:
    names = {file.name for file in jit.kernel_sources()}
    assert {"moves.py", "driver.py", "planning.py", "steps.py", "compiled.py"} <= names
    assert not {"about.py", "specs.py", "params.py", "warm.py"} & names


def test_a_kernel_called_from_python() -> None:
    """Kernels have no wrapper for Python; calling one compiles it again with one, and must not crash."""
    from ttr_sim.engine.bits import GOLD, mix

    z = int(GOLD)
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    assert int(mix(GOLD)) == z ^ (z >> 31)
