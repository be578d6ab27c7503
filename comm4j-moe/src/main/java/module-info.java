// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** Mixture-of-experts dispatch and combine: tokens go to the PEs of their experts, and sums of answers come back. */
@NullMarked
module org.comm4j.moe {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires transitive org.comm4j.device;
    requires transitive org.comm4j.kernel;
    requires transitive org.comm4j.nccl;
    requires org.comm4j.host;
    requires org.comm4j.nvshmem;

    exports org.comm4j.moe;
    exports org.comm4j.moe.nccl;

    // Its kernels run on the CPU, too.
    opens org.comm4j.moe to
            org.comm4j.kernel;
}
