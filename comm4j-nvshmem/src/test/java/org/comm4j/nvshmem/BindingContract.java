// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgsV3_4_5;
import org.comm4j.ffi.nvshmem.NvshmemxInitAttr;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueid;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueidArgs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** C's functions as they are, through the bindings: what everything else here relies on, and what is simulated. */
class BindingContract {
    private static final int COUNT = 1000;
    private static final String AFFINITY = "NVSHMEM_CPU_AFFINITY";

    private final World world = Pes.world();
    private final int me = world.rank();
    private final int n = world.size();
    private final int next = (me + 1) % n;
    private final int previous = (me + n - 1) % n;
    private Device device;
    private Stream stream;
    private CUstream queue;

    @BeforeEach
    void initialise() {
        Pes.close();
        device = Pes.device();
        stream = device.newStream();
        queue = stream.handle();
        device.makeCurrent();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(NvshmemxUniqueid.BYTES, 8);
            if (me == 0) {
                LibNvshmem.nvshmemx_get_uniqueid(id);
            }
            byte[] bytes = world.exchange("unique id", id.toArray(ValueLayout.JAVA_BYTE))
                    .getFirst();
            id.copyFrom(MemorySegment.ofArray(bytes));
            MemorySegment attr = arena.allocate(NvshmemxInitAttr.BYTES, 8);
            attr.set(JAVA_INT, NvshmemxInitAttr.version, (1 << 16) + (int) NvshmemxInitAttr.BYTES);
            long args = NvshmemxInitAttr.args;
            attr.set(JAVA_INT, args, (1 << 16) + (int) NvshmemxInitArgsV3_4_5.BYTES);
            long uid = args + NvshmemxInitArgsV3_4_5.uid_args;
            attr.set(JAVA_INT, uid, (1 << 16) + (int) NvshmemxUniqueidArgs.BYTES);
            LibNvshmem.nvshmemx_set_attr_uniqueid_args(me, n, id, attr);
            assertThat(attr.get(ADDRESS, uid + NvshmemxUniqueidArgs.id)).isEqualTo(id);
            // Else this thread would keep a few processors only, from 3.7 on.
            OperatingSystem system = OperatingSystem.current();
            system.setVariable(AFFINITY, "OFF");
            LibNvshmem.nvshmemx_hostlib_init_attr(LibNvshmem.NVSHMEMX_INIT_WITH_UNIQUEID, attr);
            system.setVariable(AFFINITY, null);
        }
        assertThat(LibNvshmem.nvshmemx_init_status()).isGreaterThanOrEqualTo(LibNvshmem.NVSHMEM_STATUS_IS_INITIALIZED);
        device.makeCurrent();
    }

    @AfterEach
    void finalise() {
        stream.synchronize();
        device.makeCurrent();
        LibNvshmem.nvshmemx_hostlib_finalize();
        assertThat(LibNvshmem.nvshmemx_init_status()).isLessThan(LibNvshmem.NVSHMEM_STATUS_IS_INITIALIZED);
        stream.close();
    }

    private DeviceArray wrapped(DataType type, long address, int count) {
        return DeviceArray.wrap(device, type, address, count);
    }

    private long allocate(DataType type, int count) {
        device.makeCurrent();
        long at = LibNvshmem.nvshmem_calloc(count, type.bytes());
        assertThat(at).isNotZero();
        return at;
    }

    private void barrier() {
        device.makeCurrent();
        LibNvshmem.nvshmemx_barrier_all_on_stream(queue);
        stream.synchronize();
        device.makeCurrent();
    }

    @Test
    void whoIsThere() {
        assertThat(LibNvshmem.nvshmem_my_pe()).isEqualTo(me);
        assertThat(LibNvshmem.nvshmem_n_pes()).isEqualTo(n);
        assertThat(LibNvshmem.nvshmem_team_n_pes(LibNvshmem.NVSHMEM_TEAM_WORLD)).isEqualTo(n);
        assertThat(LibNvshmem.nvshmem_team_my_pe(LibNvshmem.NVSHMEMX_TEAM_NODE)).isEqualTo(me);
    }

    @Test
    void putsAndGetsInStreams() {
        long x = allocate(DataType.INT32, COUNT);
        long y = allocate(DataType.INT32, COUNT);
        long z = allocate(DataType.INT32, COUNT);
        wrapped(DataType.INT32, x, COUNT).fill(100 + me, stream);
        LibNvshmem.nvshmemx_put_on_stream(NvshmemType.INT32, y, x, COUNT, next, queue);
        LibNvshmem.nvshmemx_barrier_all_on_stream(queue);
        LibNvshmem.nvshmemx_get_on_stream(NvshmemType.INT32, z, x, COUNT, next, queue);
        LibNvshmem.nvshmemx_p_on_stream(NvshmemType.INT32, y, -7, next, queue);
        barrier();
        HostArray put = wrapped(DataType.INT32, y, COUNT).toHost();
        HostArray got = wrapped(DataType.INT32, z, COUNT).toHost();
        assertThat(put.getInt(0)).isEqualTo(-7);
        for (int i = 1; i < COUNT; i++) {
            assertThat(put.getInt(i)).isEqualTo(100 + previous);
            assertThat(got.getInt(i)).isEqualTo(100 + next);
        }
    }

    @Test
    void whatIsNotWaitedForIsThereAfterQuiet() {
        long x = allocate(DataType.FLOAT64, COUNT);
        long y = allocate(DataType.FLOAT64, COUNT);
        for (int round = 1; round <= 20; round++) {
            wrapped(DataType.FLOAT64, x, COUNT).fill(round * 10 + me, stream);
            LibNvshmem.nvshmemx_put_nbi_on_stream(NvshmemType.DOUBLE, y, x, COUNT, next, queue);
            LibNvshmem.nvshmemx_quiet_on_stream(queue);
            barrier();
            assertThat(wrapped(DataType.FLOAT64, y, COUNT).toHost().getDouble(COUNT - 1))
                    .isEqualTo(round * 10 + previous);
            barrier();
        }
    }

    @Test
    void signalsFollowTheirData() {
        long x = allocate(DataType.INT64, COUNT);
        long y = allocate(DataType.INT64, COUNT);
        long signal = allocate(DataType.UINT64, 1);
        for (int round = 1; round <= 50; round++) {
            wrapped(DataType.INT64, x, COUNT).fill(round * 10 + me, stream);
            LibNvshmem.nvshmemx_put_signal_on_stream(
                    NvshmemType.INT64, y, x, COUNT, signal, 1, LibNvshmem.NVSHMEM_SIGNAL_ADD, next, queue);
            LibNvshmem.nvshmemx_signal_wait_until_on_stream(signal, LibNvshmem.NVSHMEM_CMP_GE, round, queue);
            stream.synchronize();
            assertThat(wrapped(DataType.INT64, y, COUNT).toHost().getLong(COUNT - 1))
                    .isEqualTo(round * 10L + previous);
            barrier();
        }
        assertThat(LibNvshmem.nvshmem_signal_fetch(signal)).isEqualTo(50);
    }

    @Test
    void reductionsAreOfAllPes() {
        long x = allocate(DataType.FLOAT32, COUNT);
        wrapped(DataType.FLOAT32, x, COUNT).fill(me + 1, stream);
        LibNvshmem.nvshmemx_sum_reduce_on_stream(NvshmemType.FLOAT, 0, x, x, COUNT, queue);
        barrier();
        HostArray sum = wrapped(DataType.FLOAT32, x, COUNT).toHost();
        for (int i = 0; i < COUNT; i++) {
            assertThat(sum.getFloat(i)).isEqualTo(n * (n + 1) / 2f);
        }
    }

    @Test
    void membersMove() {
        long x = allocate(DataType.INT16, n * COUNT);
        long y = allocate(DataType.INT16, n * COUNT);
        for (int i = 0; i < n; i++) {
            wrapped(DataType.INT16, x + 2L * i * COUNT, COUNT).fill(10 * me + i, stream);
        }
        LibNvshmem.nvshmemx_alltoall_on_stream(NvshmemType.INT16, 0, y, x, COUNT, queue);
        barrier();
        HostArray all = wrapped(DataType.INT16, y, n * COUNT).toHost();
        for (int i = 0; i < n; i++) {
            assertThat(all.getInt((long) i * COUNT + COUNT - 1)).isEqualTo(10 * i + me);
        }
        LibNvshmem.nvshmemx_fcollect_on_stream(NvshmemType.INT16, 0, y, x, COUNT, queue);
        barrier();
        all = wrapped(DataType.INT16, y, n * COUNT).toHost();
        for (int i = 0; i < n; i++) {
            assertThat(all.getInt((long) i * COUNT)).isEqualTo(10 * i);
        }
        LibNvshmem.nvshmemx_broadcast_on_stream(NvshmemType.INT16, 0, y, x, COUNT, n - 1, queue);
        barrier();
        assertThat(wrapped(DataType.INT16, y, COUNT).toHost().getInt(5)).isEqualTo(10 * (n - 1));
    }

    /** They write "not implemented" and return, which is why there are kernels instead. */
    @Test
    void atomicsOfTheHostLibraryDoNothing() {
        long x = allocate(DataType.UINT64, 1);
        LibNvshmem.nvshmem_atomic_inc(NvshmemType.UINT64, x, next);
        barrier();
        assertThat(wrapped(DataType.UINT64, x, 1).toHost().getLong(0)).isZero();
        assertThat(LibNvshmem.nvshmem_atomic_fetch(NvshmemType.UINT64, x, next)).isZero();
        barrier();
    }

    @Test
    void teamsAreSplit() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment team = arena.allocate(JAVA_INT);
            int size = (n + 1) / 2;
            LibNvshmem.nvshmem_team_split_strided(0, 0, n == 1 ? 1 : 2, size, MemorySegment.NULL, 0, team);
            int even = team.get(JAVA_INT, 0);
            assertThat(even >= 0).isEqualTo(me % 2 == 0);
            long x = allocate(DataType.INT32, 1);
            wrapped(DataType.INT32, x, 1).fill(me, stream);
            if (even >= 0) {
                assertThat(LibNvshmem.nvshmem_team_n_pes(even)).isEqualTo(size);
                assertThat(LibNvshmem.nvshmem_team_translate_pe(even, size - 1, 0))
                        .isEqualTo(2 * (size - 1));
                LibNvshmem.nvshmemx_max_reduce_on_stream(NvshmemType.INT32, even, x, x, 1, queue);
                stream.synchronize();
                assertThat(wrapped(DataType.INT32, x, 1).toHost().getInt(0)).isEqualTo(2 * (size - 1));
                LibNvshmem.nvshmem_team_destroy(even);
            }
            barrier();
        }
    }

    @Test
    void memoryComesBack() {
        long first = allocate(DataType.INT8, 1 << 20);
        LibNvshmem.nvshmem_free(first);
        for (int i = 0; i < 100; i++) {
            long again = allocate(DataType.INT8, 1 << 20);
            assertThat(again).isEqualTo(first);
            LibNvshmem.nvshmem_free(again);
        }
        if (Pes.simulated()) {
            // More than any heap can have. The real library takes the whole heap away then, and ends at the next
            // barrier.
            assertThat(LibNvshmem.nvshmem_malloc(1L << 40)).isZero();
        }
        assertThat(allocate(DataType.INT8, 1 << 20)).isEqualTo(first);
    }
}
