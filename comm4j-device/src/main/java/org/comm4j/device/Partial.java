// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.BFloat16;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I8Ptr;

/**
 * A word's reduction so far, in kernels: one element of 32 bits, or two of 16 as floats of 32, so that they are rounded
 * once.
 *
 * @param x the first, or only, element
 * @param y the second
 * @param i the element of an integer type
 */
record Partial(float x, float y, int i) {
    /** Of one PE's word. */
    static Partial of(PeerType type, int word) {
        if (type == PeerType.I32) {
            return new Partial(0, 0, word);
        } else if (type == PeerType.F32) {
            return new Partial(Float.intBitsToFloat(word), 0, 0);
        } else if (type == PeerType.F16) {
            return new Partial(new Half((short) word).toFloat(), new Half((short) (word >>> 16)).toFloat(), 0);
        }
        // The upper half of a float.
        return new Partial(Float.intBitsToFloat(word << 16), Float.intBitsToFloat(word & 0xffff0000), 0);
    }

    /** With the next PE's. */
    Partial with(PeerType type, PeerOp op, Partial other) {
        if (type == PeerType.I32) {
            return new Partial(0, 0, combine(op, i, other.i));
        } else if (type == PeerType.F32) {
            return new Partial(combine(op, x, other.x), 0, 0);
        }
        return new Partial(combine(op, x, other.x), combine(op, y, other.y), 0);
    }

    /** As an element is stored. */
    int word(PeerType type) {
        if (type == PeerType.I32) {
            return i;
        } else if (type == PeerType.F32) {
            return Float.floatToRawIntBits(x);
        } else if (type == PeerType.F16) {
            return Half.of(x).bits() & 0xffff | Half.of(y).bits() << 16;
        }
        return BFloat16.of(x).bits() & 0xffff | BFloat16.of(y).bits() << 16;
    }

    private static float combine(PeerOp op, float a, float b) {
        return op == PeerOp.SUM ? a + b : op == PeerOp.MIN ? Math.min(a, b) : Math.max(a, b);
    }

    private static int combine(PeerOp op, int a, int b) {
        return op == PeerOp.SUM ? a + b : op == PeerOp.MIN ? Math.min(a, b) : Math.max(a, b);
    }

    static boolean isWide(PeerType type) {
        return type == PeerType.F32 || type == PeerType.I32;
    }

    /**
     * The word that begins with an element, with zeros for what is not below {@code end}; elements of 16 bits need no
     * other alignment.
     */
    static int load(PeerType type, I8Ptr array, long element, long end) {
        if (isWide(type)) {
            return element < end ? array.asI32().get(element) : 0;
        }
        I16Ptr halves = array.asI16();
        int low = element < end ? halves.get(element) & 0xffff : 0;
        int high = element + 1 < end ? halves.get(element + 1) << 16 : 0;
        return low | high;
    }

    /** The counterpart of {@link #load}. */
    static void store(PeerType type, I8Ptr array, long element, long end, int word) {
        if (isWide(type)) {
            if (element < end) {
                array.asI32().set(element, word);
            }
        } else {
            I16Ptr halves = array.asI16();
            if (element < end) {
                halves.set(element, (short) word);
            }
            if (element + 1 < end) {
                halves.set(element + 1, (short) (word >>> 16));
            }
        }
    }
}
