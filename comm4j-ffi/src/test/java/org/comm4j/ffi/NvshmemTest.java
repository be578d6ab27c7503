// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemBits;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgs;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgsV3_4_5;
import org.comm4j.ffi.nvshmem.NvshmemxInitAttr;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueid;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueidArgs;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * NVSHMEM from its wheels, as far as it goes without a GPU: what may be called before it is initialised, and what it
 * has.
 */
class NvshmemTest {
    @BeforeAll
    static void wheels() {
        Natives.use();
    }

    private static void needsLibrary() {
        assumeTrue(
                LibNvshmem.library().isPresent(),
                () -> LibNvshmem.library().problem() + " dev/natives fetches it for tests");
    }

    /** A version of its own, beside the one that the bindings use. */
    private static NativeLibrary load(String version) {
        Optional<Path> file = Natives.nvshmem(version);
        assumeTrue(file.isPresent(), Natives.missing("nvidia-nvshmem-cu13-" + version));
        Surroundings process = Surroundings.ofProcess();
        Surroundings surroundings = new Surroundings(
                name -> name.equals(LibraryName.NVSHMEM.property())
                        ? file.orElseThrow().toString()
                        : "",
                process.variables(),
                process.home(),
                process.root(),
                process.loader());
        return new Locator(LibraryName.NVSHMEM, surroundings).locate();
    }

    @Test
    void itSaysItsVersion() {
        needsLibrary();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(LibNvshmem.NVSHMEM_MAX_NAME_LEN);
            LibNvshmem.nvshmem_info_get_name(name);
            assertThat(name.getString(0))
                    .isEqualTo("NVSHMEM v" + LibNvshmem.library().version());
            MemorySegment numbers = arena.allocate(JAVA_INT, 2);
            LibNvshmem.nvshmem_info_get_version(numbers, numbers.asSlice(4));
            assertThat(numbers.getAtIndex(JAVA_INT, 0)).as("OpenSHMEM").isEqualTo(1);
        }
    }

    @Test
    void itIsNotInitialised() {
        needsLibrary();
        assertThat(LibNvshmem.nvshmemx_init_status()).isEqualTo(LibNvshmem.NVSHMEM_STATUS_NOT_INITIALIZED);
        assertThat(LibNvshmem.nvshmem_my_pe()).isZero();
        assertThat(LibNvshmem.nvshmem_ptr(0, 0)).isZero();
        assertThat(LibNvshmem.statusName(4)).isEqualTo("NVSHMEMX_ERROR_SYMMETRY");
    }

    /** The library writes into the attributes where their classes say. */
    @Test
    void attributesOfAUniqueId() {
        needsLibrary();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(NvshmemxUniqueid.LAYOUT);
            MemorySegment attributes = arena.allocate(NvshmemxInitAttr.LAYOUT);
            LibNvshmem.nvshmemx_set_attr_uniqueid_args(2, 3, id, attributes);
            long arguments = NvshmemxInitAttr.args + NvshmemxInitArgs.uid_args;
            assertThat(NvshmemxInitArgs.uid_args).isEqualTo(NvshmemxInitArgsV3_4_5.uid_args);
            assertThat(attributes.get(ADDRESS, arguments + NvshmemxUniqueidArgs.id))
                    .isEqualTo(id);
            assertThat(attributes.get(JAVA_INT, arguments + NvshmemxUniqueidArgs.myrank))
                    .isEqualTo(2);
            assertThat(attributes.get(JAVA_INT, arguments + NvshmemxUniqueidArgs.nranks))
                    .isEqualTo(3);
        }
    }

    @Test
    void whatAnOlderVersionLacks() {
        NativeLibrary old = load("3.4.5");
        assertThat(old.version()).isEqualTo("3.4.5");
        NativeFamily<NvshmemType> add =
                old.family("nvshmemx_<T>_atomic_add", "3.7", NvshmemType.class, "half float double");
        assertThat(add.has(NvshmemType.FLOAT)).isFalse();
        assertThat(old.has("nvshmemx_float_atomic_add")).isFalse();
        assertThatThrownBy(() -> add.function(NvshmemType.FLOAT).address())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("nvshmemx_float_atomic_add needs NVSHMEM 3.7 or newer; loaded: 3.4.5 (" + old.file() + ")");
        assertThat(load("3.8.0")
                        .family("nvshmemx_<T>_atomic_add", "3.7", NvshmemType.class, "half float double")
                        .has(NvshmemType.FLOAT))
                .isTrue();
    }

    @Test
    void aTypeThatAFamilyLacks() {
        needsLibrary();
        assertThatThrownBy(() -> LibNvshmem.nvshmem_and_reduce(NvshmemType.FLOAT, 0, 0, 0, 0))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageStartingWith("NVSHMEM has no function nvshmem_float_and_reduce, only for uchar, ");
    }

    @Test
    void functionsOfFamiliesByTheirNames() {
        needsLibrary();
        assertThat(LibNvshmem.has("nvshmem_float_put")).isTrue();
        assertThat(LibNvshmem.has("nvshmemx_put128_signal_on_stream")).isTrue();
        assertThat(LibNvshmem.has("nvshmem_team_split_2d")).isTrue();
        assertThatThrownBy(() -> LibNvshmem.has("nvshmem_float_and_reduce"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("comm4j binds no function nvshmem_float_and_reduce of NVSHMEM");
    }

    /** The choice of a family's function is part of each put: it must leave nothing for the collector. */
    @Test
    void choosingAllocatesNothing() {
        needsLibrary();
        NativeFamily<NvshmemBits> put =
                LibNvshmem.library().family("nvshmem_put<N>", "", NvshmemBits.class, "8 16 32 64 128");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        NvshmemBits[] sizes = NvshmemBits.values();
        long allocated = 1;
        long sum = 0;
        // Until the compiler has compiled the loop, which takes a few rounds.
        for (int round = 0; round < 50 && allocated > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                sum += put.function(sizes[i % sizes.length]).address().address();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(sum).isNotZero();
        assertThat(allocated).isZero();
    }
}
