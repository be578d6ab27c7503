// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What the stub and the real driver have in common: a device and a stream for each test. */
@Timeout(120)
abstract class CudaContract {
    @SuppressWarnings("NullAway.Init")
    Device device;

    @SuppressWarnings("NullAway.Init")
    Stream stream;

    @BeforeEach
    void open() {
        device = Device.of(0);
        stream = device.newStream();
    }

    @AfterEach
    void close() {
        device.close();
    }

    /** A host array of small numbers that differ from their neighbours; complex ones have imaginary parts. */
    static HostArray numbers(DataType type, long count) {
        HostArray array = HostArray.allocate(type, count);
        for (long i = 0; i < count; i++) {
            int number = (int) (i % 13);
            if (type.isComplex()) {
                array.setComplex(i, number, -number);
            } else if (type.isInteger()) {
                array.setLong(i, number);
            } else {
                array.setDouble(i, number);
            }
        }
        return array;
    }
}
