// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.PersistentGroup;

/** Operations of a communicator in host memory, by its thread or, where nothing is computed meanwhile, the caller. */
final class PersistentTransfer implements Transfer {
    private final PersistentGroup group;
    private final boolean beside;

    PersistentTransfer(PersistentGroup group, boolean beside) {
        this.group = group;
        this.beside = beside;
    }

    @Override
    public void begin() {
        if (beside) {
            group.start();
        } else {
            group.run();
        }
    }

    @Override
    public void end() {
        if (beside) {
            group.await();
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
