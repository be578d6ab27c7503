// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import org.comm4j.core.Pgas;

/**
 * One thing that {@link Pgas} promises, whatever the engine, as every PE of a job checks it, together with the others.
 */
public enum CommonCase {
    ZEROED_AT_THE_SAME_PLACE(Memory::zeroedAtTheSamePlace),
    ZEROED_BEFORE_ANY_PUT(Memory::zeroedBeforeAnyPut),
    EMPTY_ARRAYS(Memory::emptyArrays),
    SLICES_AND_VIEWS(Memory::slicesAndViews),
    ALLOCATE_AND_FREE_FOR_LONG(Memory::allocateAndFreeForLong),
    DIFFERENT_ALLOCATIONS(Memory::differentAllocations),

    PUT_AND_GET_OF_EVERY_TYPE(Moves::everyType),
    LARGE_TRANSFERS(Moves::large),
    OWN_ARRAYS_AS_SOURCE(Moves::symmetricOnBothSides),
    FROM_AND_TO_THE_MIDDLE(Moves::fromAndToTheMiddle),
    STRIDED(Moves::strided),
    SINGLE_VALUES(Moves::singleValues),
    EVERYBODY_TO_EVERYBODY(Moves::everybodyToEverybody),

    ATOMICS_ONE_BY_ONE(Atomics::oneByOne),
    NEIGHBOURS_OF_ATOMICS(Atomics::neighbours),
    CONCURRENT_SUMS(Atomics::concurrentSums),
    CONCURRENT_BITS(Atomics::concurrentBits),
    COMPARE_SWAP_AS_LOCK(Atomics::compareSwapAsLock),
    SWAP_LOSES_NOTHING(Atomics::swapLosesNothing),
    FLOATING_POINT_ATOMICS(Atomics::floatingPoint),
    SEVERAL_THREADS_OF_A_PE(Atomics::severalThreads),

    DATA_BEFORE_SIGNAL(Signals::dataBeforeSignal),
    FLAG_AFTER_DATA(Signals::flagAfterData),
    ROUND_TRIPS(Signals::roundTrips),
    EVERY_COMPARISON(Signals::everyComparison),
    WAITS_FOR_SEVERAL(Signals::several),
    MASKS_AND_EMPTY_SETS(Signals::masksAndEmptySets),
    FAIR_WAITS(Signals::fair),
    ANOTHER_THREAD_OF_THE_PE_WRITES(Signals::anotherThread),
    A_WAIT_IN_VAIN(Signals::inVain),

    STRIDED_TEAMS(Teams::strided),
    GRIDS(Teams::grids),
    TRANSLATION(Teams::translation),
    TEAMS_SYNCHRONISE(Teams::synchronise),
    TEAMS_OF_DIFFERENT_ARGUMENTS(Teams::differentArguments),

    BROADCASTS(Collectives::broadcasts),
    FCOLLECTS(Collectives::fcollects),
    ALL_TO_ALL(Collectives::allToAll),
    REDUCTIONS_OF_EVERY_TYPE(Collectives::everyReduction),
    LARGE_REDUCTIONS(Collectives::largeReductions),
    REDUCE_SCATTER(Collectives::reduceScatter),
    COLLECTIVES_OF_TEAMS(Collectives::ofTeams),

    LOCKS_EXCLUDE(Locks::exclude),
    LOCKS_IN_ORDER(Locks::inOrder),
    LOCKS_ARE_TRIED(Locks::tried),

    WRONG_ARGUMENTS(Misuse::wrongArguments),
    WRONG_TYPES(Misuse::wrongTypes),
    ARRAYS_OF_OTHERS(Misuse::arraysOfOthers),
    FREED_AND_CLOSED(Misuse::freedAndClosed);

    /** What one PE does. */
    private interface Body {
        void run(Pgas shmem) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // methods without state
    private final Body body;

    CommonCase(Body body) {
        this.body = body;
    }

    /** Collective. */
    public void run(Pgas shmem) throws Exception {
        shmem.barrierAll();
        body.run(shmem);
        shmem.barrierAll();
    }
}
