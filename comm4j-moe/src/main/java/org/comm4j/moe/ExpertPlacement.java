// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

/**
 * Placement of experts on PEs. Experts of a PE are neighbours: where the number of PEs does not divide that of experts,
 * the first PEs have one more.
 *
 * @param experts in the layer
 * @param pes that share them
 */
public record ExpertPlacement(int experts, int pes) {
    public ExpertPlacement {
        if (experts < 1 || pes < 1) {
            throw new IllegalArgumentException(
                    "ExpertPlacement: " + experts + " experts cannot be placed on " + pes + " PEs");
        }
    }

    /** Returns the placement of experts in equal shares, as far as there are any. */
    public static ExpertPlacement even(int experts, int pes) {
        return new ExpertPlacement(experts, pes);
    }

    /** Returns the first expert of a PE. */
    public int first(int pe) {
        checkPe(pe);
        return pe * (experts / pes) + Math.min(pe, experts % pes);
    }

    /** Returns the number of experts of a PE. */
    public int count(int pe) {
        checkPe(pe);
        return experts / pes + (pe < experts % pes ? 1 : 0);
    }

    /** Returns the PE of an expert. */
    public int pe(int expert) {
        if (expert < 0 || expert >= experts) {
            throw new IndexOutOfBoundsException("expert " + expert + " is not one of 0 to " + (experts - 1));
        }
        int share = experts / pes;
        int more = experts % pes;
        int those = more * (share + 1);
        return expert < those ? expert / (share + 1) : more + (expert - those) / share;
    }

    private void checkPe(int pe) {
        if (pe < 0 || pe >= pes) {
            throw new IndexOutOfBoundsException("PE " + pe + " is not one of 0 to " + (pes - 1));
        }
    }
}
