// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.LocalCommunicator.Bug;
import org.comm4j.core.contract.LocalCommunicator.Kind;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract passes with an engine that is right, and fails with each planted bug. */
class LocalCommunicatorTest {
    private record Local(Bug bug, boolean checked, Kind kind, int mostRanks) implements ContractEngine {
        /** What most tests here need: memory of the host, unchecked. */
        Local(Bug bug) {
            this(bug, false, Kind.NEAR, 8);
        }

        @Override
        public void run(int ranks, RankBody body) throws Exception {
            LocalCommunicator.run(ranks, body, bug, checked, kind);
        }

        /** There is none; this is enough for values that do not fit into a page. */
        @Override
        public long beyondStaging() {
            return 8 << 10;
        }

        @Override
        public Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            HostArray memory = HostArray.allocate(arena, type, count);
            return kind == Kind.FAR ? new FarArray(memory) : memory;
        }

        @Override
        public boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return LocalCommunicator.supports(kind, type, op);
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        Communicators() {
            super(new Local(Bug.NONE));
        }
    }

    @Nested
    class Persistent extends PersistentContract {
        Persistent() {
            super(new Local(Bug.NONE));
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(new Local(Bug.NONE));
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        Misuse() {
            super(new Local(Bug.NONE));
        }
    }

    @Nested
    class Mismatches extends MismatchContract {
        Mismatches() {
            super(new Local(Bug.NONE, true, Kind.NEAR, 8));
        }
    }

    @Nested
    class Events extends EventContract {
        Events() {
            super(new Local(Bug.NONE));
        }
    }

    // ---- an engine with its own memory ----

    @Nested
    @Tag("nightly")
    class FarCommunicators extends CommunicatorContract {
        FarCommunicators() {
            super(new Local(Bug.NONE, false, Kind.FAR, 3));
        }
    }

    @Nested
    @Tag("nightly")
    class FarMessages extends MessageContract {
        FarMessages() {
            super(new Local(Bug.NONE, false, Kind.FAR, 3));
        }
    }

    @Nested
    class FarMisuse extends MisuseContract {
        FarMisuse() {
            super(new Local(Bug.NONE, false, Kind.FAR, 2));
        }
    }

    @Nested
    class FarMismatches extends MismatchContract {
        FarMismatches() {
            super(new Local(Bug.NONE, true, Kind.FAR, 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void farCollectives(Collective collective) {
        farCollectives(Bug.NONE).everyTypeAndReduction(collective, 2);
    }

    @Test
    void moreThanIsPromisedIsFound() {
        assertThatThrownBy(() -> farCollectives(Bug.TOO_MUCH_PROMISED).everyTypeAndReduction(Collective.ALL_REDUCE, 2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is not supported, but gave null");
    }

    private static CollectiveContract farCollectives(Bug bug) {
        return new CollectiveContract(new Local(bug, false, Kind.FAR, 8)) {};
    }

    /** Three ranks are enough here; engines are tested with all numbers. */
    @ParameterizedTest
    @EnumSource
    void collectives(Collective collective) {
        collectives(Bug.NONE).everyTypeAndReduction(collective, 3);
        collectives(Bug.NONE).aroundPowersOfTwo(collective, 3);
    }

    @Test
    void floodAndBits() {
        collectives(Bug.NONE).floodOfDifferentCollectives(3);
        collectives(Bug.NONE).bitIdentical(3);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "TOO_MUCH_PROMISED"})
    void plantedBugIsFound(Bug bug) {
        assertThatThrownBy(() -> {
                    switch (bug) {
                        case REVERSED_ORDER -> collectives(bug).everyTypeAndReduction(Collective.ALL_REDUCE, 3);
                        case LAST_ELEMENT_MISSING -> collectives(bug).everyTypeAndReduction(Collective.ALL_GATHER, 3);
                        case ONE_TOO_FAR -> collectives(bug).aroundPowersOfTwo(Collective.SCATTER, 2);
                        case WRONG_ROOT -> collectives(bug).everyTypeAndReduction(Collective.BROADCAST, 3);
                        case LAST_RANK_FORGOTTEN ->
                            collectives(bug).everyTypeAndReduction(Collective.REDUCE_SCATTER, 4);
                        case SENDER_CHANGED -> collectives(bug).everyTypeAndReduction(Collective.GATHER, 3);
                        case MESSAGES_OVERTAKE -> messages(bug).severalMessagesInOneDirection(2);
                        case BARRIER_DOES_NOT_WAIT -> communicators(bug).nobodyLeavesABarrierEarly(3);
                        case NONE, TOO_MUCH_PROMISED -> {}
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("rank ")
                .hasMessageContaining("-Dcomm4j.seed=");
    }

    /** Without its checks the engine does not say who called what; it also allocates. */
    @Test
    void missingPropertiesAreFound() {
        MismatchContract unchecked = new MismatchContract(new Local(Bug.NONE)) {};
        assertThatThrownBy(() -> unchecked.types(2)).isInstanceOf(AssertionError.class);
        AllocationContract allocating = new AllocationContract(new Local(Bug.NONE)) {};
        assertThatThrownBy(() -> allocating.smallCallsAllocateNothing(1)).hasMessageContaining("2000 calls allocated");
    }

    private static CollectiveContract collectives(Bug bug) {
        return new CollectiveContract(new Local(bug)) {};
    }

    private static MessageContract messages(Bug bug) {
        return new MessageContract(new Local(bug)) {};
    }

    private static CommunicatorContract communicators(Bug bug) {
        return new CommunicatorContract(new Local(bug)) {};
    }
}
