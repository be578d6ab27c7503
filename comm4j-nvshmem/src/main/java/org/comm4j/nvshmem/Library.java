// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.comm4j.cuda.Cuda;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NvshmemPlugins;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * The NVSHMEM that this process has loaded, and whether it can be initialised: where it cannot, it ends the process.
 */
final class Library {
    /** The oldest version that this module is made for: major, minor. */
    private static final int[] OLDEST = {3, 4};

    private static final Path INFINIBAND = Path.of("/sys/class/infiniband");

    private Library() {}

    /**
     * Such as "3.4.5".
     *
     * @throws UnsupportedOperationException if it is too old
     */
    static String version() {
        String version = Objects.requireNonNullElse(loadedVersion(), "?");
        if (!isAtLeast(version, OLDEST[0], OLDEST[1])) {
            throw new UnsupportedOperationException(
                    "NVSHMEM " + OLDEST[0] + "." + OLDEST[1] + " or newer is needed; loaded: " + version + " ("
                            + LibNvshmem.library().file() + ")");
        }
        return version;
    }

    private static @Nullable String loadedVersion() {
        // A call loads it, or says why not.
        int ignored = LibNvshmem.nvshmemx_init_status();
        return LibNvshmem.library().version();
    }

    /** @throws UnsupportedOperationException if the loaded NVSHMEM is older than an operation */
    static void require(String operation, String where, int major, int minor) {
        if (!isAtLeast(version(), major, minor)) {
            throw new UnsupportedOperationException(operation + " on " + where + ": NVSHMEM has it from " + major + "."
                    + minor + " on; loaded: " + version());
        }
    }

    static boolean isAtLeast(String version, int major, int minor) {
        String[] parts = version.split("\\.", -1);
        try {
            int first = Integer.parseInt(parts[0]);
            return first > major || first == major && parts.length > 1 && Integer.parseInt(parts[1]) >= minor;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    static Path file() {
        int ignored = LibNvshmem.nvshmemx_init_status();
        return Objects.requireNonNull(LibNvshmem.library().file());
    }

    /** Whether somebody in this process has initialised it. */
    static boolean isInitialized() {
        return LibNvshmem.nvshmemx_init_status() != LibNvshmem.NVSHMEM_STATUS_NOT_INITIALIZED;
    }

    /** What would make the initialisation fail, or end the process; null if nothing is known. */
    static @Nullable String problem() {
        try {
            if (!LibNvshmem.library().isPresent()) {
                return LibNvshmem.library().problem();
            }
            String version = version();
            String plugins = NvshmemPlugins.beside(file()).problem(version);
            if (plugins != null) {
                return plugins;
            }
            String cuda = Cuda.problem();
            if (cuda != null) {
                return cuda;
            }
            return Cuda.deviceCount() == 0 ? "there is no GPU" : null;
        } catch (IllegalCallerException e) {
            return "native access is not allowed; start java with --enable-native-access=org.comm4j.ffi (or ALL-UNNAMED"
                    + " where comm4j is on the class path)";
        } catch (NativeCallException | UnsupportedOperationException | CommException e) {
            return e.getMessage();
        }
    }

    /** Two GPUs that this process sees and that NVSHMEM cannot connect; with no {@link #problem}. */
    static @Nullable String peerProblem() {
        if (hasWayAround()) {
            return null;
        }
        for (int one = 0; one < Cuda.deviceCount(); one++) {
            for (int other = 0; other < Cuda.deviceCount(); other++) {
                if (one != other && !canAccess(one, other)) {
                    return unreachable(one, other);
                }
            }
        }
        return null;
    }

    /** For PEs with these GPUs of one machine. */
    static String unreachable(int one, int other) {
        return "GPUs " + one + " and " + other
                + " do not reach each other's memory (nvidia-smi topo -p2p r), and there is no"
                + " InfiniBand device for a way around: NVSHMEM cannot connect them. CUDA_VISIBLE_DEVICES chooses others";
    }

    /** Whether NVSHMEM might connect GPUs that do not reach each other's memory. */
    static boolean hasWayAround() {
        if (Optional.ofNullable(variable("NVSHMEM_REMOTE_TRANSPORT")).orElse("").equals("none")) {
            return false;
        }
        try (Stream<Path> devices = Files.list(INFINIBAND)) {
            return devices.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable String variable(String name) {
        return OperatingSystem.current().variable(name);
    }

    /** Asks the driver without starting anything on the devices. */
    static boolean canAccess(int one, int other) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            LibCuda.cuDeviceCanAccessPeer(cell, handle(one, cell), handle(other, cell));
            return cell.get(JAVA_INT, 0) != 0;
        }
    }

    /**
     * Whether atomic instructions of one GPU on the other one's memory are atomic towards those of others; true also if
     * the driver cannot tell.
     */
    static boolean isAtomic(int one, int other) {
        if (one == other || !LibCuda.has("cuDeviceGetP2PAttribute")) {
            return true;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            LibCuda.cuDeviceGetP2PAttribute(
                    cell,
                    LibCuda.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
                    handle(one, cell),
                    handle(other, cell));
            return cell.get(JAVA_INT, 0) != 0;
        }
    }

    /** What no other GPU in the world has, in hexadecimal digits. */
    static String uuid(int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(16, 8);
            LibCuda.cuDeviceGetUuid(cell, handle(ordinal, arena.allocate(JAVA_LONG)));
            return HexFormat.of().formatHex(cell.toArray(JAVA_BYTE));
        }
    }

    private static int handle(int ordinal, MemorySegment cell) {
        LibCuda.cuDeviceGet(cell, ordinal);
        return cell.get(JAVA_INT, 0);
    }
}
