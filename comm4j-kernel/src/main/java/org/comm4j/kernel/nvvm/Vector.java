// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * A struct of equal numbers that memory gives or takes at once.
 *
 * @param element what there are several of
 * @param paths where each is in the struct: {@code 1, 0}
 */
record Vector(Scalar element, List<String> paths) {
    /** What a GPU reads or writes at once, at most, on all architectures. */
    private static final long MOST_BYTES = 16;

    /** Null for what is read and written by its parts. */
    static @Nullable Vector of(Type type, long alignment) {
        if (!(type instanceof Type.Struct)
                || alignment < type.bytes()
                || type.bytes() > MOST_BYTES
                || Long.bitCount(type.bytes()) != 1) {
            return null;
        }
        List<Scalar> elements = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        if (!flatten(type, "", elements, paths) || elements.size() < 2) {
            return null;
        }
        Scalar first = elements.getFirst();
        boolean equal = elements.stream().allMatch(element -> element == first);
        return equal && elements.size() * first.bytes() == type.bytes() ? new Vector(first, List.copyOf(paths)) : null;
    }

    private static boolean flatten(Type type, String path, List<Scalar> elements, List<String> paths) {
        return switch (type) {
            case Scalar scalar -> {
                elements.add(scalar == Scalar.I1 ? Scalar.I8 : scalar);
                paths.add(path);
                yield true;
            }
            case Type.Struct struct -> {
                boolean flat = true;
                for (int i = 0; i < struct.fields().size() && flat; i++) {
                    flat = flatten(struct.fields().get(i), path.isEmpty() ? "" + i : path + ", " + i, elements, paths);
                }
                yield flat;
            }
            case Type.Pointer pointer -> false;
            case Type.Array array -> false;
        };
    }

    /** The vector of the elements. */
    String lanes() {
        return "<" + paths.size() + " x " + Llvm.memory(element) + ">";
    }

    /** What is read or written: four parts at most. */
    String memory() {
        return paths.size() <= 4 ? lanes() : "<" + paths.size() * element.bytes() / 4 + " x i32>";
    }
}
