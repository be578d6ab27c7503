// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.ScalarSlot;
import org.jspecify.annotations.Nullable;

/** A launch on the CPU that is repeated. */
final class CpuLaunch implements RepeatableLaunch {
    private final CpuKernel kernel;
    private final LaunchConfig config;
    private final Arguments parameters;
    /** As launches are given them, numbers in slots. */
    private final Object[] arguments;
    /** Of the thread that has prepared it; null if it had none. */
    private final @Nullable Object context;

    /** @param given checked arguments */
    CpuLaunch(CpuKernel kernel, LaunchConfig config, Arguments parameters, Object... given) {
        this.kernel = kernel;
        this.config = config;
        this.parameters = parameters;
        this.arguments = Arrays.stream(given).map(ScalarSlot::of).toArray();
        this.context = CpuContext.current();
    }

    private void check(int index) {
        if (index < 0 || index >= arguments.length) {
            throw new IndexOutOfBoundsException("kernel " + kernel.name() + " has " + arguments.length
                    + " arguments, there is no argument " + index);
        }
    }

    private RepeatableLaunch put(int index, Class<?> type, long bits) {
        check(index);
        if (!(arguments[index] instanceof ScalarSlot slot) || !slot.set(type, bits)) {
            throw new IllegalArgumentException("argument " + index + " of kernel " + kernel.name() + " is no "
                    + type.getSimpleName() + ": give it what " + CpuKernel.signature(kernel.method()) + " takes");
        }
        return this;
    }

    @Override
    public RepeatableLaunch set(int index, int value) {
        return put(index, Integer.class, value);
    }

    @Override
    public RepeatableLaunch set(int index, long value) {
        return put(index, Long.class, value);
    }

    @Override
    public RepeatableLaunch set(int index, float value) {
        return put(index, Float.class, Float.floatToRawIntBits(value));
    }

    @Override
    public RepeatableLaunch set(int index, double value) {
        return put(index, Double.class, Double.doubleToRawLongBits(value));
    }

    @Override
    public RepeatableLaunch set(int index, boolean value) {
        return put(index, Boolean.class, value ? 1 : 0);
    }

    @Override
    public RepeatableLaunch set(int index, Buffer array) {
        nonNull(array, "set", "array");
        check(index);
        parameters.checkOne(index, array);
        arguments[index] = array;
        return this;
    }

    @Override
    public void launch() {
        if (context == null) {
            kernel.launch(config, arguments);
        } else {
            CpuContext.run(context, () -> kernel.launch(config, arguments));
        }
    }

    @Override
    public String toString() {
        return "CpuLaunch[" + kernel.name() + ", " + config + "]";
    }
}
