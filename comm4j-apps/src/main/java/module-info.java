// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** Applications of arrays, operators and solvers: seismic inversion and migration. */
@NullMarked
module org.comm4j.apps {
    requires java.desktop;
    requires transitive org.comm4j.operator;
    requires static org.jspecify;

    exports org.comm4j.apps;
    exports org.comm4j.apps.deconvolution;
    exports org.comm4j.apps.migration;
    exports org.comm4j.apps.poststack;
    exports org.comm4j.apps.reflectivity;
}
