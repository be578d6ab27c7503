// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

/** How rank 0, which hosts the rendezvous, lets the other ranks know where it is. */
interface Word {

    /** For ranks that know it from their environment. */
    Word NONE = invitation -> {};

    /** Tells where it is. */
    void leave(Invitation invitation);

    /** Tells that there will be none. */
    default void fail(RuntimeException e) {}

    /** Nobody needs to be told any more. */
    default void remove() {}
}
