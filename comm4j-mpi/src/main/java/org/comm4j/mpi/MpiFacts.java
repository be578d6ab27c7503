// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.List;
import java.util.Locale;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * What an MPI library can, as it says itself once it is initialised.
 *
 * @param library its name, version and file
 * @param family its binary interface: {@code open mpi}, {@code mpich} or {@code standard}
 * @param severalThreads whether it bears calls of several threads at a time ({@code MPI_THREAD_MULTIPLE})
 * @param largeCounts whether it has functions with counts of 64 bits, such as {@code MPI_Allreduce_c}
 * @param persistentCollectives whether it has them, such as {@code MPI_Allreduce_init}
 * @param goesOn whether the job goes on when a rank dies (ULFM), as it was started
 * @param cuda whether it takes memory of GPUs; null if it does not say
 * @param signals names of the signals that it took from the JVM, which has them again
 */
public record MpiFacts(
        String library,
        String family,
        boolean severalThreads,
        boolean largeCounts,
        boolean persistentCollectives,
        boolean goesOn,
        @Nullable Boolean cuda,
        List<String> signals) {

    public MpiFacts {
        signals = List.copyOf(signals);
    }

    static MpiFacts of(MpiProcess process) {
        NativeLibrary library = LibMpi.library();
        boolean says = LibMpi.has("MPIX_Query_cuda_support");
        return new MpiFacts(
                process.library(),
                process.abi().family().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                process.severalThreads(),
                library.function("MPI_Allreduce_c").isPresent(),
                LibMpi.has("MPI_Allreduce_init"),
                process.goesOn(),
                says ? Boolean.valueOf(LibMpi.MPIX_Query_cuda_support() != 0) : null,
                process.signals());
    }
}
