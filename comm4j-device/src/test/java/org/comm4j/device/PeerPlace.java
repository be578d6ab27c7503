// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** A PE of the tests of {@link PeerCollectives}, on a GPU or on the CPU. All PEs do the same in the same order. */
abstract class PeerPlace implements AutoCloseable {
    static final int BYTES = 1 << 21;

    final PeerCollectives peers;
    final KernelCompiler<?> compiler;

    PeerPlace(PeerCollectives peers, KernelCompiler<?> compiler) {
        this.peers = peers;
        this.compiler = compiler;
    }

    /** A part of the memory of this number, 0 or 1, that all PEs have or that is this PE's alone. */
    abstract Buffer memory(int number, boolean symmetric, DataType type, long firstByte, long count);

    /** All PEs have come. */
    abstract void barrier();

    /** Null on the CPU. */
    abstract @Nullable Nvshmem nvshmem();

    @Override
    public abstract void close();

    int myPe() {
        return peers.myPe();
    }

    int nPes() {
        return peers.nPes();
    }

    boolean onGpu() {
        return nvshmem() != null;
    }

    /** The same numbers on all PEs. */
    SplittableRandom random(int salt) {
        return new SplittableRandom(DeviceContract.SEED + salt);
    }

    static PeerPlace of(HostShmem shmem) {
        return new OnCpu(shmem);
    }

    static PeerPlace of(Nvshmem shmem) {
        return new OnGpu(shmem);
    }

    private static final class OnCpu extends PeerPlace {
        private final HostArray[] memory = new HostArray[4];
        private final HostShmem shmem;

        OnCpu(HostShmem shmem) {
            super(PeerCollectives.of(shmem), KernelCompiler.cpu(CpuOptions.fast()));
            this.shmem = shmem;
            for (int i = 0; i < 2; i++) {
                memory[i] = HostArray.allocate(DataType.INT8, BYTES);
                memory[2 + i] = shmem.allocate(DataType.INT8, BYTES);
            }
        }

        @Override
        Buffer memory(int number, boolean symmetric, DataType type, long firstByte, long count) {
            HostArray whole = memory[number + (symmetric ? 2 : 0)];
            return HostArray.wrap(whole.segment().asSlice(firstByte, count * type.bytes()), type);
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        @Nullable
        Nvshmem nvshmem() {
            return null;
        }

        @Override
        public void close() {
            compiler.close();
            peers.close();
        }
    }

    private static final class OnGpu extends PeerPlace {
        private final Nvshmem shmem;
        private final DeviceArray[] memory = new DeviceArray[4];

        OnGpu(Nvshmem shmem) {
            super(PeerCollectives.of(shmem), KernelCompiler.of(shmem.device()));
            this.shmem = shmem;
            for (int i = 0; i < 2; i++) {
                memory[i] = shmem.device().allocate(DataType.INT8, BYTES);
                SymmetricArray all = shmem.allocate(DataType.INT8, BYTES);
                memory[2 + i] = all;
            }
        }

        @Override
        Buffer memory(int number, boolean symmetric, DataType type, long firstByte, long count) {
            return memory[number + (symmetric ? 2 : 0)]
                    .slice(firstByte, count * type.bytes())
                    .view(type);
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        Nvshmem nvshmem() {
            return shmem;
        }

        @Override
        public void close() {
            compiler.close();
            peers.close();
            memory[2].close();
            memory[3].close();
            memory[0].close();
            memory[1].close();
        }
    }
}
