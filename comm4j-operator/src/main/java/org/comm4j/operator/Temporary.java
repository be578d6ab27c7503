// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The vector that a composition needs between its parts: made when the first call needs it, kept for the next ones,
 * freed with the backend.
 */
final class Temporary {
    private @Nullable Vector vector;
    private @Nullable Vector other;

    Vector like(Vector x) {
        return of(x.backend(), x.layout(), x.type());
    }

    /** Returns a vector of a layout and type; the two that were asked for last are kept. */
    Vector of(Backend backend, Layout layout, DataType type) {
        if (!fits(vector, layout, type)) {
            Vector last = vector;
            vector = fits(other, layout, type) ? other : null;
            if (vector == null) {
                if (other != null) {
                    other.close();
                }
                vector = backend.vector(layout, type);
            }
            other = last;
        }
        Vector result = vector;
        if (result == null) {
            throw new AssertionError("no vector");
        }
        return result;
    }

    private static boolean fits(@Nullable Vector vector, Layout layout, DataType type) {
        return vector != null && vector.type() == type && vector.layout().equals(layout);
    }
}
