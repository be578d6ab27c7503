// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import org.comm4j.kernel.lang.KernelLibrary;

/**
 * Bodies of {@code System.arraycopy}, {@code Arrays.fill} and {@code clone} in kernels. They are compiled with the
 * kernel, for the elements that it has; arrays of records, enums and pointers are {@code Object[]} here.
 */
@KernelLibrary
final class ArrayCode {
    private ArrayCode() {}

    static void copy(boolean[] from, int at, boolean[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(boolean[] array, int from, int to, boolean value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(boolean[] array, boolean value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(byte[] from, int at, byte[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(byte[] array, int from, int to, byte value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(byte[] array, byte value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(short[] from, int at, short[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(short[] array, int from, int to, short value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(short[] array, short value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(char[] from, int at, char[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(char[] array, int from, int to, char value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(char[] array, char value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(int[] from, int at, int[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(int[] array, int from, int to, int value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(int[] array, int value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(long[] from, int at, long[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(long[] array, int from, int to, long value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(long[] array, long value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(float[] from, int at, float[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(float[] array, int from, int to, float value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(float[] array, float value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(double[] from, int at, double[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(double[] array, int from, int to, double value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(double[] array, double value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }

    static void copy(Object[] from, int at, Object[] to, int start, int count) {
        if (at < start) {
            for (int i = count - 1; i >= 0; i--) {
                to[start + i] = from[at + i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[start + i] = from[at + i];
            }
        }
    }

    static void fill(Object[] array, int from, int to, Object value) {
        for (int i = from; i < to; i++) {
            array[i] = value;
        }
    }

    static void fill(Object[] array, Object value) {
        for (int i = 0; i < array.length; i++) {
            array[i] = value;
        }
    }
}
