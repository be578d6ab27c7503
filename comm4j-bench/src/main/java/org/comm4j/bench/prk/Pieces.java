// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.stream.DoubleStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;

/** An array of a GPU in pieces of whole rows on the host, which has less memory than GPUs. */
final class Pieces {
    private static final long ELEMENTS = 1 << 22;

    /** What is done with some rows, of which the first element is {@code first} in the array. */
    interface Body {
        void at(HostArray rows, long first);
    }

    /** A number that says something of some rows. */
    interface Measure {
        double of(HostArray rows, long first);
    }

    private Pieces() {}

    /**
     * Fills the array.
     *
     * @param row elements of one
     * @param body sets all elements
     */
    static void write(Buffer array, long row, Body body) {
        each(array, row, (rows, first) -> {
            body.at(rows, first);
            array.slice(first, rows.count()).copyFrom(rows);
        });
    }

    /** What each piece measures. */
    static DoubleStream measure(Buffer array, long row, Measure measure) {
        DoubleStream.Builder measures = DoubleStream.builder();
        each(array, row, (rows, first) -> {
            array.slice(first, rows.count()).copyTo(rows);
            measures.add(measure.of(rows, first));
        });
        return measures.build();
    }

    private static void each(Buffer array, long row, Body body) {
        long most = Math.min(Math.max(row, ELEMENTS / row * row), array.count());
        HostArray host = HostArray.allocate(array.type(), most);
        for (long first = 0; first < array.count(); first += most) {
            body.at(host.slice(0, Math.min(most, array.count() - first)), first);
        }
    }
}
