// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * A {@link Buffer} that every PE has, at the same place of its symmetric heap, so that each PE can name the others'
 * copies. As a buffer it is this PE's own copy, in host memory or on a GPU: {@link #copyFrom}, {@link #copyTo} and
 * {@link #toHost} work for both; {@link Pgas} reaches the others.
 */
public interface SymmetricBuffer extends Buffer, AutoCloseable {

    /** Returns the first element's place in every PE's symmetric heap, in bytes. */
    long offset();

    /** The same part of every PE's copy. */
    @Override
    SymmetricBuffer slice(long offset, long count);

    /**
     * Every PE's copy as elements of another type.
     *
     * @throws IllegalArgumentException if they do not fill it exactly, or it does not begin where such an element can
     */
    @Override
    SymmetricBuffer view(DataType other);

    /**
     * Frees the memory ({@code shmem_free}). Every PE closes its arrays in the same order, and goes on when all are
     * done with them, because an engine may wait for the others or not. After {@link Pgas#close}, or the second time,
     * it does nothing.
     */
    @Override
    void close();
}
