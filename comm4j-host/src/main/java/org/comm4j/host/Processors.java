// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.BitSet;
import org.comm4j.core.World;
import org.comm4j.ffi.OperatingSystem;

/** Processors that the ranks of a machine run on. */
public final class Processors {
    static final int MOST_SPINS = 1000;
    /** Few looks where a processor is shared: the rank that is waited for may need this one. */
    static final int FEWEST_SPINS = 2;

    private Processors() {}

    /**
     * Collective: returns how often a rank that waits looks before it lets others run.
     *
     * @param key of the exchange, see {@link #areCrowded}
     */
    public static int spins(World world, String key) {
        return areCrowded(world, key) ? FEWEST_SPINS : MOST_SPINS;
    }

    /**
     * Collective: returns whether there are more ranks than processors. Launchers often give each rank processors of
     * its own, so it is those of all ranks together that count. To be called before this rank's thread is bound to
     * some.
     *
     * @param key of the exchange of this rank's processors, see {@link World#exchange}
     */
    static boolean areCrowded(World world, String key) {
        BitSet all = new BitSet();
        world.exchange(key, OperatingSystem.current().processors().toByteArray())
                .forEach(some -> all.or(BitSet.valueOf(some)));
        return world.localSize() > all.cardinality();
    }
}
