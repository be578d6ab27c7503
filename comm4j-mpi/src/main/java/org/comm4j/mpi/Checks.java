// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** Announcement of each message to its receiver, in checked mode: the type and the number of elements. */
final class Checks {
    private static final int TAG = 2;
    private static final int WORDS = 2;

    private final List<Call> calls = new ArrayList<>();
    private final List<HostArray> words = new ArrayList<>();
    private final String where;

    Checks(String where) {
        this.where = where;
    }

    /** Starts to tell, or to hear, what each of these messages is. */
    void start(List<Call> messages, MpiProcess process, long comm, Requests requests) {
        long type = process.types().of(DataType.INT64);
        for (Call call : messages) {
            DataType elements = call.type();
            boolean sends = call.kind() == Call.Kind.SEND;
            HostArray each = HostArray.of(elements == null ? -1 : elements.ordinal(), call.count());
            calls.add(call);
            words.add(each);
            long request = requests.next(call);
            process.check(
                    sends
                            ? LibMpi.MPI_Isend(each.address(), WORDS, type, call.peer(), TAG, comm, request)
                            : LibMpi.MPI_Irecv(each.address(), WORDS, type, call.peer(), TAG, comm, request),
                    String.valueOf(call));
        }
    }

    /** Returns the type of the message that a call will get, after all was told; null if it is what it expects. */
    @Nullable
    DataType unfit(Call call) {
        int at = calls.indexOf(call);
        if (at < 0 || call.kind() != Call.Kind.RECV) {
            return null;
        }
        DataType sent = DataType.values()[(int) words.get(at).getLong(0)];
        return sent == call.type() && count(call) == call.count() ? null : sent;
    }

    /** Returns the number of elements of the message that a call will get. */
    long count(Call call) {
        return words.get(calls.indexOf(call)).getLong(1);
    }

    CollectiveMismatchException mismatch(Call call) {
        return new CollectiveMismatchException("recv on " + where + ": rank " + call.peer() + " sent " + count(call)
                + " x " + unfit(call) + ", but " + call.count() + " x " + call.type()
                + " were to be received; the message is lost");
    }
}
