// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of an {@link Nvshmem} share: who this PE is, whether the library can be called, and the checks before each call.
 *
 * <p>A call into the library is {@link #enter}, the call, {@link #leave} in a {@code finally}: the library takes calls of one thread at
 * a time ({@code NVSHMEM_THREAD_SERIALIZED}). Nobody waits for other PEs with the lock held but the collective calls that block
 * inside the library.
 */
final class Session {
    final World world;
    /** This GPU as the user opened it: what arrays are on. */
    final Device userDevice;
    /** This GPU as it stays open until the end, whatever the user closes first. */
    final Device device;
    /** Of the operations without a stream. */
    final Stream own;

    final int myPe;
    final int nPes;
    final ReentrantLock lock = new ReentrantLock();

    /** Why the library cannot be called; null while it can. */
    private volatile @Nullable String unusable;

    private volatile @Nullable CommException failure;

    private volatile long timeoutNanos;

    Session(World world, Device userDevice, Device device, Stream own, int myPe, int nPes) {
        this.world = world;
        this.userDevice = userDevice;
        this.device = device;
        this.own = own;
        this.myPe = myPe;
        this.nPes = nPes;
    }

    // ---- may the library be called? ----

    /** @throws IllegalStateException after close, and when the PEs are out of step */
    void check(String operation) {
        String reason = unusable;
        if (reason != null) {
            throw new IllegalStateException(operation + " on " + where() + ": " + reason, failure);
        }
    }

    /** Begins a call into the library: {@link #leave} ends it. */
    void enter(String operation) {
        lock.lock();
        try {
            check(operation);
            device.makeCurrent();
        } catch (Throwable e) {
            lock.unlock();
            throw e;
        }
    }

    /** {@link #enter(String)} for a call that puts work into {@code stream}. */
    CUstream enter(String operation, Stream stream) {
        if (stream.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(
                    operation + " on " + where() + ": " + stream + " is not on " + device + ", the GPU of this PE");
        }
        CUstream handle = stream.handle();
        enter(operation);
        return handle;
    }

    void leave() {
        lock.unlock();
    }

    /**
     * Throws where several PEs share a GPU without MPS: NVSHMEM has no collectives and no waits in streams then, and ends a process that
     * calls them.
     */
    void checkOwnGpu(String operation) {
        if (LibNvshmem.nvshmemx_init_status() == LibNvshmem.NVSHMEM_STATUS_LIMITED_MPG) {
            throw new UnsupportedOperationException(
                    operation + " on " + where()
                            + ": PEs share this GPU, and NVSHMEM can do this only if the MPS daemon runs (nvidia-cuda-mps-control -d)");
        }
    }

    // ---- checks of arguments ----

    void checkPe(String operation, int pe) {
        if (pe < 0 || pe >= nPes) {
            throw new IllegalArgumentException(
                    operation + " on " + where() + ": PE " + pe + " is not one of 0 to " + (nPes - 1));
        }
    }

    /**
     * The address of elements of a symmetric array, as the library wants it: this PE's own, whatever PE is meant.
     *
     * @param name of the argument, for messages
     */
    long place(String operation, String name, SymmetricArray array, long index, long count, int pe) {
        checkPe(operation, pe);
        return place(operation, name, array, index, count);
    }

    /** {@link #place(String, String, SymmetricArray, long, long, int)} where no PE is named. */
    long place(String operation, String name, SymmetricArray array, long index, long count) {
        if (array.session() != this) {
            check(operation);
            throw new IllegalArgumentException(operation + " on " + where() + ": " + name + " " + array
                    + (array.isAlive() ? " belongs to another" : " was freed with an earlier") + " Nvshmem");
        }
        return local(operation, name, array, index, count);
    }

    /** The address of elements of any array on this PE's GPU. */
    long local(String operation, String name, DeviceArray array, long index, long count) {
        if (index < 0 || count < 0 || index > array.count() - count) {
            throw new IndexOutOfBoundsException(operation + " on " + where() + ": " + count + " elements"
                    + (index == 0 ? "" : " at " + index) + " leave " + name + " " + array);
        }
        if (!array.isAlive()) {
            check(operation);
            throw new IllegalStateException(operation + " on " + where() + ": " + name + " " + array + " was freed");
        }
        if (array.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(operation + " on " + where() + ": " + name + " " + array + " is not on "
                    + device + ", the GPU of this PE");
        }
        return array.address() + index * array.type().bytes();
    }

    // ---- waiting ----

    /**
     * Waits until {@link #own} has done what was put into it; with the limit, and not for the dead. Without the lock.
     *
     * @param operation for messages
     */
    void complete(String operation) {
        own.synchronize();
    }

    /**
     * Notes that work was put into {@code stream} that waits for other PEs, so that a wait for that stream in vain can tell what it waited
     * for. Allocates nothing.
     *
     * @param operation a constant: "barrierAll", "signalWaitUntil"
     * @param subject what it waits on: a team, an array; null for all PEs
     * @param index of the element in an array
     * @param comparison how the element is to compare with {@code value}; null for what is no such wait
     */
    void note(
            Stream stream,
            String operation,
            @Nullable Object subject,
            long index,
            @Nullable Object comparison,
            long value) {}

    // ---- limits and words ----

    long timeoutNanos() {
        return timeoutNanos;
    }

    void timeoutNanos(long nanos) {
        timeoutNanos = nanos;
    }

    /** For messages: who and where. */
    String where() {
        return "PE " + myPe + " of " + nPes + " (GPU " + device.ordinal() + ")";
    }
}
