// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import org.comm4j.core.Pgas;
import org.comm4j.core.World;
import org.comm4j.core.spi.PgasEngine;

/** OpenSHMEM, for {@link World#pgas}: embedded or native, as {@link OpenShmemOptions#defaults} says. */
public final class OpenShmemEngine implements PgasEngine {
    public OpenShmemEngine() {}

    @Override
    public String name() {
        return DEFAULT;
    }

    @Override
    public Pgas pgas(World world) {
        return OpenShmem.init(world);
    }
}
