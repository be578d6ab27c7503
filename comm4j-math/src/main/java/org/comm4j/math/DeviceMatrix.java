// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * A sparse matrix in the memory of a device, row by row.
 *
 * @param starts the place of each row's first element, and the end of the last row
 * @param columns the column of each element
 * @param values the elements
 */
record DeviceMatrix(Memory starts, Memory columns, Memory values) implements AutoCloseable {
    /** Copies a matrix to the queue's device. */
    static DeviceMatrix of(KernelQueue queue, AxisMatrix matrix) {
        int rows = matrix.rowCount();
        int count = matrix.start(rows);
        HostArray starts = HostArray.allocate(DataType.INT64, rows + 1L);
        for (int r = 0; r <= rows; r++) {
            starts.setLong(r, matrix.start(r));
        }
        // Never empty, as kernels take no empty arrays.
        HostArray columns = HostArray.allocate(DataType.INT64, Math.max(1, count));
        HostArray values = HostArray.allocate(DataType.FLOAT64, Math.max(1, count));
        for (int e = 0; e < count; e++) {
            columns.setLong(e, matrix.column(e));
            values.setDouble(e, matrix.value(e));
        }
        List<Memory> copies = new ArrayList<>();
        try {
            for (HostArray each : List.of(starts, columns, values)) {
                Memory memory = queue.allocate(each.type(), each.count());
                copies.add(memory);
                memory.buffer().copyFrom(each);
            }
            return new DeviceMatrix(copies.get(0), copies.get(1), copies.get(2));
        } catch (RuntimeException | Error e) {
            copies.forEach(Memory::close);
            throw e;
        }
    }

    @Override
    public void close() {
        starts.close();
        columns.close();
        values.close();
    }
}
