// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.math.ElementFunction;

/**
 * A function of the user's, applied element by element to real vectors without communication: {@code
 * Elementwise.of((x, y) -> x * y + 1)}. On a GPU it becomes a kernel when it is first used: make one, and use it often.
 * The lambda may do there what kernels may: arithmetic, {@code Math}, branches, static methods.
 */
public final class Elementwise {
    private final ElementFunction function;

    private Elementwise(ElementFunction function) {
        this.function = function;
    }

    /** Returns the application of a function of one number. */
    public static Elementwise of(ElementFunction.Of1 function) {
        return new Elementwise(function);
    }

    /** Returns the application of a function of two numbers. */
    public static Elementwise of(ElementFunction.Of2 function) {
        return new Elementwise(function);
    }

    /** Returns the application of a function of three numbers. */
    public static Elementwise of(ElementFunction.Of3 function) {
        return new Elementwise(function);
    }

    /**
     * Returns a new vector, the function of vectors with equal layouts and types.
     *
     * @throws IllegalArgumentException if they are complex or differ, or if the function takes another number of them
     */
    public Vector apply(Vector... x) {
        if (x.length == 0) {
            throw new IllegalArgumentException("Elementwise: no vectors");
        }
        Vector result = x[0].like();
        try {
            return into(result, x);
        } catch (RuntimeException e) {
            result.close();
            throw e;
        }
    }

    /**
     * Computes the function of vectors with equal layouts and types.
     *
     * @param result takes it, and may be one of them
     * @return the result
     * @throws IllegalArgumentException if they are complex or differ, or if the function takes another number of them
     */
    public Vector into(Vector result, Vector... x) {
        if (x.length != function.count()) {
            throw new IllegalArgumentException("Elementwise on rank "
                    + result.backend().rank() + ": a function of " + function.count() + " numbers, given " + x.length
                    + " vectors");
        }
        for (Vector each : x) {
            result.check("Elementwise", each);
        }
        for (int i = 0; i < result.arrays().size(); i++) {
            List<Buffer> parts = new ArrayList<>();
            for (Vector each : x) {
                parts.add(each.arrays().get(i).part());
            }
            result.backend().compute().map(function, result.arrays().get(i).part(), parts.toArray(Buffer[]::new));
        }
        return result;
    }
}
