// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.CheckedMode;

/** Calls that make progress together, and what checked mode does around them. */
final class Groups {
    private Groups() {}

    static void run(MpiCommunicator comm, MpiProcess process, List<Call> calls) {
        calls.forEach(call -> compare(comm, call));
        Checks checks = CheckedMode.ON ? checked(comm, process, calls) : new Checks("");
        List<Step> steps = new ArrayList<>(calls.size());
        comm.attempt(steps, requests -> {
            for (Call call : calls) {
                Step each = comm.newStep();
                steps.add(each);
                DataType unfit = checks.unfit(call);
                if (unfit == null) {
                    each.start(call, requests, false);
                } else {
                    process.lock();
                    try {
                        each.lose(call, requests, unfit, checks.count(call));
                    } finally {
                        process.unlock();
                    }
                }
            }
            comm.await(calls, requests);
        });
        CollectiveMismatchException mismatch = null;
        for (int i = 0; i < steps.size(); i++) {
            if (checks.unfit(calls.get(i)) == null) {
                steps.get(i).finish();
            } else {
                steps.get(i).clear();
                mismatch = mismatch == null ? checks.mismatch(calls.get(i)) : mismatch;
            }
        }
        if (mismatch != null) {
            throw mismatch;
        }
    }

    /** Hears what the senders of this group's messages say of them. */
    private static Checks checked(MpiCommunicator comm, MpiProcess process, List<Call> calls) {
        Checks checks = new Checks("rank " + comm.rank() + " of " + comm.size());
        List<Call> messages =
                calls.stream().filter(call -> call.kind().isPointToPoint()).toList();
        comm.poll(calls, checks, requests -> checks.start(messages, process, comm.handle(), requests));
        return checks;
    }

    /** Compares, in checked mode, what all ranks call. */
    static void compare(MpiCommunicator comm, Call call) {
        if (!CheckedMode.ON || call.kind().isPointToPoint() || comm.size() == 1) {
            return;
        }
        long[] mine = CheckedMode.signature(call);
        long[] all = exchange(comm, call, mine);
        long[][] signatures = new long[comm.size()][mine.length];
        for (int r = 0; r < signatures.length; r++) {
            System.arraycopy(all, r * mine.length, signatures[r], 0, mine.length);
        }
        CheckedMode.compare(call, signatures);
    }

    /** Returns each rank's numbers, as many of each; collective. */
    static long[] exchange(MpiCommunicator comm, Object what, long... mine) {
        HostArray send = HostArray.of(mine);
        HostArray recv = HostArray.allocate(DataType.INT64, (long) comm.size() * mine.length);
        comm.poll(what, List.of(send, recv), requests -> comm.gather(what, send, recv, requests));
        return recv.toLongArray();
    }
}
