// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

/**
 * The shape of a kernel launch: {@code LaunchConfig.grid(64).block(256)}. What no device can do is refused here, what a
 * certain device or kernel cannot do is refused by the launch.
 *
 * @param gridX blocks in x, at most 2³¹ − 1
 * @param gridY blocks in y, at most 65535
 * @param gridZ blocks in z, at most 65535
 * @param blockX threads of a block in x, at most 1024
 * @param blockY threads of a block in y, at most 1024
 * @param blockZ threads of a block in z, at most 64; all three multiplied at most 1024
 * @param sharedBytes shared memory of a block on top of what the kernel declares, in bytes
 * @param cooperative whether all blocks run at the same time, so that they can wait for each other
 * @param dependent whether the kernel may begin before the one before it in the stream has ended (programmatic
 *     dependent launch); it waits for that one's results itself
 * @param clusterX blocks of a cluster in x; 1, 1, 1 for none
 * @param clusterY blocks of a cluster in y
 * @param clusterZ blocks of a cluster in z; all three multiplied at most 16
 */
public record LaunchConfig(
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ,
        int sharedBytes,
        boolean cooperative,
        boolean dependent,
        int clusterX,
        int clusterY,
        int clusterZ) {

    private static final int BLOCK_FOR_ELEMENTS = 256;

    public LaunchConfig {
        check("grid", gridX, Integer.MAX_VALUE, gridY, 65535, gridZ, 65535);
        check("block", blockX, 1024, blockY, 1024, blockZ, 64);
        check("cluster", clusterX, 16, clusterY, 16, clusterZ, 16);
        if (blockX * blockY * blockZ > 1024) {
            throw new IllegalArgumentException(
                    "a block of " + text(blockX, blockY, blockZ) + " threads has more than 1024");
        }
        if (clusterX * clusterY * clusterZ > 16) {
            throw new IllegalArgumentException(
                    "a cluster of " + text(clusterX, clusterY, clusterZ) + " blocks has more than 16");
        }
        if (gridX % clusterX != 0 || gridY % clusterY != 0 || gridZ % clusterZ != 0) {
            throw new IllegalArgumentException("a grid of " + text(gridX, gridY, gridZ)
                    + " blocks cannot be divided into clusters of " + text(clusterX, clusterY, clusterZ));
        }
        if (sharedBytes < 0) {
            throw new IllegalArgumentException("a block cannot have " + sharedBytes + " bytes of shared memory");
        }
    }

    private static void check(String what, int x, int maxX, int y, int maxY, int z, int maxZ) {
        if (x < 1 || x > maxX || y < 1 || y > maxY || z < 1 || z > maxZ) {
            throw new IllegalArgumentException(
                    "a " + what + " of " + text(x, y, z) + " is not between 1 and " + text(maxX, maxY, maxZ));
        }
    }

    private static String text(int x, int y, int z) {
        return x + " x " + y + " x " + z;
    }

    /** This many blocks of one thread each; {@link #block(int)} says how many threads. */
    public static LaunchConfig grid(int x) {
        return grid(x, 1, 1);
    }

    public static LaunchConfig grid(int x, int y) {
        return grid(x, y, 1);
    }

    public static LaunchConfig grid(int x, int y, int z) {
        return new LaunchConfig(x, y, z, 1, 1, 1, 0, false, false, 1, 1, 1);
    }

    /**
     * At least one thread for each of {@code count} elements, in blocks of 256; the kernel must check for the last
     * block's rest.
     */
    public static LaunchConfig forElements(long count) {
        long blocks = count <= 0 ? 1 : (count - 1) / BLOCK_FOR_ELEMENTS + 1;
        if (count < 0 || blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "one thread for each of " + count + " elements makes no grid; let threads loop");
        }
        return grid((int) blocks).block(BLOCK_FOR_ELEMENTS);
    }

    public LaunchConfig block(int x) {
        return block(x, 1, 1);
    }

    public LaunchConfig block(int x, int y) {
        return block(x, y, 1);
    }

    public LaunchConfig block(int x, int y, int z) {
        return new LaunchConfig(
                gridX, gridY, gridZ, x, y, z, sharedBytes, cooperative, dependent, clusterX, clusterY, clusterZ);
    }

    /** With this many bytes of dynamic shared memory for each block. */
    public LaunchConfig shared(int bytes) {
        return new LaunchConfig(
                gridX,
                gridY,
                gridZ,
                blockX,
                blockY,
                blockZ,
                bytes,
                cooperative,
                dependent,
                clusterX,
                clusterY,
                clusterZ);
    }

    /** With all blocks running at the same time. */
    public LaunchConfig cooperatively() {
        return new LaunchConfig(
                gridX,
                gridY,
                gridZ,
                blockX,
                blockY,
                blockZ,
                sharedBytes,
                true,
                dependent,
                clusterX,
                clusterY,
                clusterZ);
    }

    /**
     * Beginning as soon as there is room, while the kernel before it in the stream still runs. The kernel waits for the
     * other's results itself ({@code griddepcontrol.wait}). Before compute capability 9.0 it is an ordinary launch.
     */
    public LaunchConfig dependently() {
        return new LaunchConfig(
                gridX,
                gridY,
                gridZ,
                blockX,
                blockY,
                blockZ,
                sharedBytes,
                cooperative,
                true,
                clusterX,
                clusterY,
                clusterZ);
    }

    /** With this many blocks of a cluster in x. */
    public LaunchConfig cluster(int x) {
        return cluster(x, 1, 1);
    }

    public LaunchConfig cluster(int x, int y, int z) {
        return new LaunchConfig(
                gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, cooperative, dependent, x, y, z);
    }

    /** Threads of a block. */
    public int threadsPerBlock() {
        return blockX * blockY * blockZ;
    }

    /** Blocks of the grid. */
    public long blocks() {
        return (long) gridX * gridY * gridZ;
    }

    /** Blocks of a cluster; 1 for none. */
    public int clusterBlocks() {
        return clusterX * clusterY * clusterZ;
    }

    @Override
    public String toString() {
        return "grid " + text(gridX, gridY, gridZ) + ", block " + text(blockX, blockY, blockZ)
                + (sharedBytes > 0 ? ", " + sharedBytes + " bytes shared" : "")
                + (cooperative ? ", cooperative" : "")
                + (dependent ? ", dependent" : "")
                + (clusterBlocks() > 1 ? ", cluster " + text(clusterX, clusterY, clusterZ) : "");
    }
}
