// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.DataType;

/** What kernels that communicate do, on any number of PEs, on GPUs and on the CPU alike. */
enum DeviceCase {
    RING_PUT(RingCases::put),
    RING_EXCHANGE(RingCases::exchange),
    RING_TOUR(RingCases::tour),
    MOVES(MoveCases::moves),
    MOVES_OF_EACH_SIZE(MoveCases::sizes),
    MOVES_OF_BYTES(MoveCases::bytes),
    SOURCES_THAT_ARE_USED_AGAIN(MoveCases::flushes),
    ELEMENTS(SingleCases::elements),
    POINTERS(SingleCases::pointers),
    SIGNALS(SingleCases::signals),
    TEAM(SingleCases::team),
    ATOMICS_OF_32_BITS(pe -> AtomicCases.integers(pe, DataType.INT32)),
    ATOMICS_OF_64_BITS(pe -> AtomicCases.integers(pe, DataType.INT64)),
    ATOMICS_OF_FLOATS(AtomicCases::floats),
    WAITS_FOR_32_BITS(pe -> WaitCases.waits(pe, DataType.INT32)),
    WAITS_FOR_64_BITS(pe -> WaitCases.waits(pe, DataType.INT64)),
    BARRIERS(CollectiveCases::barriers),
    REDUCTIONS(CollectiveCases::reductions),
    GREATEST_VALUES(CollectiveCases::maxLoc),
    COPIES_OF_TEAMS(CollectiveCases::copies),
    ORDER_OF_FENCED_PUTS(OrderCases::fenced),
    ORDER_OF_SIGNALLED_PUTS(OrderCases::signalled);

    /** A case. */
    interface Body {
        void run(TestPe pe) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // cases have no state
    private final Body body;

    DeviceCase(Body body) {
        this.body = body;
    }

    void run(TestPe pe) throws Exception {
        body.run(pe);
        pe.endCase();
    }
}
