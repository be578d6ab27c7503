// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;

/**
 * The layout of a generated problem, made without ranks.
 *
 * @param ranks number of ranks in all
 * @param axis that is divided if the array is scattered
 * @param groups number of groups of ranks, each of which has the whole array
 * @param sizes for each axis the lengths of its parts
 */
record Division(Partition partition, int ranks, int axis, int groups, long[]... sizes) {
    /** Returns one of each kind, with lengths that the generator chooses. */
    static List<Division> all(Random random, int ranks, long... shape) {
        List<Division> all = new ArrayList<>(
                List.of(whole(Partition.REPLICATED, ranks, shape), whole(Partition.LOCAL, ranks, shape)));
        for (int axis = 0; axis < shape.length; axis++) {
            all.add(scattered(axis, 1, Layout.scattered(ranks, axis, shape).sizes(axis), shape));
            all.add(scattered(axis, 1, split(random, ranks, shape[axis]), shape));
        }
        for (int first = 2; first < ranks; first++) {
            if (ranks % first == 0) {
                int second = ranks / first;
                Layout balanced = Layout.blocks(new int[] {first, 1, second}, shape);
                all.add(blocks(balanced.sizes(0), balanced.sizes(1), balanced.sizes(2)));
                all.add(blocks(new long[] {shape[0]}, split(random, first, shape[1]), split(random, second, shape[2])));
            }
        }
        if (ranks % 2 == 0) {
            int axis = random.nextInt(shape.length);
            all.add(scattered(axis, 2, split(random, ranks / 2, shape[axis]), shape));
        }
        return all;
    }

    /** Returns lengths that add up, of which some are 0 more often than not. */
    private static long[] split(Random random, int parts, long length) {
        long[] sizes = new long[parts];
        for (long i = 0; i < length; i++) {
            sizes[random.nextInt(parts)]++;
        }
        return sizes;
    }

    private static long[][] undivided(long... shape) {
        return Arrays.stream(shape).mapToObj(length -> new long[] {length}).toArray(long[][]::new);
    }

    private static Division whole(Partition partition, int ranks, long... shape) {
        return new Division(partition, ranks, 0, 1, undivided(shape));
    }

    private static Division scattered(int axis, int groups, long[] parts, long... shape) {
        long[][] sizes = undivided(shape);
        sizes[axis] = parts;
        return new Division(Partition.SCATTERED, parts.length * groups, axis, groups, sizes);
    }

    private static Division blocks(long[]... sizes) {
        int ranks = Arrays.stream(sizes).mapToInt(parts -> parts.length).reduce(1, (a, b) -> a * b);
        return new Division(Partition.BLOCKS, ranks, 0, 1, sizes);
    }

    long[] shape() {
        return Arrays.stream(sizes)
                .mapToLong(parts -> Arrays.stream(parts).sum())
                .toArray();
    }

    /** Returns the layout, without communicators of groups. */
    Layout layout() {
        Layout layout = switch (partition) {
            case REPLICATED -> Layout.replicated(shape());
            case LOCAL -> Layout.local(shape());
            case SCATTERED -> Layout.scattered(sizes[axis], axis, shape());
            default -> Layout.blocks(sizes, shape());
        };
        return groups > 1 ? layout.grouped(groupOfEach()) : layout;
    }

    /** Collective: returns the layout. */
    Layout layout(Backend backend) {
        Layout layout = layout();
        return groups > 1
                ? backend.grouped(scattered(axis, 1, sizes[axis], shape()).layout(), groupOfEach())
                : layout;
    }

    private int[] groupOfEach() {
        return IntStream.range(0, ranks).map(rank -> rank % groups).toArray();
    }

    /** Returns what is a little simpler: fewer ranks, other partitions, shorter parts; never an axis of length 0. */
    List<Division> simpler() {
        List<Division> all = new ArrayList<>();
        if (groups > 1) {
            all.add(scattered(axis, 1, sizes[axis], shape()));
        }
        if (partition != Partition.REPLICATED) {
            all.add(whole(Partition.REPLICATED, ranks, shape()));
        } else {
            IntStream.range(1, ranks).forEach(fewer -> all.add(whole(partition, fewer, shape())));
        }
        for (int a = 0; a < sizes.length; a++) {
            for (int part = 0; part + 1 < sizes[a].length; part++) {
                long[] joined = without(sizes[a], part);
                joined[part] += sizes[a][part];
                add(all, a, joined);
            }
            for (int part = 0; part < sizes[a].length; part++) {
                if (sizes[a].length > 1) {
                    add(all, a, without(sizes[a], part));
                }
                for (long length : new long[] {0, sizes[a][part] / 2, sizes[a][part] - 1}) {
                    if (length >= 0 && length < sizes[a][part]) {
                        long[] shorter = sizes[a].clone();
                        shorter[part] = length;
                        add(all, a, shorter);
                    }
                }
            }
        }
        return all;
    }

    private static long[] without(long[] parts, int part) {
        return IntStream.range(0, parts.length)
                .filter(p -> p != part)
                .mapToLong(p -> parts[p])
                .toArray();
    }

    /** Adds this with other parts along an axis, unless it is empty then. */
    private void add(List<Division> all, int along, long... parts) {
        if (Arrays.stream(parts).sum() == 0) {
            return;
        }
        long[][] other = sizes.clone();
        other[along] = parts;
        if (partition != Partition.BLOCKS) {
            int fewer = ranks / sizes[along].length * parts.length;
            all.add(new Division(partition, fewer, axis, groups, other));
            return;
        }
        int[] divided = IntStream.range(0, other.length)
                .filter(a -> other[a].length > 1)
                .toArray();
        int left = divided.length == 0 ? 0 : divided[0];
        all.add(
                divided.length > 1
                        ? blocks(other)
                        : scattered(left, 1, other[left], blocks(other).shape()));
    }

    @Override
    public String toString() {
        return layout() + (groups > 1 ? " on " + ranks + " ranks" : "") + ", lengths of parts "
                + Arrays.deepToString(sizes);
    }
}
