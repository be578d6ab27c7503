// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** The CUDA driver as Java objects: devices, streams, events, device arrays, graphs, kernels. */
@NullMarked
module org.comm4j.cuda {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.ffi;

    exports org.comm4j.cuda;
}
