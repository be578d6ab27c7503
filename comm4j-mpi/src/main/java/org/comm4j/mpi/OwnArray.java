// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a communicator has allocated, or part of it. The communicator frees it between two operations, so that
 * its own ones need not protect it from being freed, which would cost each a call from C into Java.
 */
final class OwnArray extends HostArray {
    private final Block block;

    /** All of an allocation. */
    static final class Block {
        private final Holding holding;
        private final Arena arena = Arena.ofShared();
        /** How many need it: the communicator, prepared operations, those that were given up. */
        private final AtomicInteger users = new AtomicInteger(1);

        Block(Holding holding) {
            this.holding = holding;
        }

        OwnArray allocate(DataType type, long count) {
            try {
                return new OwnArray(type, HostArray.allocate(arena, type, count).segment(), this);
            } catch (Throwable e) {
                arena.close();
                throw e;
            }
        }

        /** Keeps the memory until the result runs. */
        Runnable keep() {
            users.incrementAndGet();
            return this::letGo;
        }

        private void letGo() {
            if (users.decrementAndGet() == 0) {
                arena.close();
            }
        }

        /**
         * Frees the memory for the communicator.
         *
         * @param now or an {@link IllegalStateException}; else as soon as nobody needs it
         */
        void free(boolean now) {
            if (users.get() == 1) {
                arena.close();
            } else if (now) {
                throw new IllegalStateException("a prepared operation, or one that was given up, has it");
            } else {
                letGo();
            }
        }
    }

    private OwnArray(DataType type, MemorySegment segment, Block block) {
        super(type, segment);
        this.block = block;
    }

    /** Returns the memory of the communicator that protects buffers by {@code holding}, null if it is another one's. */
    @Nullable
    Block blockOf(Holding holding) {
        return block.holding == holding ? block : null;
    }

    @Override
    public OwnArray slice(long offset, long count) {
        return new OwnArray(type(), sliceSegment(offset, count), block);
    }

    @Override
    public OwnArray view(DataType other) {
        return new OwnArray(other, viewSegment(other), block);
    }

    @Override
    public String toString() {
        return super.toString().replace("OwnArray", "HostArray");
    }
}
