// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What becomes of NVSHMEM's functions for kernels. */
class NvshmemFunctionsTest {
    private static SymbolTable table() throws IOException {
        return TableText.read(Files.readString(Checkout.TABLES.resolve(NvshmemDevice.TABLE)));
    }

    private static List<String> names(SymbolTable table) {
        List<String> names = new ArrayList<>();
        table.functions().forEach(f -> names.add(f.name()));
        table.families().forEach(family -> names.addAll(family.names()));
        return names;
    }

    /** So a new version's functions are noticed. */
    @Test
    void everyFunctionIsDeclaredOrHasAReason() throws IOException {
        NvshmemFunctions functions = new NvshmemFunctions(table());
        assertThat(functions.file()).contains("final class NvshmemFunctions");
        Set<String> left = new HashSet<>(names(table()));
        assertThat(left).containsAll(functions.declared());
        left.removeAll(functions.declared());
        for (Pattern names : NvshmemFunctions.reasons().keySet()) {
            assertThat(left.removeIf(name -> names.matcher(name).matches()))
                    .as("what %s is the reason for, and none before it", names)
                    .isTrue();
        }
        assertThat(left).as("neither declared nor on the list of what is not").isEmpty();
    }

    /** Figures that others counted in NVIDIA's bitcode: all but nvshmem_global_exit, which the headers only declare. */
    @Test
    void theTableIsWhole() throws IOException {
        assertThat(names(table())).hasSize(2730).doesNotHaveDuplicates();
    }

    /** Of types, sizes, types and operations; and what came later. */
    @Test
    void declarations() throws IOException {
        String text = new NvshmemFunctions(table()).file().replace("\n    ", "\n");
        assertThat(text).contains("""
                        @DeviceFunction(value = "nvshmem_int32_wait_until_any_vector", unit = NvshmemUnit.NAME, cooperative = true)
                        static long nvshmem_wait_until_any_vector(
                                I32Ptr ivars, long nelems, @Nullable I32Ptr status, int cmp, I32Ptr cmpValue) {
                            return Twin.waitUntilAny(ivars, nelems, status, cmp, cmpValue);
                        }
                        """, """
                        @DeviceFunction(value = "nvshmem_uint64_atomic_fetch_inc", unit = NvshmemUnit.NAME)
                        static long nvshmem_atomic_fetch_inc(I64Ptr target, int pe) {
                            return Twin.atomicFetchAdd(target, 1, pe);
                        }
                        """, """
                        @DeviceFunction(value = "comm4j_iput$1_warp", unit = NvshmemUnit.NAME, words = SIZES, convergent = true)
                        static void nvshmemx_iput_warp(Ptr dest, Ptr source, long dst, long sst, long nelems, int pe) {
                            Twin.iput(Twin.WARP, dest, source, dst, sst, nelems, pe);
                        }
                        """, """
                        @DeviceFunction(
                                value = "nvshmemx_$2_$5_reduce_block",
                                unit = NvshmemUnit.NAME,
                                words = BITWISE,
                                convergent = true,
                                cooperative = true)
                        static int nvshmemx_bitwise_reduce_block(int team, Ptr dest, Ptr source, long nreduce, ReduceOp op) {
                            return Twin.reduce(Twin.BLOCK, team, dest, source, nreduce, op);
                        }
                        """, """
                        @Since("3.7")
                        @DeviceFunction(value = "nvshmemx_flush_warp", unit = NvshmemUnit.NAME, convergent = true)
                        static void nvshmemx_flush_warp() {
                            Twin.flush(Twin.WARP);
                        }
                        """);
    }
}
