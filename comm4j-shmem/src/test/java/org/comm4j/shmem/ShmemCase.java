// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import org.comm4j.core.contract.pgas.CommonCase;

/**
 * One thing that {@link OpenShmem} promises beyond what all engines of {@link CommonCase} do, whatever its own engine,
 * as every PE of a job checks it, together with the others.
 */
enum ShmemCase {
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

    BLOCKS(MoveCases::blocks),
    CONTEXTS(MoveCases::contexts),
    LATER(MoveCases::later),

    FETCHED_LATER(AtomicCases::fetchedLater),

    A_WAIT_IN_VAIN(SignalCases::inVain),
    INTERRUPTED_WAITS(SignalCases::interrupted),

    STRIDED_TEAMS(TeamCases::strided),
    TRANSLATION(TeamCases::translation),
    TEAMS_WITHOUT_END(TeamCases::withoutEnd),
    TEAMS_OF_DIFFERENT_ARGUMENTS(TeamCases::differentArguments),
    CONTEXTS_OF_TEAMS(TeamCases::contexts),

    COLLECTS(CollectiveCases::collects),
    ALL_TO_ALL(CollectiveCases::allToAll),
    REDUCTIONS_OF_EVERY_TYPE(CollectiveCases::everyReduction),
    SCANS(CollectiveCases::scans),
    FLOOD_OF_COLLECTIVES(CollectiveCases::flood),

    NOTHING_IS_ALLOCATED(AllocationCases::nothing),

    WRONG_ARGUMENTS(MisuseCases::wrongArguments),
    NULLS(MisuseCases::nulls),
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
