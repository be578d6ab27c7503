// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.core.CommException;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/**
 * The driver, or the run-time compiler, refused or failed. The message says what was being done, on which device and
 * how large, what the library calls the error, and what to do about it.
 *
 * <p>After some errors, such as an illegal address in a kernel, the driver answers every call of the process with that
 * error, also for devices that had no part in it; messages then tell what met it first. Other processes are not
 * affected.
 */
public class CudaException extends CommException {
    private static final long serialVersionUID = 1L;

    /** {@link #status} of a failure that no library reported. */
    public static final int NO_STATUS = -1;

    /** What met an error that ends the process's use of CUDA; null before. */
    private static final AtomicReference<@Nullable String> FIRST = new AtomicReference<>();

    private final int status;

    CudaException(String message) {
        super(message);
        this.status = NO_STATUS;
    }

    private CudaException(String message, NativeCallException cause) {
        super(message, cause);
        this.status = cause.status();
    }

    /** Returns the library's status code ({@code CUresult}, {@code nvrtcResult}), or {@link #NO_STATUS}. */
    public int status() {
        return status;
    }

    /** @param operation what was tried and where: "copy of 4 x INT32 to device 0" */
    static CudaException of(String operation, NativeCallException cause) {
        String advice = endsProcess(cause.status()) ? lastWords(operation) : advice(cause.status());
        return new CudaException(
                operation + " failed: " + cause.getMessage() + (advice == null ? "" : "; " + advice), cause);
    }

    private static boolean endsProcess(int status) {
        return switch (status) {
            case LibCuda.CUDA_ERROR_ILLEGAL_ADDRESS,
                    LibCuda.CUDA_ERROR_LAUNCH_FAILED,
                    LibCuda.CUDA_ERROR_LAUNCH_TIMEOUT,
                    LibCuda.CUDA_ERROR_ASSERT,
                    LibCuda.CUDA_ERROR_MISALIGNED_ADDRESS,
                    LibCuda.CUDA_ERROR_INVALID_ADDRESS_SPACE,
                    LibCuda.CUDA_ERROR_INVALID_PC,
                    LibCuda.CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    LibCuda.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    LibCuda.CUDA_ERROR_ECC_UNCORRECTABLE -> true;
            default -> false;
        };
    }

    private static String lastWords(String operation) {
        String first = FIRST.compareAndExchange(null, operation);
        return (first == null ? "a kernel that ran earlier did this" : "this process met it first in: " + first)
                + "; CUDA is of no more use to this process, on any device, so start it anew. Run under"
                + " compute-sanitizer to find the kernel";
    }

    /** For failures of NVRTC, whose status codes mean other things. */
    static CudaException withDetail(String operation, NativeCallException cause, String detail) {
        return new CudaException(operation + " failed: " + cause.getMessage() + detail, cause);
    }

    private static @Nullable String advice(int status) {
        return switch (status) {
            case LibCuda.CUDA_ERROR_OUT_OF_MEMORY ->
                "close arrays that are not needed any more, or look with nvidia-smi who else uses the device";
            case LibCuda.CUDA_ERROR_NO_DEVICE ->
                "no GPU is visible to this process: look at nvidia-smi and CUDA_VISIBLE_DEVICES";
            case LibCuda.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                    LibCuda.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                    LibCuda.CUDA_ERROR_SYSTEM_NOT_READY -> "the driver's parts do not fit together: look at nvidia-smi";
            case LibCuda.CUDA_ERROR_NO_BINARY_FOR_GPU ->
                "the code was compiled for another architecture: compile for this device's";
            case LibCuda.CUDA_ERROR_UNSUPPORTED_PTX_VERSION ->
                "the PTX is newer than the driver: update the driver, or compile to a cubin";
            case LibCuda.CUDA_ERROR_CONTEXT_IS_DESTROYED, LibCuda.CUDA_ERROR_INVALID_CONTEXT ->
                "something else in this process reset the device (cudaDeviceReset): its objects are lost";
            case LibCuda.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                    LibCuda.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                    LibCuda.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                    LibCuda.CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                    LibCuda.CUDA_ERROR_STREAM_CAPTURE_ISOLATION ->
                "a capture takes only stream-ordered work: allocate, synchronise and copy without a stream outside of it, "
                        + "and let every stream that it forked to join again by an event";
            case LibCuda.CUDA_ERROR_NOT_PERMITTED -> "a host callback must not call CUDA";
            case LibCuda.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, LibCuda.CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ->
                "use fewer threads, registers or less shared memory per block, or fewer blocks";
            default -> null;
        };
    }
}
