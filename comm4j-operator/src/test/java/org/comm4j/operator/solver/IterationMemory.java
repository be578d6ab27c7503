// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Identity;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.VStack;

/** What iterations of solvers allocate: nothing, wherever the memory is. */
final class IterationMemory {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int MOST_ROUNDS = 12;

    // Fields of mallinfo2

    private static final int FIELDS = 10;
    private static final int MAPPED = 4;
    private static final int USED = 7;

    @SuppressWarnings("restricted") // calls C
    private static final MethodHandle MALLINFO = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("mallinfo2"),
                    FunctionDescriptor.of(MemoryLayout.structLayout(IntStream.range(0, FIELDS)
                            .mapToObj(i -> ValueLayout.JAVA_LONG)
                            .toArray(MemoryLayout[]::new))));

    private IterationMemory() {}

    /** Returns solvers of problems whose iterations exchange ghost rows, multiply matrices and stack vectors. */
    static Map<String, Solver> solvers(Backend backend) {
        DataType type = DataType.FLOAT64;
        LinearOperator blocks =
                BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(9, 7), type, 3 + backend.rank())));
        Vector data = backend.random(blocks.range(), type, 4);
        Layout grid = backend.scattered(0, 13, 5);
        LinearOperator laplacian = Laplacian.of(backend, grid, 0, 1).build();
        LinearOperator definite = Identity.of(backend, grid, type).plus(laplacian.times(-0.1));
        DistributedArray field = backend.random(grid, type, 5);
        LinearOperator stack = VStack.of(Identity.of(backend, grid, type), laplacian);
        Vector fields = StackedArray.of(field, backend.zeros(grid, type));
        Map<String, Solver> all = new LinkedHashMap<>();
        all.put("Cg", Cg.of(definite, field));
        all.put("Cg, damped", Cg.of(definite, field).damp(0.1));
        all.put("Cg, preconditioned", Cg.of(definite, field).preconditioner(definite));
        all.put("Cg.merged", Cg.merged(definite, field));
        all.put("Cgls", Cgls.of(blocks, data));
        all.put("Cgls, damped", Cgls.of(blocks, data).damp(0.1));
        all.put("Cgls of a stack", Cgls.of(stack, fields));
        all.put("Cgls of a stack, preconditioned", Cgls.of(stack, fields).preconditioner(definite));
        all.put("Cgls.merged", Cgls.merged(stack, fields));
        all.put("Lsqr", Lsqr.of(stack, fields).damp(0.1));
        return all;
    }

    /** Returns bytes that this thread has allocated on the heap so far. */
    static long onHeap() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Returns bytes of this process that the C library has given away: of memory segments, and of libraries. */
    @SuppressWarnings("restricted") // calls C
    static long offHeap() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) MALLINFO.invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(ValueLayout.JAVA_LONG, MAPPED) + info.getAtIndex(ValueLayout.JAVA_LONG, USED);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Checks that an iteration changes no count: the least change of several, since the JVM itself allocates when it
     * links or compiles a call, and the wait for a rank that is late.
     */
    static void check(Backend backend, LongSupplier count, String what) {
        solvers(backend).forEach((name, solver) -> {
            long least = Long.MAX_VALUE;
            try (Iteration run = solver.iterations(MOST_ROUNDS + 2).setup()) {
                // The second iteration is recorded.
                assertThat(run.step() && run.step()).isTrue();
                for (int i = 0; i < MOST_ROUNDS; i++) {
                    // Nobody counts while another rank prepares itself.
                    backend.communicator().barrier();
                    long before = count.getAsLong();
                    boolean made = run.step();
                    long after = count.getAsLong();
                    assertThat(made).as(name).isTrue();
                    least = Math.min(least, Math.abs(after - before));
                }
            }
            assertThat(least)
                    .as("%s: %s of an iteration on rank %d of %d", name, what, backend.rank(), backend.size())
                    .isZero();
        });
    }
}
