// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import org.comm4j.core.Shmem;
import org.comm4j.core.World;
import org.comm4j.core.spi.ShmemEngine;

/** OpenSHMEM, for {@link World#shmem}: embedded or native, as {@link OpenShmemOptions#defaults} says. */
public final class OpenShmemEngine implements ShmemEngine {
    public OpenShmemEngine() {}

    @Override
    public String name() {
        return DEFAULT;
    }

    @Override
    public Shmem shmem(World world) {
        return OpenShmem.init(world);
    }
}
