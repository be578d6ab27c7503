// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.host.HostShmem;
import org.comm4j.host.Team;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/** A PE of a test, of NVSHMEM or of the embedded engine. All PEs do the same in the same order. */
abstract class TestPe implements AutoCloseable {
    private final List<AutoCloseable> open = new ArrayList<>();
    private int draws;

    abstract int myPe();

    abstract int nPes();

    abstract KernelCompiler<?> compiler();

    /** Collective: zeroed elements. */
    abstract Buffer allocate(DataType type, long count);

    /** All PEs have come. */
    abstract void barrier();

    /** A team for kernels, and how to give it back; none for a PE that is no member. */
    record SomeTeam(@Nullable ShmemTeam team, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /** Collective: every {@code stride}-th PE from {@code start} on. */
    abstract SomeTeam splitStrided(int start, int stride, int size);

    /** Whether kernels run on the CPU, where wrong calls are exceptions. */
    abstract boolean onCpu();

    /**
     * Whether collectives in kernels are comm4j's, which compile in milliseconds, and not those of NVSHMEM's headers.
     */
    final boolean hasOwnCollectives() {
        return !onCpu() && !"false".equals(System.getProperty(ShmemCompiler.DIRECT));
    }

    @Override
    public abstract void close();

    /** Collective: elements with these values. */
    final Buffer symmetric(long... values) {
        return filled(HostArray.of(values));
    }

    final Buffer symmetric(int... values) {
        return filled(HostArray.of(values));
    }

    final Buffer symmetric(float... values) {
        return filled(HostArray.of(values));
    }

    final Buffer symmetric(double... values) {
        return filled(HostArray.of(values));
    }

    /** Collective: a copy that others reach. */
    final Buffer filled(HostArray values) {
        Buffer array = kept(allocate(values.type(), values.count()));
        array.copyFrom(values);
        return array;
    }

    /** Collective: zeroed elements that are freed after the case. */
    final Buffer zeroed(DataType type, long count) {
        return kept(allocate(type, count));
    }

    private Buffer kept(Buffer array) {
        open.add((AutoCloseable) array);
        return array;
    }

    /** Runs a kernel on all PEs, between barriers. */
    final void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        barrier();
        kernel.launch(config, arguments);
        barrier();
    }

    final int next() {
        return (myPe() + 1) % nPes();
    }

    final int previous() {
        return (myPe() + nPes() - 1) % nPes();
    }

    /** The same numbers on all PEs. */
    final SplittableRandom random() {
        return new SplittableRandom(DeviceContract.SEED + ++draws);
    }

    /** Collective: gives back what the case has allocated. */
    final void endCase() throws Exception {
        barrier();
        for (AutoCloseable each : open) {
            each.close();
        }
        open.clear();
    }

    static TestPe of(HostShmem shmem, CpuOptions options) {
        return new OnCpu(shmem, ShmemCompiler.of(shmem, options));
    }

    static TestPe of(Nvshmem shmem) {
        return of(shmem, CompileOptions.DEFAULT);
    }

    static TestPe of(Nvshmem shmem, CompileOptions options) {
        return new OnGpu(shmem, ShmemCompiler.of(shmem, options));
    }

    private static final class OnCpu extends TestPe {
        private final HostShmem shmem;
        private final KernelCompiler<CompiledKernel> compiler;

        OnCpu(HostShmem shmem, KernelCompiler<CompiledKernel> compiler) {
            this.shmem = shmem;
            this.compiler = compiler;
        }

        @Override
        int myPe() {
            return shmem.myPe();
        }

        @Override
        int nPes() {
            return shmem.nPes();
        }

        @Override
        KernelCompiler<?> compiler() {
            return compiler;
        }

        @Override
        Buffer allocate(DataType type, long count) {
            return shmem.allocate(type, count);
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        SomeTeam splitStrided(int start, int stride, int size) {
            int place = -1;
            for (int i = 0; i < size; i++) {
                place = start + i * stride == myPe() ? i : place;
            }
            Team team = shmem.world().split("splitStrided", place < 0 ? -1 : 0, Math.max(place, 0));
            return team == null ? new SomeTeam(null, () -> {}) : new SomeTeam(ShmemTeam.of(shmem, team), team::close);
        }

        @Override
        boolean onCpu() {
            return true;
        }

        @Override
        public void close() {
            compiler.close();
        }
    }

    private static final class OnGpu extends TestPe {
        private final Nvshmem shmem;
        private final KernelCompiler<?> compiler;

        OnGpu(Nvshmem shmem, KernelCompiler<?> compiler) {
            this.shmem = shmem;
            this.compiler = compiler;
        }

        @Override
        int myPe() {
            return shmem.myPe();
        }

        @Override
        int nPes() {
            return shmem.nPes();
        }

        @Override
        KernelCompiler<?> compiler() {
            return compiler;
        }

        @Override
        Buffer allocate(DataType type, long count) {
            return shmem.allocate(type, count);
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        SomeTeam splitStrided(int start, int stride, int size) {
            org.comm4j.nvshmem.Team team = shmem.world().splitStrided(start, stride, size);
            return team == null ? new SomeTeam(null, () -> {}) : new SomeTeam(ShmemTeam.of(team), team::close);
        }

        @Override
        boolean onCpu() {
            return false;
        }

        @Override
        public void close() {
            compiler.close();
        }
    }
}
