// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a grid in groups that run at the same time. A group is computed from its number: a grid may have more
 * blocks than there is memory for a list of them.
 */
final class Groups {
    /** Threads that run together where the order is shuffled, so that blocks meet each other too. */
    private static final int SHUFFLED_THREADS = 2048;

    /** More threads than run at the same time on any GPU. */
    private static final long MOST_THREADS = 1 << 20;

    private final LaunchConfig config;
    /** Blocks that cannot be without each other: all, a cluster, or one. */
    private final long unitBlocks;

    private final long units;
    /** Units of a group. */
    private final long size;

    private final @Nullable Permutation shuffled;

    /** @throws IllegalArgumentException if the blocks of a cooperative launch are too many */
    Groups(LaunchConfig config, CpuOptions options) {
        this.config = config;
        unitBlocks = config.cooperative() ? config.blocks() : config.clusterBlocks();
        units = config.blocks() / unitBlocks;
        if (unitBlocks * config.threadsPerBlock() > MOST_THREADS) {
            throw new IllegalArgumentException(config + ": the blocks of a cooperative launch run at the same time, "
                    + unitBlocks * config.threadsPerBlock() + " threads here; more than " + MOST_THREADS
                    + " do so on no GPU");
        }
        shuffled = options.isShuffled() ? new Permutation(units, options.seed()) : null;
        size = shuffled == null ? 1 : Math.max(1, SHUFFLED_THREADS / (unitBlocks * config.threadsPerBlock()));
    }

    long count() {
        return (units + size - 1) / size;
    }

    /** Returns the numbers of a group's blocks. */
    long[] blocks(long group) {
        long first = group * size;
        int some = (int) Math.min(size, units - first);
        long[] blocks = new long[Math.toIntExact(some * unitBlocks)];
        for (int i = 0; i < some; i++) {
            long unit = shuffled == null ? first + i : shuffled.at(first + i);
            for (int k = 0; k < unitBlocks; k++) {
                blocks[i * (int) unitBlocks + k] =
                        config.cooperative() || unitBlocks == 1 ? unit * unitBlocks + k : ofCluster(unit, k);
            }
        }
        return blocks;
    }

    /** Returns the number in the grid of block {@code k} of a cluster. */
    private long ofCluster(long cluster, int k) {
        LaunchConfig c = config;
        long wide = c.gridX() / c.clusterX();
        long high = c.gridY() / c.clusterY();
        long x = cluster % wide * c.clusterX() + k % c.clusterX();
        long y = cluster / wide % high * c.clusterY() + k / c.clusterX() % c.clusterY();
        long z = cluster / wide / high * c.clusterZ() + k / c.clusterX() / c.clusterY();
        return (z * c.gridY() + y) * c.gridX() + x;
    }
}
