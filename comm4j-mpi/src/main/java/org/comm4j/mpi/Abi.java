// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.mpi.LibMpi;

/**
 * The constants of an MPI library's binary interface. All handles are integers of 64 bits here: what is a pointer in
 * Open MPI and in the standard interface is a number of 32 bits in MPICH, where the upper half is ignored.
 */
final class Abi {

    /** Binary interface of a library. */
    enum Family {
        /** That of MPI 5, in {@code libmpi_abi.so}. */
        STANDARD,
        /** MPICH, Intel MPI, MVAPICH, Cray MPICH. */
        MPICH,
        /** Open MPI from 4.0 on, whose handles are addresses of the library's symbols. */
        OPEN_MPI
    }

    /** The name without {@code MPI_}, then its value in each family, in their order. */
    static final String TABLE = """
        COMM_WORLD                   0x101    0x44000000   ompi_mpi_comm_world
        COMM_SELF                    0x102    0x44000001   ompi_mpi_comm_self
        COMM_NULL                    0x100    0x04000000   ompi_mpi_comm_null
        REQUEST_NULL                 0x180    0x2c000000   ompi_request_null
        ERRORS_RETURN                0x143    0x54000001   ompi_mpi_errors_return
        SUM                          0x21     0x58000003   ompi_mpi_op_sum
        MIN                          0x22     0x58000002   ompi_mpi_op_min
        MAX                          0x23     0x58000001   ompi_mpi_op_max
        PROD                         0x24     0x58000004   ompi_mpi_op_prod
        BAND                         0x28     0x58000006   ompi_mpi_op_band
        BOR                          0x29     0x58000008   ompi_mpi_op_bor
        BXOR                         0x2a     0x5800000a   ompi_mpi_op_bxor
        BYTE                         0x247    0x4c00010d   ompi_mpi_byte
        INT8_T                       0x240    0x4c000137   ompi_mpi_int8_t
        INT16_T                      0x248    0x4c000238   ompi_mpi_int16_t
        INT32_T                      0x250    0x4c000439   ompi_mpi_int32_t
        INT64_T                      0x258    0x4c00083a   ompi_mpi_int64_t
        UINT8_T                      0x241    0x4c00013b   ompi_mpi_uint8_t
        UINT16_T                     0x249    0x4c00023c   ompi_mpi_uint16_t
        UINT32_T                     0x251    0x4c00043d   ompi_mpi_uint32_t
        UINT64_T                     0x259    0x4c00083e   ompi_mpi_uint64_t
        FLOAT                        0x210    0x4c00040a   ompi_mpi_float
        DOUBLE                       0x214    0x4c00080b   ompi_mpi_double
        C_FLOAT_COMPLEX              0x212    0x4c000840   ompi_mpi_c_float_complex
        C_DOUBLE_COMPLEX             0x216    0x4c001041   ompi_mpi_c_double_complex
        IN_PLACE                     1        -1           1
        ANY_SOURCE -1 -2 -1
        ANY_TAG -2 -1 -1
        STATUS_IGNORE                0        1            0
        UNDEFINED                    -32766   -32766       -32766
        THREAD_SINGLE                0        0            0
        THREAD_FUNNELED              1024     1            1
        THREAD_SERIALIZED            2048     2            2
        THREAD_MULTIPLE              4096     3            3
        MAX_ERROR_STRING             512      512          256
        MAX_LIBRARY_VERSION_STRING   8192     8192         256
        """;

    private final Family family;
    private final Map<String, Long> values = new HashMap<>();

    Abi(Family family, NativeLibrary library) {
        this.family = family;
        for (String line : TABLE.strip().split("\n")) {
            String[] words = line.strip().split(" +");
            String value = words[1 + family.ordinal()];
            values.put(
                    words[0],
                    value.startsWith("ompi_")
                            ? library.function(value).address().address()
                            : Long.decode(value));
        }
    }

    /** Asks the loaded library what it is; it need not be initialised. */
    static Abi ofLibrary() {
        NativeLibrary library = LibMpi.library();
        return new Abi(family(library), library);
    }

    private static Family family(NativeLibrary library) {
        if (library.function("ompi_mpi_comm_world").isPresent()) {
            return Family.OPEN_MPI;
        }
        if (!LibMpi.library().has("MPI_Abi_get_version")) {
            return Family.MPICH;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(ValueLayout.JAVA_INT, 2);
            int status = LibMpi.MPI_Abi_get_version(version.address(), version.address() + 4);
            // A library with an interface of its own says -1.
            return status == 0 && version.get(ValueLayout.JAVA_INT, 0) >= 1 ? Family.STANDARD : Family.MPICH;
        }
    }

    Family family() {
        return family;
    }

    /** Where the source of a message is in a {@code MPI_Status}, in bytes; the tag is the next number. */
    long sourceInStatus() {
        return sourceInStatus(family);
    }

    static long sourceInStatus(Family family) {
        return family == Family.MPICH ? 8 : 0;
    }

    /** The value of {@code MPI_name}. */
    long get(String name) {
        Long value = values.get(name);
        if (value == null) {
            throw new NoSuchElementException("MPI_" + name);
        }
        return value;
    }
}
