// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Linear operators and solvers over distributed arrays. */
@NullMarked
module org.comm4j.operator {
    requires static org.jspecify;
    requires transitive org.comm4j.array;

    exports org.comm4j.operator;
    exports org.comm4j.operator.proximal;
    exports org.comm4j.operator.seismic;
    exports org.comm4j.operator.signal;
    exports org.comm4j.operator.solver;

    // Calculations of solvers and proximal maps that run on GPUs, too.
    opens org.comm4j.operator.proximal to
            org.comm4j.kernel;
    opens org.comm4j.operator.solver to
            org.comm4j.kernel;
}
