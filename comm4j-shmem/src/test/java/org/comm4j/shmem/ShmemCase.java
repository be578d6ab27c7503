// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

/** One thing that {@link OpenShmem} promises, whatever the engine, as every PE of a job checks it, together with the others. */
enum ShmemCase {
    ZEROED_AT_THE_SAME_PLACE(MemoryCases::zeroedAtTheSamePlace),
    ZEROED_BEFORE_ANY_PUT(MemoryCases::zeroedBeforeAnyPut),
    EMPTY_ARRAYS(MemoryCases::emptyArrays),
    SLICES_AND_VIEWS(MemoryCases::slicesAndViews),
    ALLOCATE_AND_FREE_FOR_LONG(MemoryCases::allocateAndFreeForLong),
    FREEING_WAITS_FOR_NOBODY(MemoryCases::freeingWaitsForNobody),
    DIFFERENT_ALLOCATIONS(MemoryCases::differentAllocations),
    EXHAUSTED_HEAP(MemoryCases::exhaustedHeap),
    POINTERS(MemoryCases::pointers),
    SHAPES(MemoryCases::shapes),
    ALIGNMENT(MemoryCases::alignment),
    REALLOCATION(MemoryCases::reallocation),
    ACCESSIBLE(MemoryCases::accessible),

    PUT_AND_GET_OF_EVERY_TYPE(MoveCases::everyType),
    LARGE_TRANSFERS(MoveCases::large),
    STRIDED(MoveCases::strided),
    BLOCKS(MoveCases::blocks),
    SINGLE_VALUES(MoveCases::singleValues),
    EVERYBODY_TO_EVERYBODY(MoveCases::everybodyToEverybody),
    CONTEXTS(MoveCases::contexts),
    LATER(MoveCases::later),

    ATOMICS_ONE_BY_ONE(AtomicCases::oneByOne),
    NEIGHBOURS_OF_ATOMICS(AtomicCases::neighbours),
    CONCURRENT_SUMS(AtomicCases::concurrentSums),
    CONCURRENT_BITS(AtomicCases::concurrentBits),
    COMPARE_SWAP_AS_LOCK(AtomicCases::compareSwapAsLock),
    SWAP_LOSES_NOTHING(AtomicCases::swapLosesNothing),
    FLOATING_POINT_ATOMICS(AtomicCases::floatingPoint),
    FETCHED_LATER(AtomicCases::fetchedLater),
    SEVERAL_THREADS_OF_A_PE(AtomicCases::severalThreads),

    DATA_BEFORE_SIGNAL(SignalCases::dataBeforeSignal),
    FLAG_AFTER_DATA(SignalCases::flagAfterData),
    ROUND_TRIPS(SignalCases::roundTrips),
    EVERY_COMPARISON(SignalCases::everyComparison),
    WAITS_FOR_SEVERAL(SignalCases::several),
    MASKS_AND_EMPTY_SETS(SignalCases::masksAndEmptySets),
    FAIR_WAITS(SignalCases::fair),
    ANOTHER_THREAD_OF_THE_PE_WRITES(SignalCases::anotherThread),
    A_WAIT_IN_VAIN(SignalCases::inVain),

    STRIDED_TEAMS(TeamCases::strided),
    GRIDS(TeamCases::grids),
    TRANSLATION(TeamCases::translation),
    TEAMS_SYNCHRONISE(TeamCases::synchronise),
    TEAMS_WITHOUT_END(TeamCases::withoutEnd),
    TEAMS_OF_DIFFERENT_ARGUMENTS(TeamCases::differentArguments),
    CONTEXTS_OF_TEAMS(TeamCases::contexts),

    BROADCASTS(CollectiveCases::broadcasts),
    COLLECTS(CollectiveCases::collects),
    FCOLLECTS(CollectiveCases::fcollects),
    ALL_TO_ALL(CollectiveCases::allToAll),
    REDUCTIONS_OF_EVERY_TYPE(CollectiveCases::everyReduction),
    LARGE_REDUCTIONS(CollectiveCases::largeReductions),
    REDUCE_SCATTER(CollectiveCases::reduceScatter),
    SCANS(CollectiveCases::scans),
    FLOOD_OF_COLLECTIVES(CollectiveCases::flood),
    COLLECTIVES_OF_TEAMS(CollectiveCases::ofTeams),

    LOCKS_EXCLUDE(LockCases::exclude),
    LOCKS_IN_ORDER(LockCases::inOrder),
    LOCKS_ARE_TRIED(LockCases::tried),

    NOTHING_IS_ALLOCATED(AllocationCases::nothing),

    WRONG_ARGUMENTS(MisuseCases::wrongArguments),
    WRONG_TYPES(MisuseCases::wrongTypes),
    FREED_AND_CLOSED(MisuseCases::freedAndClosed);

    /** What one PE does. */
    interface Body {
        void run(OpenShmem shmem) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // methods without state
    private final Body body;

    ShmemCase(Body body) {
        this.body = body;
    }

    void run(OpenShmem shmem) throws Exception {
        shmem.barrierAll();
        body.run(shmem);
        shmem.barrierAll();
    }
}
