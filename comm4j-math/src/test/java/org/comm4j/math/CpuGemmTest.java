// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;

/** Products by what the CPU does for tensor cores. */
class CpuGemmTest extends GemmContract {
    @Override
    Buffer put(HostArray content) {
        HostArray copy = HostArray.allocate(content.type(), content.count());
        copy.copyFrom(content);
        return copy;
    }

    @Override
    HostArray get(Buffer memory) {
        return (HostArray) memory;
    }
}
