// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Standstill;
import org.comm4j.host.HostShmem;
import org.comm4j.host.PeerMemory;
import org.comm4j.host.Team;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;

/** This process as a PE of kernels on the CPU: the context of their launches. */
@KernelLibrary
final class CpuPe {
    final PeerMemory memory;
    final int myPe;
    final int nPes;
    /** By their numbers in kernels. */
    private final List<Team> teams = new CopyOnWriteArrayList<>();

    private static final IdentityHashMap<HostShmem, CpuPe> PES = new IdentityHashMap<>();

    /** The same for all compilers of a heap. */
    static CpuPe of(HostShmem shmem) {
        synchronized (PES) {
            PES.values().removeIf(pe -> !pe.memory.isOpen());
            return PES.computeIfAbsent(shmem, CpuPe::new);
        }
    }

    private CpuPe(HostShmem shmem) {
        this.memory = shmem.memory();
        this.myPe = shmem.myPe();
        this.nPes = shmem.nPes();
        teams.add(shmem.world());
    }

    void check(String operation) {
        if (!memory.isOpen()) {
            throw new IllegalStateException(operation + ": " + memory.shmem() + " is closed");
        }
    }

    /** What to throw when a kernel has waited in vain: because somebody died, or because the time was over. */
    static CommException inVain(HostShmem shmem, String message) {
        try {
            shmem.memory().lookAround(message, System.nanoTime());
        } catch (RankFailedException e) {
            return e;
        }
        return new CommTimeoutException(message);
    }

    /** Tells of a kernel's wait for a rank if it has become long; 0 is the start of one that has just begun. */
    static void tell(long start, int rank) {
        if (start != 0) {
            Standstill.look(System.nanoTime() - start, "a kernel", () -> "a collective, for rank " + rank);
        }
    }

    /** Where {@code mine} is on another PE, for loads and stores in all of the array that it points into. */
    I8Ptr pointer(Ptr mine, int pe) {
        MemorySegment all = mine.allMemory();
        return I8Ptr.of(HostArray.wrap(memory.on(all, pe), DataType.INT8), mine.address() - all.address());
    }

    /** There is no memory of many PEs at once on the CPU. */
    I8Ptr nowhere(int team, Ptr mine) {
        checkMember(team, mine);
        return I8Ptr.of(HostArray.wrap(MemorySegment.NULL, DataType.INT8));
    }

    private void checkMember(int team, Ptr mine) {
        if (team(team).size() < 1 || !memory.isSymmetric(mine.memory())) {
            throw new IllegalArgumentException(mine + " is not in the symmetric heap of PE " + myPe + " of " + nPes);
        }
    }

    int number(Team team) {
        synchronized (teams) {
            int known = teams.indexOf(team);
            if (known < 0) {
                teams.add(team);
            }
            return known < 0 ? teams.size() - 1 : known;
        }
    }

    Team team(int number) {
        if (number < 0 || number >= teams.size()) {
            throw new IllegalArgumentException("there is no team " + number + " on PE " + myPe + " of " + nPes);
        }
        return teams.get(number);
    }
}
