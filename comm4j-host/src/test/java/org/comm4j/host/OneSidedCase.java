// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

/** One thing that {@link HostShmem} promises, as every PE of a job checks it, together with the others. */
enum OneSidedCase {
    ZEROED_AT_THE_SAME_PLACE(MemoryCases::zeroedAtTheSamePlace),
    ZEROED_BEFORE_ANY_PUT(MemoryCases::zeroedBeforeAnyPut),
    EMPTY_ARRAYS(MemoryCases::emptyArrays),
    DIFFERENT_ARGUMENTS(MemoryCases::differentArguments),
    ALLOCATE_AND_FREE_FOR_LONG(MemoryCases::allocateAndFreeForLong),
    MEMORY_GOES_BACK(MemoryCases::memoryGoesBack),
    FREEING_WAITS_FOR_NOBODY(MemoryCases::freeingWaitsForNobody),
    EXHAUSTED_HEAP(MemoryCases::exhaustedHeap),
    MORE_THAN_THE_MACHINE_HAS(MemoryCases::moreThanTheMachineHas),

    DIRECT_ACCESS(MemoryCases::directAccess),

    DATA_BEFORE_FLAG(WaitCases::dataBeforeFlag),
    ROUND_TRIPS(WaitCases::roundTrips),
    ANOTHER_THREAD_OF_THE_PE_WRITES(WaitCases::anotherThreadWrites),

    PARTS(TeamCases::parts),
    TEAMS_SYNCHRONISE(TeamCases::synchronise),
    TEAMS_WITHOUT_END(TeamCases::withoutEnd),
    TEAMS_BY_SEVERAL_THREADS(TeamCases::bySeveralThreads),
    DIFFERENT_CALLS(MisuseCases::differentCalls),

    WRONG_ARGUMENTS(MisuseCases::wrongArguments),
    FREED_AND_FOREIGN(MisuseCases::freedAndForeign),
    CLOSED_TEAM(MisuseCases::closedTeam);

    /** What one PE does. */
    interface Body {
        void run(HostShmem shmem) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // methods without state
    private final Body body;

    OneSidedCase(Body body) {
        this.body = body;
    }

    void run(HostShmem shmem) throws Exception {
        shmem.barrierAll();
        body.run(shmem);
        shmem.barrierAll();
    }
}
