// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.DataType;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.cuda.DeviceArray;

/**
 * An array that every PE has, at the same place of its symmetric heap, so that each PE can name the others' copies. As
 * a {@link DeviceArray} it is this PE's own copy, good for kernels, copies, NCCL and whatever takes device memory;
 * {@link Nvshmem} reaches the others.
 *
 * <p>Freeing is explicit, collective, and never done by the garbage collector: every PE calls {@link #close}, in the
 * same order.
 */
public final class SymmetricArray extends DeviceArray implements SymmetricBuffer {
    private final Allocation allocation;
    private final boolean isWhole;
    /** Of waits for any element. */
    final WaitSet.Turn turn = new WaitSet.Turn();

    /** All of an allocation. */
    SymmetricArray(Allocation allocation, DataType type, long count) {
        super(allocation.session().userDevice, type, allocation.address(), count);
        this.allocation = allocation;
        this.isWhole = true;
    }

    private SymmetricArray(SymmetricArray whole, DataType type, long address, long count) {
        super(whole, type, address, count);
        this.allocation = whole.allocation;
        this.isWhole = false;
    }

    Session session() {
        return allocation.session();
    }

    Allocation allocation() {
        return allocation;
    }

    /** Whether the streams of this PE have done what was put into them with this array. */
    boolean isIdle() {
        return isUnused();
    }

    /** Nobody can borrow the memory from now on; false if somebody has it. */
    boolean reclaim() {
        return retire();
    }

    /** Takes {@link #reclaim} back. */
    void unreclaim() {
        unretire();
    }

    /** The memory is about to be given back, or was lost. */
    void gone() {
        release();
    }

    /**
     * Returns the first element's place in every PE's symmetric heap: bytes behind the first array that was ever
     * allocated there.
     */
    @Override
    public long offset() {
        return allocation.offset() + (address() - allocation.address());
    }

    /** The same part of every PE's copy. */
    @Override
    public SymmetricArray slice(long offset, long count) {
        return (SymmetricArray) super.slice(offset, count);
    }

    /** Every PE's copy as elements of another type. */
    @Override
    public SymmetricArray view(DataType other) {
        return (SymmetricArray) super.view(other);
    }

    @Override
    protected DeviceArray part(DataType type, long address, long count) {
        return new SymmetricArray(this, type, address, count);
    }

    /**
     * Collective: frees the array, slices and views included, on all PEs ({@code nvshmem_free}), when the streams of
     * each PE have done what they were given with it. Every PE closes its arrays in the same order. Closing a slice, or
     * a second time, or after {@link Nvshmem#close}, does nothing.
     *
     * @throws org.comm4j.core.CollectiveMismatchException if PEs free different arrays; nothing is freed then
     * @throws IllegalStateException on all PEs if one of them has lent its copy, a slice or a view ({@link
     *     org.comm4j.cuda.DlPack}), and has not got it back; nothing is freed then
     */
    @Override
    public void close() {
        if (isWhole) {
            session().heap.free(this);
        }
    }

    @Override
    public String toString() {
        return "SymmetricArray[" + count() + " x " + type() + " on " + device() + (isAlive() ? "]" : ", freed]");
    }
}
