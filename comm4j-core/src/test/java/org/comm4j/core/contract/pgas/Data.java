// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** What tests of symmetric memory move about. */
public final class Data {
    private Data() {}

    /** Elements of random bits, the same for the same seed. */
    public static HostArray random(DataType type, long count, long seed) {
        HostArray array = HostArray.allocate(type, count);
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < array.byteSize(); i++) {
            array.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        return array;
    }

    /** Bit for bit. */
    public static void assertSame(HostArray actual, HostArray expected) {
        assertThat(actual.segment().mismatch(expected.segment()))
                .as("first different byte")
                .isEqualTo(-1);
    }

    /** Zeros, in one comparison: arrays are large. */
    public static void assertZero(HostArray actual) {
        assertSame(actual, HostArray.allocate(actual.type(), actual.count()));
    }

    /** An integer as an element of the type comes back. */
    public static long cut(DataType type, long value) {
        HostArray cell = HostArray.allocate(type, 1);
        cell.setLong(0, value);
        return cell.getLong(0);
    }
}
