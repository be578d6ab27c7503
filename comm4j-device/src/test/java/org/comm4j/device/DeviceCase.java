// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

/** What kernels that communicate do, on any number of PEs, on GPUs and on the CPU alike. */
enum DeviceCase {
    RING_PUT(RingCases::put),
    RING_EXCHANGE(RingCases::exchange),
    RING_TOUR(RingCases::tour);

    /** A case. */
    interface Body {
        void run(TestPe pe) throws Exception;
    }

    private final Body body;

    DeviceCase(Body body) {
        this.body = body;
    }

    void run(TestPe pe) throws Exception {
        body.run(pe);
        pe.endCase();
    }
}
