// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Backend;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Sweep;

/** Numbers of a map that follow from its factor τ, beside the vectors. */
final class Steps {
    private final Compute compute;
    private final Scalars scalars;
    private final Buffer factor;
    private final Buffer given;
    private final Runnable calculate;

    /**
     * Makes the numbers.
     *
     * @param count of numbers
     * @param calculation of them, with their memory, τ and the parameters
     */
    Steps(Backend backend, int count, Calculation calculation, Coefficient tau, double... parameters) {
        compute = backend.compute();
        scalars = compute.scalars(count);
        factor = memory(compute, tau);
        given = memory(compute, parameters);
        calculate = prepare(calculation);
    }

    /** Returns another calculation with the same memory. */
    Runnable prepare(Calculation calculation) {
        return compute.prepare(new Sweep(), calculation, scalars.buffer(), factor, given);
    }

    /** Returns memory with numbers of the host. */
    static Buffer memory(Compute compute, double... numbers) {
        Buffer memory = compute.buffer(DataType.FLOAT64, Math.max(2, numbers.length));
        HostArray host = HostArray.allocate(DataType.FLOAT64, memory.count());
        for (int i = 0; i < numbers.length; i++) {
            host.setDouble(i, numbers[i]);
        }
        memory.copyFrom(host);
        return memory;
    }

    /** Returns the memory of a factor. */
    static Buffer memory(Compute compute, Coefficient tau) {
        return tau instanceof Scalar scalar ? scalar.buffer() : memory(compute, tau.real());
    }

    Scalar get(int number) {
        return scalars.get(number);
    }

    /** Returns the memory of the numbers: two for each, its imaginary part being 0. */
    Buffer buffer() {
        return scalars.buffer();
    }

    void calculate() {
        calculate.run();
    }
}
