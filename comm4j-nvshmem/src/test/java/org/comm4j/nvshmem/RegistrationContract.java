// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.CUmemAccessDesc;
import org.comm4j.ffi.cuda.CUmemAllocationProp;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of the program that the symmetric heap takes in. The processes are started with {@link #ENVIRONMENT}. */
@SuppressWarnings("try") // arrays are closed before their blocks end
class RegistrationContract {
    private static final int CYCLES = Nightly.times(75, 300);
    /** After so many cycles nothing grows any more. */
    private static final int WARM = 10;

    private static final int LIVES = 3;
    private static final long SLACK = 64L << 20;

    private static final int STEP = 4 << 20;

    /** A granularity that is neither NVSHMEM's own, of which there would be too much, nor the driver's. */
    static final Map<String, String> ENVIRONMENT = Map.of("NVSHMEM_CUMEM_GRANULARITY", Integer.toString(STEP));

    private static final int COUNT = 1000;

    private Nvshmem nvshmem;
    private int me;
    private int next;
    private int n;

    @BeforeEach
    void current() {
        nvshmem = Pes.current();
        me = nvshmem.myPe();
        n = nvshmem.nPes();
        next = (me + 1) % n;
    }

    private DeviceArray memory(long count) {
        return Pes.device().allocateShareable(DataType.INT32, count, nvshmem.granularity());
    }

    private int previous() {
        return (me + n - 1) % n;
    }

    private void assertStillUsable() {
        try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 10);
                DeviceArray memory = memory(COUNT);
                SymmetricArray registered = nvshmem.register(memory)) {
            array.fill(me + 3);
            nvshmem.put(registered, array, next);
            nvshmem.barrierAll();
            assertThat(memory.toHost().getInt(9)).isEqualTo(previous() + 3);
        }
    }

    @Test
    void theGranularityIsAsTheProgramSaid() {
        assertThat(nvshmem.granularity()).isEqualTo(STEP);
    }

    @Test
    void isTheProgramsAndEverybodys() {
        try (DeviceArray memory = memory(COUNT);
                SymmetricArray other = nvshmem.allocate(DataType.INT32, COUNT)) {
            memory.fill(5 + me);
            try (SymmetricArray registered = nvshmem.register(memory)) {
                assertThat(registered.count()).isEqualTo(COUNT);
                assertThat(registered.type()).isEqualTo(DataType.INT32);
                assertThat(registered.toHost().getInt(COUNT - 1)).isEqualTo(5 + me);
                assertThat(registered.address()).isNotEqualTo(memory.address());
                nvshmem.get(other, registered, next);
                assertThat(other.toHost().getInt(COUNT - 1)).isEqualTo(5 + next);
                // All have looked before anybody writes.
                nvshmem.barrierAll();
                other.fill(100 + me);
                nvshmem.put(registered, other, next);
                nvshmem.barrierAll();
                assertThat(memory.toHost().getInt(7)).isEqualTo(100 + previous());
                nvshmem.barrierAll();
                nvshmem.p(registered, 1, 70L + me, next);
                nvshmem.barrierAll();
                assertThat(memory.toHost().getInt(1)).isEqualTo(70 + previous());
            }
            assertThat(memory.toHost().getInt(COUNT - 1)).isEqualTo(100 + previous());
        }
        assertStillUsable();
    }

    @Test
    void takesAtomicsSignalsAndCollectives() {
        try (DeviceArray memory = memory(COUNT);
                SymmetricArray registered = nvshmem.register(memory);
                SymmetricArray sums = nvshmem.allocate(DataType.INT32, COUNT);
                Stream stream = Pes.device().newStream()) {
            for (int i = 0; i < 3; i++) {
                nvshmem.atomicAdd(registered, 0, 1 + me, 0);
            }
            nvshmem.barrierAll();
            assertThat(nvshmem.atomicFetch(registered, 0, 0)).isEqualTo(3L * n * (n + 1) / 2);
            nvshmem.barrierAll();
            memory.fill(me + 1, stream);
            nvshmem.world().reduce(sums, registered, ReduceOp.SUM, stream);
            nvshmem.world().broadcast(registered, sums, 0, stream);
            nvshmem.synchronize(stream);
            assertThat(memory.toHost().getInt(COUNT - 1)).isEqualTo(n * (n + 1) / 2);
            nvshmem.barrierAll();
            if (nvshmem.reaches(next)) {
                nvshmem.ptr(registered, next).fill(40 + me);
                nvshmem.barrierAll();
                assertThat(memory.toHost().getInt(0)).isEqualTo(40 + previous());
            }
        }
        assertStillUsable();
    }

    @Test
    void canBeRegisteredAgain() {
        try (DeviceArray memory = memory(COUNT)) {
            for (int round = 0; round < 5; round++) {
                memory.fill(round);
                try (SymmetricArray registered = nvshmem.register(memory);
                        SymmetricArray between = nvshmem.allocate(DataType.INT32, COUNT)) {
                    between.fill(10 * round + me);
                    nvshmem.barrierAll();
                    assertThat(registered.toHost().getInt(3)).isEqualTo(round);
                    nvshmem.barrierAll();
                    nvshmem.put(registered, between, next);
                    nvshmem.barrierAll();
                }
                assertThat(memory.toHost().getInt(3)).isEqualTo(10 * round + previous());
            }
        }
    }

    /** Several at a time, of several sizes, given back in another order. */
    @Test
    void severalAtATime() {
        try (DeviceArray a = memory(COUNT);
                DeviceArray b = memory(STEP / 4 + 1);
                DeviceArray c = memory(STEP / 4)) {
            SymmetricArray ofA = nvshmem.register(a);
            SymmetricArray ofB = nvshmem.register(b);
            SymmetricArray ofC = nvshmem.register(c);
            nvshmem.p(ofB, STEP / 4, 8L + me, next);
            nvshmem.p(ofC, STEP / 4 - 1, 9L + me, next);
            nvshmem.barrierAll();
            ofA.close();
            assertThat(b.toHost().getInt(STEP / 4)).isEqualTo(8 + previous());
            ofC.close();
            SymmetricArray again = nvshmem.register(a);
            nvshmem.p(again, 0, 7L + me, next);
            nvshmem.p(ofB, 0, 6L + me, next);
            nvshmem.barrierAll();
            assertThat(a.toHost().getInt(0)).isEqualTo(7 + previous());
            assertThat(b.toHost().getInt(0)).isEqualTo(6 + previous());
            assertThat(c.toHost().getInt(STEP / 4 - 1)).isEqualTo(9 + previous());
            again.close();
            ofB.close();
        }
        assertStillUsable();
    }

    /** Nobody's memory goes from under the others. */
    @Test
    void whatIsClosedTooEarlyStays() {
        DeviceArray memory = memory(COUNT);
        memory.fill(5);
        SymmetricArray registered = nvshmem.register(memory);
        memory.close();
        assertThat(memory.isAlive()).isFalse();
        nvshmem.p(registered, 0, 7L + me, next);
        nvshmem.barrierAll();
        assertThat(registered.toHost().getInt(0)).isEqualTo(7 + previous());
        assertThat(registered.toHost().getInt(COUNT - 1)).isEqualTo(5);
        long before = physical();
        registered.close();
        assertThat(registered.isAlive()).isFalse();
        if (Pes.simulated()) {
            assertThat(physical()).isEqualTo(before - 1);
        }
        assertStillUsable();
    }

    private static long physical() {
        return Pes.simulated() ? Simulation.get("physical") : 0;
    }

    @Test
    void leaksAreGivenBackAtTheEnd() {
        try (DeviceArray memory = memory(COUNT)) {
            memory.fill(9);
            SymmetricArray registered = nvshmem.register(memory);
            nvshmem.p(registered, 0, 7L + me, next);
            nvshmem.barrierAll();
            Pes.close();
            assertThat(registered.isAlive()).isFalse();
            assertThat(memory.toHost().getInt(0)).isEqualTo(7 + previous());
            assertThat(memory.toHost().getInt(COUNT - 1)).isEqualTo(9);
            current();
            try (SymmetricArray again = nvshmem.register(memory)) {
                assertThat(again.toHost().getInt(COUNT - 1)).isEqualTo(9);
            }
        }
    }

    @Test
    void otherMemoryIsRefused() {
        try (DeviceArray ordinary = Pes.device().allocate(DataType.INT32, STEP / 4);
                DeviceArray small = Pes.device().allocateShareable(DataType.INT32, COUNT, 0);
                DeviceArray memory = memory(STEP);
                SymmetricArray symmetric = nvshmem.allocate(DataType.INT32, STEP / 4)) {
            assertThatThrownBy(() -> nvshmem.register(ordinary))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cuMemCreate")
                    .hasMessageContaining("allocateShareable");
            assertThatThrownBy(() -> nvshmem.register(small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2097152")
                    .hasMessageContaining("4194304")
                    .hasMessageContaining("NVSHMEM_CUMEM_GRANULARITY");
            assertThatThrownBy(() -> nvshmem.register(memory.slice(10, 100)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("40 bytes behind the front");
            assertThatThrownBy(() -> nvshmem.register(symmetric)).isInstanceOf(IllegalArgumentException.class);
            memory.close();
            assertThatThrownBy(() -> nvshmem.register(memory))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("freed");
            assertThatThrownBy(() -> nvshmem.register(memory, 0)).isInstanceOf(IllegalArgumentException.class);
        }
        assertStillUsable();
    }

    /** Memory that no other process can get. */
    @Test
    void memoryWithoutHandlesIsRefused() {
        long address = withoutHandles();
        DeviceArray memory = DeviceArray.wrap(Pes.device(), DataType.INT32, address, COUNT);
        assertThatThrownBy(() -> nvshmem.register(memory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("handles of type 0");
        Pes.device().makeCurrent();
        LibCuda.cuMemUnmap(address, STEP);
        LibCuda.cuMemAddressFree(address, STEP);
        assertStillUsable();
    }

    private static long withoutHandles() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(CUmemAllocationProp.LAYOUT);
            properties.set(JAVA_INT, CUmemAllocationProp.type, LibCuda.CU_MEM_ALLOCATION_TYPE_PINNED);
            MemorySegment access = arena.allocate(CUmemAccessDesc.LAYOUT);
            for (MemorySegment location : new MemorySegment[] {
                properties.asSlice(CUmemAllocationProp.location), access.asSlice(CUmemAccessDesc.location)
            }) {
                location.set(JAVA_INT, 0, LibCuda.CU_MEM_LOCATION_TYPE_DEVICE);
                location.set(JAVA_INT, Integer.BYTES, Pes.device().ordinal());
            }
            access.set(JAVA_INT, CUmemAccessDesc.flags, LibCuda.CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
            MemorySegment cell = arena.allocate(JAVA_LONG);
            Pes.device().makeCurrent();
            LibCuda.cuMemCreate(cell, STEP, properties, 0);
            long handle = cell.get(JAVA_LONG, 0);
            LibCuda.cuMemAddressReserve(cell, STEP, 0, 0, 0);
            long address = cell.get(JAVA_LONG, 0);
            LibCuda.cuMemMap(address, STEP, 0, handle, 0);
            LibCuda.cuMemRelease(handle);
            LibCuda.cuMemSetAccess(address, STEP, access, 1);
            return address;
        }
    }

    @Test
    void onePeThatCannotIsEnough() {
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        try (DeviceArray good = memory(COUNT);
                DeviceArray bad = Pes.device().allocate(DataType.INT32, COUNT)) {
            if (me == 1) {
                assertThatThrownBy(() -> nvshmem.register(bad))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("cuMemCreate");
            } else {
                assertThatThrownBy(() -> nvshmem.register(good))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE 1 cannot")
                        .hasMessageContaining("cuMemCreate");
            }
        }
        assertStillUsable();
    }

    @Test
    void differentSizesAreFoundOut() {
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        try (DeviceArray memory = memory(me == 0 ? COUNT : COUNT + 1)) {
            assertThatThrownBy(() -> nvshmem.register(memory))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("1000")
                    .hasMessageContaining("1001");
            assertThat(memory.isAlive()).isTrue();
        }
        // The same count, and more memory behind it.
        try (DeviceArray memory = Pes.device().allocateShareable(DataType.INT32, COUNT, me == 0 ? STEP : 2 * STEP)) {
            assertThatThrownBy(() -> nvshmem.register(memory))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("4194304")
                    .hasMessageContaining("8388608");
        }
        assertStillUsable();
    }

    @Test
    void atAnAddressOfOnesChoice() {
        try (DeviceArray memory = memory(COUNT)) {
            SymmetricArray first = nvshmem.register(memory);
            long place = first.address();
            first.close();
            if (!Library.isAtLeast(Nvshmem.version(), 3, 6)) {
                assertThatThrownBy(() -> nvshmem.register(memory, place))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("3.6")
                        .hasMessageContaining(Nvshmem.version());
                return;
            }
            try (SymmetricArray again = nvshmem.register(memory, place)) {
                nvshmem.p(again, 0, 7L + me, next);
                nvshmem.barrierAll();
                assertThat(memory.toHost().getInt(0)).isEqualTo(7 + previous());
            }
        }
        assertStillUsable();
    }

    @Test
    void shareableMemoryDoesNotGrow() {
        long before = 0;
        for (int i = 0; i < CYCLES; i++) {
            try (DeviceArray memory = memory(COUNT)) {
                assertThat(memory.isAlive()).isTrue();
            }
            if (i == WARM) {
                before = Pes.device().freeMemory();
            }
        }
        assertThat(Pes.device().freeMemory()).isGreaterThan(before - SLACK);
    }

    /**
     * NVSHMEM keeps the descriptors by which other PEs have mapped the memory, and so the memory, until its end: this
     * PE's is free when all PEs have ended it.
     */
    @Test
    void nothingIsLeftBehindTheEnd() {
        long before = 0;
        for (int life = 0; life < LIVES; life++) {
            nvshmem = Pes.current();
            for (int i = 0; i < CYCLES / LIVES; i++) {
                try (DeviceArray memory = memory(COUNT);
                        SymmetricArray registered = nvshmem.register(memory)) {
                    assertThat(registered.isAlive()).isTrue();
                }
            }
            Pes.close();
            Pes.world().barrier();
            if (life == 0) {
                before = Pes.device().freeMemory();
            }
        }
        assertThat(Pes.device().freeMemory()).isGreaterThan(before - SLACK);
        nvshmem = Pes.current();
    }
}
