// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.comm4j.ffi.shmem.LibOpenshmem;
import org.comm4j.ffi.shmem.ShmemCtx;

/**
 * A context of an OpenSHMEM library. Of the library's operations only those are called that are right everywhere: in
 * some builds the 32-bit compare-swap overwrites the stack, and fetching bitwise operations ignore their operand, so
 * both are made of the 64-bit compare-swap.
 */
final class NativeStream implements Engine.Stream {
    /** So many operations may be under way; memory that they use must be kept. */
    private static final int MOST_UNDER_WAY = 1000;

    private final NativeEngine engine;
    private final long base;
    private final ShmemCtx context;
    private List<MemorySegment> underWay = new ArrayList<>();

    NativeStream(NativeEngine engine, long base, ShmemCtx context) {
        this.engine = engine;
        this.base = base;
        this.context = context;
    }

    /** A new context, or the default one if the library has no more. */
    static NativeStream create(NativeEngine engine, Vendor vendor, long base, Set<Context.Option> options) {
        engine.check("newContext");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            int status = LibOpenshmem.shmem_ctx_create(vendor.options(options), cell);
            return status == 0
                    ? new NativeStream(engine, base, new ShmemCtx(cell.get(ValueLayout.JAVA_LONG, 0)))
                    : engine.stream();
        }
    }

    @Override
    public void put(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        engine.check("put");
        try {
            LibOpenshmem.shmem_ctx_putmem(
                    context, base + to, source.asSlice(sourceAt, bytes).address(), bytes, pe);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    @Override
    public void get(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        engine.check("get");
        try {
            LibOpenshmem.shmem_ctx_getmem(
                    context, destination.asSlice(destinationAt, bytes).address(), base + from, bytes, pe);
        } finally {
            Reference.reachabilityFence(destination);
        }
    }

    @Override
    public void putNbi(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        engine.check("putNbi");
        MemorySegment part = source.asSlice(sourceAt, bytes);
        keep(part);
        LibOpenshmem.shmem_ctx_putmem_nbi(context, base + to, part.address(), bytes, pe);
    }

    @Override
    public void getNbi(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        engine.check("getNbi");
        MemorySegment part = destination.asSlice(destinationAt, bytes);
        keep(part);
        LibOpenshmem.shmem_ctx_getmem_nbi(context, part.address(), base + from, bytes, pe);
    }

    /** Memory that the garbage collector must not free before the end of what uses it. */
    private void keep(MemorySegment memory) {
        boolean full;
        synchronized (this) {
            full = underWay.size() >= MOST_UNDER_WAY;
        }
        if (full) {
            quiet();
        }
        synchronized (this) {
            underWay.add(memory);
        }
    }

    @Override
    public void fence() {
        VarHandle.releaseFence();
        if (!engine.allWithinReach) {
            engine.check("fence");
            LibOpenshmem.shmem_ctx_fence(context);
        }
    }

    @Override
    public void quiet() {
        VarHandle.fullFence();
        if (!engine.allWithinReach) {
            engine.check("quiet");
            List<MemorySegment> ends;
            synchronized (this) {
                ends = underWay;
                underWay = new ArrayList<>();
            }
            try {
                LibOpenshmem.shmem_ctx_quiet(context);
            } finally {
                Reference.reachabilityFence(ends);
            }
        }
    }

    @Override
    public void close() {
        quiet();
        if (!equals(engine.stream())) {
            LibOpenshmem.shmem_ctx_destroy(context);
        }
    }

    @Override
    public long atomic(Atomic.Operation operation, boolean wide, long at, long value, long condition, int pe) {
        engine.check("atomic");
        if (pe == engine.myPe) {
            // Whoever looks at a lock of its own may be waiting for one that needs this PE to give it back.
            engine.progress();
        }
        return wide
                ? wide(operation, base + at, value, condition, pe)
                : narrow(operation, base + at, (int) value, (int) condition, pe);
    }

    private long wide(Atomic.Operation operation, long at, long value, long condition, int pe) {
        return switch (operation) {
            case FETCH -> LibOpenshmem.shmem_ctx_long_atomic_fetch(context, at, pe);
            case SET -> {
                LibOpenshmem.shmem_ctx_long_atomic_set(context, at, value, pe);
                yield 0;
            }
            case SWAP -> LibOpenshmem.shmem_ctx_long_atomic_swap(context, at, value, pe);
            case COMPARE_SWAP -> LibOpenshmem.shmem_ctx_long_atomic_compare_swap(context, at, condition, value, pe);
            case ADD -> LibOpenshmem.shmem_ctx_long_atomic_fetch_add(context, at, value, pe);
            case AND -> update(at, pe, word -> word & value);
            case OR -> update(at, pe, word -> word | value);
            case XOR -> update(at, pe, word -> word ^ value);
        };
    }

    private int narrow(Atomic.Operation operation, long at, int value, int condition, int pe) {
        long word = at & -Long.BYTES;
        int shift = (int) (at - word) * Byte.SIZE;
        long bits = (value & 0xffff_ffffL) << shift;
        long others = ~(0xffff_ffffL << shift);
        return switch (operation) {
            case FETCH -> LibOpenshmem.shmem_ctx_int_atomic_fetch(context, at, pe);
            case SET -> {
                LibOpenshmem.shmem_ctx_int_atomic_set(context, at, value, pe);
                yield 0;
            }
            case SWAP -> LibOpenshmem.shmem_ctx_int_atomic_swap(context, at, value, pe);
            case COMPARE_SWAP ->
                (int) (update(word, pe, old -> (int) (old >> shift) == condition ? old & others | bits : old) >> shift);
            case ADD -> LibOpenshmem.shmem_ctx_int_atomic_fetch_add(context, at, value, pe);
            case AND -> (int) (update(word, pe, old -> old & (bits | others)) >> shift);
            case OR -> (int) (update(word, pe, old -> old | bits) >> shift);
            case XOR -> (int) (update(word, pe, old -> old ^ bits) >> shift);
        };
    }

    /** Atomically changes a word; returns what was there. */
    private long update(long at, int pe, LongUnaryOperator change) {
        long old = LibOpenshmem.shmem_ctx_long_atomic_fetch(context, at, pe);
        while (true) {
            long seen = LibOpenshmem.shmem_ctx_long_atomic_compare_swap(context, at, old, change.applyAsLong(old), pe);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }
}
