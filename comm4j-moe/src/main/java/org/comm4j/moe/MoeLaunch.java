// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/**
 * Kernel with its shape and arguments, to be launched again and again. Arguments that change are set before; of arrays
 * all that counts is where they begin. On a GPU neither allocates.
 */
interface MoeLaunch {
    MoeLaunch set(int argument, Buffer array);

    MoeLaunch set(int argument, int value);

    MoeLaunch set(int argument, long value);

    MoeLaunch set(int argument, float value);

    MoeLaunch set(int argument, boolean value);

    /** Puts it into the stream; null for that of the machine. */
    void launch(@Nullable Stream stream);

    /** A launch on a GPU. */
    final class OnGpu implements MoeLaunch {
        private final PreparedLaunch prepared;
        private final Stream own;

        OnGpu(PreparedLaunch prepared, Stream own) {
            this.prepared = prepared;
            this.own = own;
        }

        @Override
        public MoeLaunch set(int argument, Buffer array) {
            prepared.set(argument, array);
            return this;
        }

        @Override
        public MoeLaunch set(int argument, int value) {
            prepared.set(argument, value);
            return this;
        }

        @Override
        public MoeLaunch set(int argument, long value) {
            prepared.set(argument, value);
            return this;
        }

        @Override
        public MoeLaunch set(int argument, float value) {
            prepared.set(argument, value);
            return this;
        }

        @Override
        public MoeLaunch set(int argument, boolean value) {
            prepared.set(argument, value);
            return this;
        }

        @Override
        public void launch(@Nullable Stream stream) {
            prepared.launch(stream == null ? own : stream);
        }
    }

    /** A launch on the CPU, which is done when it returns. */
    final class OnCpu implements MoeLaunch {
        /** What runs a kernel. */
        @FunctionalInterface
        interface Body {
            void run(Object... arguments);
        }

        private final Body body;
        private final Object[] arguments;

        OnCpu(Body body, Object... arguments) {
            this.body = body;
            this.arguments = arguments.clone();
        }

        private MoeLaunch put(int argument, Object value) {
            arguments[argument] = value;
            return this;
        }

        @Override
        public MoeLaunch set(int argument, Buffer array) {
            I8Ptr bytes = I8Ptr.of(array.view(DataType.INT8));
            return put(argument, switch (arguments[argument]) {
                case I32Ptr _ -> bytes.asI32();
                case F32Ptr _ -> bytes.asF32();
                default -> bytes;
            });
        }

        @Override
        public MoeLaunch set(int argument, int value) {
            return put(argument, value);
        }

        @Override
        public MoeLaunch set(int argument, long value) {
            return put(argument, value);
        }

        @Override
        public MoeLaunch set(int argument, float value) {
            return put(argument, value);
        }

        @Override
        public MoeLaunch set(int argument, boolean value) {
            return put(argument, value);
        }

        @Override
        public void launch(@Nullable Stream stream) {
            body.run(arguments);
        }
    }
}
