// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/**
 * Communication from inside kernels: NVSHMEM's device functions and NCCL's device API in Java, and what they do on the
 * CPU.
 */
@NullMarked
module org.comm4j.device {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires transitive org.comm4j.host;
    requires transitive org.comm4j.kernel;
    requires transitive org.comm4j.nccl;
    requires transitive org.comm4j.nvshmem;
    requires org.comm4j.ffi;

    exports org.comm4j.device;

    // Its kernels run on the CPU, too.
    opens org.comm4j.device to
            org.comm4j.kernel;

    provides org.comm4j.core.spi.Rehearsal with
            org.comm4j.device.DeviceRehearsal;
}
