// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

/** Means by which rank 0, which hosts the rendezvous, tells the other ranks where it is. */
interface Word {

    /** For ranks that know it from their environment. */
    Word NONE = invitation -> {};

    /** Tells where it is. */
    void leave(Invitation invitation);

    /** Tells that there will be none. */
    default void fail(RuntimeException e) {}

    /** Takes the information back: nobody needs it any more. */
    default void remove() {}
}
