// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/**
 * Reductions of a team of three or more in place. NVSHMEM, to 3.8 at least, has an algorithm of several rounds, in each
 * of which a member gives another one its source: in place that is what earlier rounds have made of it, and the result
 * is wrong. It takes it for what exceeds its scratch memory, where it does not leave the work to NCCL, which the caller
 * cannot know.
 *
 * <p>So each member gets its share of all sources, combines them, and puts the result to all members. Nobody reads the
 * share of a member but that one, so nothing is read after it was overwritten. What NVSHMEM combines in one round is
 * left to it, and so are pieces of such a size where members do not reach each other's memory.
 */
final class InPlaceReduction {
    /** The most bytes of a member's share that are under way at a time. */
    private static final long SHARE = 4 << 20;

    private static final String SCRATCH_VARIABLE = "NVSHMEM_REDUCE_SCRATCH_SIZE";
    private static final long DEFAULT_SCRATCH = 512 << 10;

    private final TeamOperations team;
    /**
     * The share of each member, then the result. The last is as large as was needed so far; graphs may have those
     * before.
     */
    private final List<DeviceArray> rows = new ArrayList<>();

    InPlaceReduction(TeamOperations team) {
        this.team = team;
    }

    void close() {
        rows.forEach(DeviceArray::close);
        rows.clear();
    }

    /** By a call of the library. */
    @FunctionalInterface
    interface Library {
        void reduce(long at, long count);
    }

    /**
     * @param at the address of the elements on this PE
     * @param type of the elements
     * @param library the library's own reduction
     */
    void run(ReduceOp op, DataType type, long at, long count, Stream stream, Library library) {
        long inOneRound = inOneRound(type);
        if (count <= inOneRound || !reachesAll(at)) {
            for (long done = 0; done < count; done += inOneRound) {
                library.reduce(at + done * type.bytes(), Math.min(inOneRound, count - done));
            }
            return;
        }
        CUstream queue = stream.handle();
        int n = team.size();
        long unit = type.bytes();
        long most = Math.min(SHARE / unit, (count + n - 1) / n);
        DeviceArray rows = rows(most * unit);
        rows.usedIn(stream);
        long stride = rows.byteSize() / (n + 1);
        LibNvshmem.nvshmemx_team_sync_on_stream(team.handle, queue);
        for (long done = 0; done < count; done += most * n) {
            long first = done + team.rank() * most;
            long mine = Math.clamp(count - first, 0L, most);
            if (mine > 0) {
                long place = at + first * unit;
                for (int i = 0; i < n; i++) {
                    // Not all from the same one at a time.
                    int member = (team.rank() + i) % n;
                    LibCuda.cuMemcpyDtoDAsync(
                            rows.address() + member * stride, there(place, member), mine * unit, queue);
                }
                long result = rows.address() + n * stride;
                team.session.reductions.launch(op, type, result, rows.address(), stride, n, mine, stream);
                for (int i = 0; i < n; i++) {
                    int member = (team.rank() + i) % n;
                    LibCuda.cuMemcpyDtoDAsync(there(place, member), result, mine * unit, queue);
                }
            }
            LibNvshmem.nvshmemx_barrier_on_stream(team.handle, queue);
        }
    }

    private long there(long address, int member) {
        return LibNvshmem.nvshmem_ptr(address, team.worldPe(member));
    }

    private DeviceArray rows(long bytes) {
        // By powers of two there are few.
        long needed = Math.max(256, Long.highestOneBit(2 * bytes - 1)) * (team.size() + 1);
        if (rows.isEmpty() || rows.getLast().byteSize() < needed) {
            rows.add(team.session.device.allocate(DataType.UINT8, needed));
        }
        return rows.getLast();
    }

    private boolean reachesAll(long address) {
        return IntStream.range(0, team.size()).allMatch(member -> there(address, member) != 0);
    }

    /** A sixteenth of NVSHMEM's scratch memory: half of it, divided by the size of a long, for all other members. */
    private long inOneRound(DataType type) {
        return Math.max(1, scratch() / 2 / Long.BYTES / (team.size() - 1) / type.bytes());
    }

    /** At most the default: pieces that are too small only take longer. */
    private static long scratch() {
        String text = OperatingSystem.current().variable(SCRATCH_VARIABLE);
        return text != null && text.matches("\\d{1,9}")
                ? Math.min(Long.parseLong(text), DEFAULT_SCRATCH)
                : DEFAULT_SCRATCH;
    }
}
