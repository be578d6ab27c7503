// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/**
 * What a kernel's loops are made for.
 *
 * @param oneDimensional whether blocks have only x
 * @param polls whether loops look whether the launch is to end
 * @param checked whether races and reads of shared memory that nobody wrote are found
 * @param shuffled whether threads run in an order that a seed draws
 * @param rows whether a loop is over the threads of a row, of which none waits: it may be one of several blocks
 */
record Form(boolean oneDimensional, boolean polls, boolean checked, boolean shuffled, boolean rows) {
    /** Returns whether a place is the same for all threads of a loop. */
    boolean isUniform(Val.Place place) {
        return place.isUniform() || rows && (place == Val.Place.TID_Y || place == Val.Place.TID_Z);
    }
}
