// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.World;
import org.comm4j.core.launch.MpiStart;
import org.comm4j.core.spi.Bootstrap;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.Peers;
import org.comm4j.ffi.LibraryNotFoundException;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** MPI as the service that brings the processes of a job together before there is a world. */
public final class MpiBootstrap implements Bootstrap {
    public MpiBootstrap() {}

    @Override
    public String name() {
        return MpiEngine.NAME;
    }

    @Override
    public @Nullable String problem(Map<String, String> environment) {
        MpiStart start = MpiStart.of(environment);
        return start.kind() != null || start.pmix() || start.pmi() ? null : "started by " + start.launcher();
    }

    @Override
    public Group meet(Map<String, String> environment, Duration patience) {
        try {
            return new Processes(MpiProcess.alone(), patience);
        } catch (CommException | LibraryNotFoundException | IllegalStateException e) {
            throw new RendezvousException("the processes cannot meet by MPI: " + e.getMessage(), e);
        }
    }

    /** All processes of {@code MPI_COMM_WORLD}. */
    private record Processes(MpiProcess process, Duration patience) implements Group {
        @Override
        public int rank() {
            return process.rank();
        }

        @Override
        public int size() {
            return process.size();
        }

        @Override
        public List<byte[]> exchange(byte[] mine) {
            HostArray length = HostArray.of(mine.length);
            HostArray lengths = HostArray.allocate(DataType.INT32, size());
            gather(length, lengths, "INT32_T");
            int most = 1;
            for (int r = 0; r < size(); r++) {
                most = Math.max(most, lengths.getInt(r));
            }
            HostArray bytes = HostArray.allocate(DataType.UINT8, most);
            MemorySegment.copy(mine, 0, bytes.segment(), ValueLayout.JAVA_BYTE, 0, mine.length);
            HostArray all = HostArray.allocate(DataType.UINT8, (long) most * size());
            gather(bytes, all, "BYTE");
            List<byte[]> result = new ArrayList<>();
            for (int r = 0; r < size(); r++) {
                result.add(all.segment()
                        .asSlice((long) r * most, lengths.getInt(r))
                        .toArray(ValueLayout.JAVA_BYTE));
            }
            return result;
        }

        private void gather(HostArray send, HostArray recv, String type) {
            Requests requests = new Requests(process, process.types());
            long handle = process.abi().get(type);
            int count = Math.toIntExact(send.count());
            boolean done = false;
            try {
                process.check(
                        LibMpi.MPI_Iallgather(
                                send.address(),
                                count,
                                handle,
                                recv.address(),
                                count,
                                handle,
                                process.abi().get("COMM_WORLD"),
                                requests.next(new Call(rank(), size()).barrier())),
                        "MPI_Iallgather");
                new MpiWaiting("rank " + rank() + " of " + size(), Peers.UNKNOWN, size(), null)
                        .await(requests, "join", System.nanoTime(), patience.toNanos());
                done = true;
            } catch (CommException e) {
                throw new RendezvousException("the processes of " + process + " do not all join: " + e.getMessage(), e);
            } finally {
                if (!done) {
                    MpiProcess.keep(List.of(requests, send, recv));
                }
            }
        }

        @Override
        public String description() {
            return process.toString();
        }

        @Override
        public void leaving(World world) {
            process.end(world);
        }
    }
}
