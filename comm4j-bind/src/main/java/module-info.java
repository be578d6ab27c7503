// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** Java classes of the device functions in CUDA headers. */
@NullMarked
module org.comm4j.bind {
    requires static org.jspecify;
    requires java.compiler;
    requires org.comm4j.cuda;

    exports org.comm4j.bind;
}
