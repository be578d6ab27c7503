// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.comm4j.cuda.CudaLibrary;
import org.comm4j.cuda.CudaModule;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * Loaded code that calls NVSHMEM from kernels: the library writes into it where the heaps are, and undoes that at the
 * end. Until then the code stays loaded, whoever closes it; then it is closed, because its kernels would follow
 * pointers to what is gone.
 */
final class Modules {
    /**
     * Of code that has collectives of its own, the variable that says where what a PE keeps of each other one is:
     * {@value #PAIR_BYTES} bytes for each team and PE.
     */
    private static final String PAIRS = "comm4j_peers";

    private static final int PAIR_BYTES = 1056;
    /** More than any version has unless it is told to, by {@code NVSHMEM_MAX_TEAMS}. */
    private static final int TEAMS = 512;

    /**
     * As many GPUs as load and store in each other's memory anywhere; half a megabyte for each of them is little then.
     * In a larger job kernels have the collectives of NVSHMEM's headers.
     */
    private static final int MOST_PES = 72;

    private final Session session;
    /**
     * Zeroed symmetric memory, {@link #pairBytes} of it, from the beginning to the end of NVSHMEM; 0 if that is none.
     */
    private final long pairs;
    /** How to undo what was done, by the module or library. Guarded by itself. */
    private final Map<Object, Runnable> initialized = new LinkedHashMap<>();

    Modules(Session session, long pairs) {
        this.session = session;
        this.pairs = pairs;
    }

    /** Why code with collectives of its own is not for so many PEs; null if it is. */
    static @Nullable String tooMany(int pes) {
        return pes <= MOST_PES
                ? null
                : "this job has " + pes + " PEs, and kernels that do everything by loads and stores are for " + MOST_PES
                        + " at most";
    }

    static long pairBytes(int pes) {
        if (tooMany(pes) != null) {
            return 0;
        }
        String most = OperatingSystem.current().variable("NVSHMEM_MAX_TEAMS");
        int teams = most != null && most.matches("\\d{1,6}") ? Math.max(TEAMS, Integer.parseInt(most)) : TEAMS;
        return (long) teams * pes * PAIR_BYTES;
    }

    void init(CudaModule module) {
        if (module.device().ordinal() != session.device.ordinal()) {
            throw new IllegalArgumentException(
                    "initModule on " + session.where() + ": " + module + " is not on this GPU");
        }
        var handle = module.handle();
        init(
                module,
                "initModule",
                () -> {
                    tellPairs(module);
                    LibNvshmem.nvshmemx_cumodule_init(handle);
                },
                () -> LibNvshmem.nvshmemx_cumodule_finalize(handle),
                module::keep,
                module::close);
    }

    void init(CudaLibrary library) {
        var handle = library.handle();
        init(
                library,
                "initLibrary",
                () -> LibNvshmem.nvshmemx_culibrary_init(handle),
                () -> LibNvshmem.nvshmemx_culibrary_finalize(handle),
                library::keep,
                library::close);
    }

    /**
     * @param keep keeps the code loaded, and returns what ends that; after a call that did not come back nothing does
     * @param close refuses launches from then on
     */
    private void init(
            Object code, String operation, Runnable call, Runnable undo, Supplier<Runnable> keep, Runnable close) {
        session.check(operation);
        synchronized (initialized) {
            if (initialized.containsKey(code)) {
                throw new IllegalStateException(
                        operation + " on " + session.where() + ": " + code + " is initialised already");
            }
        }
        Runnable giveBack = keep.get();
        try {
            // It waits for the device, which may be waiting for another PE.
            session.block(operation + " of " + code, call);
        } catch (NvshmemException e) {
            giveBack.run();
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": " + code
                            + " cannot be initialised; it must contain NVSHMEM's device library, of this version or an"
                            + " older one (" + e.getMessage() + ")",
                    e);
        } catch (IllegalArgumentException e) {
            giveBack.run();
            throw e;
        }
        synchronized (initialized) {
            initialized.put(code, () -> {
                close.run();
                undo.run();
                giveBack.run();
            });
        }
    }

    /** @throws IllegalArgumentException if it has collectives of its own, and there are too many PEs */
    private void tellPairs(CudaModule module) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment variable = arena.allocate(JAVA_LONG);
            MemorySegment bytes = arena.allocate(JAVA_LONG);
            try {
                LibCuda.cuModuleGetGlobal(variable, bytes, module.handle(), arena.allocateFrom(PAIRS));
            } catch (NativeCallException e) {
                if (e.status() == LibCuda.CUDA_ERROR_NOT_FOUND) {
                    return;
                }
                throw e;
            }
            if (pairs == 0) {
                throw new IllegalArgumentException("initModule on " + session.where() + ": " + module
                        + " has collectives of its own, but " + tooMany(session.nPes)
                        + "; compile its kernels in this job");
            }
            MemorySegment value = arena.allocateFrom(JAVA_LONG, pairs);
            LibCuda.cuMemcpyHtoD(variable.get(JAVA_LONG, 0), value, JAVA_LONG.byteSize());
        }
    }

    /** Queue pairs for kernels. */
    int[] newQueuePairs(int count) {
        String call = "newQueuePairs of " + count;
        session.check(call);
        Library.require(call, session.where(), 3, 5);
        if (count < 1) {
            throw new IllegalArgumentException(call + " on " + session.where() + ": at least 1");
        }
        return session.collective(call, () -> {
            session.agree(call);
            int[] handles = new int[count];
            session.block(call, () -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment cell = arena.allocate(JAVA_LONG);
                    // The library's memory, which it never asks back.
                    LibNvshmem.nvshmemx_qp_create(count, cell);
                    MemorySegment found = NativeMemory.at(cell.get(JAVA_LONG, 0), (long) count * Integer.BYTES);
                    MemorySegment.copy(found, JAVA_INT, 0, handles, 0, count);
                }
            });
            return handles;
        });
    }

    void end(Object code) {
        String operation = code instanceof CudaModule ? "finalizeModule" : "finalizeLibrary";
        session.check(operation);
        if (session.isStuck()) {
            // The library would wait for kernels that were waited for in vain. The last calls undo it, or nobody.
            return;
        }
        Runnable undo;
        synchronized (initialized) {
            undo = initialized.remove(code);
        }
        if (undo == null) {
            throw new IllegalStateException(operation + " on " + session.where() + ": " + code + " is not initialised");
        }
        session.block(operation + " of " + code, undo);
    }

    /** Undoes all that is left. Inside the library's last calls. */
    void endAll() {
        synchronized (initialized) {
            initialized.values().forEach(Runnable::run);
            initialized.clear();
        }
    }
}
