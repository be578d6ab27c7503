// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.comm4j.core.CommException;
import org.comm4j.core.spi.Halt;
import org.comm4j.ffi.ExitGuard;
import org.comm4j.ffi.LibraryNotFoundException;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/** The CUDA driver of this machine. Nothing here throws because there is none: {@link #problem} says so. */
public final class Cuda {
    /** The driver and libraries over it open up to some hundred for each device. */
    private static final int OPEN_FILES = 4096;

    private Cuda() {}

    /** The driver is started once, when it is first asked for. */
    private static final class Start {
        static final @Nullable CommException FAILURE;
        static final int VERSION;
        static final int DEVICES;

        static {
            // Libraries over the driver hold an ExitGuard while they are in use; halting the process needs this as
            // well.
            Halt.before(ExitGuard::beforeEnd);
            CommException failure = null;
            int version = 0;
            int devices = 0;
            try {
                version = intFrom("ask for the driver's version", LibCuda::cuDriverGetVersion);
                makeRoomForFiles();
                run("start the CUDA driver", () -> LibCuda.cuInit(0));
                devices = intFrom("count devices", LibCuda::cuDeviceGetCount);
                if (devices == 0) {
                    failure = new CudaException("the CUDA driver sees no device: look at CUDA_VISIBLE_DEVICES");
                }
            } catch (LibraryNotFoundException e) {
                // It says where one was looked for; once is enough.
                failure = new CommException(String.valueOf(e.getMessage()));
            } catch (UnsupportedOperationException e) {
                failure = new CommException("the CUDA driver is too old: " + e.getMessage(), e);
            } catch (CommException e) {
                failure = e;
            }
            FAILURE = failure;
            VERSION = version;
            DEVICES = devices;
        }
    }

    /** NVSHMEM is initialised 50 ms sooner where no PE has to wait for a larger table. */
    private static void makeRoomForFiles() {
        Thread.ofPlatform().daemon().name("comm4j room for open files").start(() -> {
            boolean ignored = OperatingSystem.current().makeRoomForFiles(OPEN_FILES);
        });
    }

    /**
     * Returns why there is no CUDA in this process: no driver, one that does not start, no device; null if there is.
     */
    public static @Nullable String problem() {
        NativeLibrary library = LibCuda.library();
        CommException failure = Start.FAILURE;
        return failure == null ? null : library.isPresent() ? failure.getMessage() : library.problem();
    }

    /**
     * Returns the newest CUDA version that the driver supports, as 1000 × major + 10 × minor: 13000 is CUDA 13.0; 0
     * without a driver ({@code cuDriverGetVersion}).
     */
    public static int driverVersion() {
        return Start.VERSION;
    }

    /**
     * Returns the number of devices that this process sees; 0 if there is a {@link #problem} ({@code
     * cuDeviceGetCount}).
     */
    public static int deviceCount() {
        return Start.DEVICES;
    }

    /**
     * Returns whether CUDA's Multi-Process Service is there for this process, by which kernels of processes that share
     * a device run at the same time: the pipe of its control daemon is where {@code CUDA_MPS_PIPE_DIRECTORY} says, or
     * in {@code /tmp/nvidia-mps}.
     */
    public static boolean hasMps() {
        return hasMps(System.getenv());
    }

    static boolean hasMps(Map<String, String> environment) {
        return Files.exists(Path.of(environment.getOrDefault("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps"), "control"));
    }

    /**
     * Starts the driver unless it is.
     *
     * @throws CommException if there is a {@link #problem}; without a driver it lists where one was looked for
     */
    static void require() {
        CommException failure = Start.FAILURE;
        if (failure != null) {
            Throwable cause = failure.getCause();
            String message = String.valueOf(failure.getMessage());
            throw cause == null ? new CommException(message) : new CommException(message, cause);
        }
    }

    // ---- calls of the driver outside of hot paths, and of callbacks in streams ----

    /** A call of the driver. */
    interface Call {
        void run();
    }

    /** A call of the driver that answers into a zeroed cell of 16 bytes. */
    interface CellCall {
        void run(MemorySegment cell);
    }

    /** @param operation for the message if the call fails */
    static void run(String operation, Call call) {
        HostCallbacks.checkOutside();
        try {
            call.run();
        } catch (NativeCallException e) {
            throw CudaException.of(operation, e);
        }
    }

    /** The answer as the driver gave it; the failure, too. */
    static long longFrom(CellCall call) {
        HostCallbacks.checkOutside();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(16, 8);
            call.run(cell);
            return cell.get(JAVA_LONG, 0);
        }
    }

    static long longFrom(String operation, CellCall call) {
        try {
            return longFrom(call);
        } catch (NativeCallException e) {
            throw CudaException.of(operation, e);
        }
    }

    static int intFrom(String operation, CellCall call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(16, 8);
            run(operation, () -> call.run(cell));
            return cell.get(JAVA_INT, 0);
        }
    }
}
