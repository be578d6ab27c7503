// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Placement of experts on PEs, where an expert may have replicas on several. Experts of a PE are in ascending order. A
 * choice of an expert with replicas goes to that of the PE that sends the token, if it has one; else to the replica
 * number (token modulo replicas), in the order of PEs. So it depends on the token alone.
 */
public final class ExpertPlacement {
    private final int pes;
    /** By expert, in ascending order. */
    private final int[][] placed;

    private final boolean even;
    /** By PE, in ascending order. */
    private final int[][] local;

    private ExpertPlacement(int pes, int[][] placed, boolean even) {
        this.pes = pes;
        this.placed = placed;
        this.even = even;
        List<List<Integer>> of = new ArrayList<>();
        for (int pe = 0; pe < pes; pe++) {
            of.add(new ArrayList<>());
        }
        for (int e = 0; e < placed.length; e++) {
            for (int pe : placed[e]) {
                of.get(pe).add(e);
            }
        }
        local = of.stream()
                .map(each -> each.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /**
     * Returns the placement of experts in equal shares of neighbours. Where the number of PEs does not divide that of
     * experts, the first PEs have one more.
     */
    public static ExpertPlacement even(int experts, int pes) {
        if (experts < 1 || pes < 1) {
            throw new IllegalArgumentException(
                    "ExpertPlacement: " + experts + " experts cannot be placed on " + pes + " PEs");
        }
        int[][] placed = new int[experts][];
        int share = experts / pes;
        int more = experts % pes;
        for (int e = 0; e < experts; e++) {
            int those = more * (share + 1);
            placed[e] = new int[] {e < those ? e / (share + 1) : more + (e - those) / share};
        }
        return new ExpertPlacement(pes, placed, true);
    }

    /**
     * Returns a placement by a table.
     *
     * @param pes number of PEs
     * @param table for each expert the PEs that have it, one or more, each once
     */
    public static ExpertPlacement of(int pes, int[][] table) {
        nonNull(table, "ExpertPlacement", "table");
        int[][] placed = new int[table.length][];
        for (int e = 0; e < table.length; e++) {
            int[] on = Arrays.stream(nonNull(table[e], "ExpertPlacement", "table[" + e + "]"))
                    .sorted()
                    .distinct()
                    .toArray();
            if (on.length == 0 || on.length != table[e].length || on[0] < 0 || on[on.length - 1] >= pes) {
                throw new IllegalArgumentException("ExpertPlacement: expert " + e + " is on PEs "
                        + Arrays.toString(table[e]) + "; it must be one or more of 0 to " + (pes - 1)
                        + ", each once");
            }
            placed[e] = on;
        }
        if (placed.length == 0) {
            throw new IllegalArgumentException("ExpertPlacement: a table has one expert or more");
        }
        return new ExpertPlacement(pes, placed, false);
    }

    /** Returns the number of experts in the layer. */
    public int experts() {
        return placed.length;
    }

    /** Returns the number of PEs. */
    public int pes() {
        return pes;
    }

    /** Returns the PEs that have an expert, in ascending order. */
    public int[] pes(int expert) {
        if (expert < 0 || expert >= placed.length) {
            throw new IndexOutOfBoundsException("expert " + expert + " is not one of 0 to " + (placed.length - 1));
        }
        return placed[expert].clone();
    }

    /** Returns the experts of a PE, in ascending order: local expert i is the i-th of them. */
    public int[] local(int pe) {
        if (pe < 0 || pe >= pes) {
            throw new IndexOutOfBoundsException("PE " + pe + " is not one of 0 to " + (pes - 1));
        }
        return local[pe].clone();
    }

    /** Whether it is that of {@link #even}, for which kernels need no table. */
    boolean isEven() {
        return even;
    }

    /** Returns it with a number that those with other tables hardly have. */
    String described() {
        return this + " of hash " + Integer.toHexString(hashCode());
    }

    /** The most experts of a PE. */
    int mostLocal() {
        return Arrays.stream(local).mapToInt(each -> each.length).max().orElse(0);
    }

    int fewestLocal() {
        return Arrays.stream(local).mapToInt(each -> each.length).min().orElse(0);
    }

    /** Experts of all PEs, replicas counted. */
    int slots() {
        return Arrays.stream(local).mapToInt(each -> each.length).sum();
    }

    /**
     * Returns what kernels look up, as {@link MoeSpace} has it; slots are experts of PEs, one PE after the other. Those
     * of PEs {@code without} are no replicas: nothing goes there; nor to those of PEs {@code far} where there are
     * others.
     */
    int[] table(BitSet without, BitSet far) {
        int slots = slots();
        int experts = placed.length;
        int[] table = new int[tableSize(experts, slots, pes)];
        int[] next = new int[pes];
        int first = 0;
        for (int pe = 0; pe < pes; pe++) {
            table[pe] = first;
            next[pe] = first;
            for (int i = 0; i < local[pe].length; i++) {
                table[pes + 1 + first + i] = pe;
                table[pes + 1 + slots + first + i] = local[pe][i];
            }
            first += local[pe].length;
        }
        table[pes] = first;
        int replicas = pes + 1 + 2 * slots;
        int at = 0;
        for (int e = 0; e < experts; e++) {
            table[replicas + e] = at;
            boolean near = Arrays.stream(placed[e]).anyMatch(pe -> !without.get(pe) && !far.get(pe));
            for (int pe : placed[e]) {
                int slot = next[pe]++;
                if (!without.get(pe) && !(near && far.get(pe))) {
                    table[replicas + experts + 1 + at++] = slot;
                }
            }
        }
        table[replicas + experts] = at;
        return table;
    }

    static int tableSize(int experts, int slots, int pes) {
        return pes + 1 + 2 * slots + experts + 1 + slots;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpertPlacement that && pes == that.pes && Arrays.deepEquals(placed, that.placed);
    }

    @Override
    public int hashCode() {
        return 31 * pes + Arrays.deepHashCode(placed);
    }

    @Override
    public String toString() {
        return "ExpertPlacement[" + placed.length + " experts on " + pes + " PEs"
                + (even ? "]" : ", " + slots() + " with replicas]");
    }
}
