"""Rows of a matrix as array views that are not counted.

Numba counts references to an array with atomic instructions, also for a view that lives as long as one call. For a
call that takes tens of nanoseconds that is an eighth of the time.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array


def row(matrix: Any, index: int) -> Any:
    """Return row `index` of a C-contiguous matrix; compiled code must keep the matrix alive while it uses the row."""
    return matrix[index]


@intrinsic
def _row(typingctx: Any, matrix: Any, index: Any) -> Any:
    kind = matrix.copy(ndim=1)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = make_array(matrix)(context, builder, args[0])
        view = make_array(kind)(context, builder)
        step = cgutils.unpack_tuple(builder, whole.strides)
        size = cgutils.unpack_tuple(builder, whole.shape)
        start = cgutils.pointer_add(builder, whole.data, builder.mul(args[1], step[0]))
        populate_array(
            view,
            data=builder.bitcast(start, view.data.type),
            shape=[size[1]],
            strides=[step[1]],
            itemsize=whole.itemsize,
            meminfo=None,
        )
        return view._getvalue()

    return kind(matrix, types.intp), codegen


@overload(row, inline="always")
def _row_of(matrix, index):  # type: ignore[no-untyped-def]  # Numba compares the names of arguments with their types
    return lambda matrix, index: _row(matrix, index)
