// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/** Messages with tags of one communicator: their checks, and what is done with each. */
final class Tags {
    private final MpiCommunicator comm;
    private final MpiWaiting waiting;
    private final Tagged tagged;

    Tags(MpiCommunicator comm, MpiWaiting waiting, Tagged tagged) {
        this.comm = comm;
        this.waiting = waiting;
        this.tagged = tagged;
    }

    private String where(String operation) {
        return operation + " on rank " + comm.rank() + " of " + comm.size();
    }

    void send(Buffer buffer, int peer, int tag) {
        checkTag("send", tag, false);
        checkCount(where("send"), Arguments.nonNull(buffer, where("send"), "buffer"));
        Call call = comm.enter("send");
        try {
            comm.message(call.send(buffer, peer), tag);
        } finally {
            comm.leave();
        }
    }

    Received receive(Buffer buffer, int peer, int tag) {
        Arguments.nonNull(buffer, where("receive"), "buffer");
        checkTag("receive", tag, true);
        checkSource("receive", peer);
        Call call = comm.enter("receive");
        try {
            Received message = await("receive", peer, tag, buffer.type());
            comm.message(call.recv(fitting("receive", message, buffer), message.rank()), message.tag());
            return message;
        } finally {
            comm.leave();
        }
    }

    Received probe(int peer, int tag, DataType type) {
        Arguments.nonNull(type, where("probe"), "type");
        checkTag("probe", tag, true);
        checkSource("probe", peer);
        Call ignored = comm.enter("probe");
        try {
            return await("probe", peer, tag, type);
        } finally {
            comm.leave();
        }
    }

    Received sendReceive(Buffer send, int to, int sendTag, Buffer recv, int from, int tag) {
        String operation = "sendReceive";
        Arguments.nonNull(send, where(operation), "send");
        Arguments.nonNull(recv, where(operation), "recv");
        checkTag(operation, sendTag, false);
        checkCount(where(operation), send);
        checkTag(operation, tag, true);
        checkSource(operation, from);
        Call ignored = comm.enter(operation);
        try {
            Call out = new Call(comm.rank(), comm.size()).send(send, to);
            if (send.address() < recv.address() + recv.count() * recv.type().bytes()
                    && recv.address()
                            < send.address() + send.count() * send.type().bytes()) {
                throw new IllegalArgumentException(where(operation) + ": send and recv overlap");
            }
            // Both are under way together: the message that comes may be this rank's own.
            Step sending = comm.step(sendTag);
            @Nullable Received[] message = {null};
            comm.holding()
                    .during(
                            send,
                            recv,
                            () -> comm.attempt(List.of(send, recv), requests -> {
                                sending.start(out, requests, false);
                                Received one = await(operation, from, tag, recv.type());
                                Step receiving = comm.step(one.tag());
                                Call in = new Call(comm.rank(), comm.size())
                                        .recv(fitting(operation, one, recv), one.rank());
                                receiving.start(in, requests, false);
                                comm.await(List.of(out, in), requests);
                                sending.finish();
                                receiving.finish();
                                message[0] = one;
                            }));
            return Arguments.nonNull(message[0], where(operation), "message");
        } finally {
            comm.leave();
        }
    }

    private Buffer fitting(String operation, Received message, Buffer buffer) {
        if (message.count() < 0 || message.count() > buffer.count()) {
            throw new CollectiveMismatchException(where(operation) + ": the message of rank " + message.rank()
                    + " with tag " + message.tag() + " has "
                    + (message.count() < 0 ? "no whole number of elements" : message.count() + " elements")
                    + ", and the buffer is " + buffer + "; receive it into another one");
        }
        return buffer.slice(0, message.count());
    }

    private Received await(String operation, int peer, int tag, DataType type) {
        @Nullable Received[] message = {null};
        waiting.source(peer);
        try {
            waiting.await(
                    () -> {
                        message[0] = tagged.look(peer, tag, type);
                        return message[0] != null;
                    },
                    operation + "(peer " + peer + ", tag " + tag + ")",
                    System.nanoTime(),
                    comm.limitNanos());
        } finally {
            waiting.source(null);
        }
        return Arguments.nonNull(message[0], where(operation), "message");
    }

    /** A message with a tag is one of MPI's, as whoever receives it gets to know its size. */
    static void checkCount(String where, Buffer buffer) {
        if (buffer.count() > Step.LIMIT) {
            throw new IllegalArgumentException(where + ": " + buffer + " has more than " + Step.LIMIT
                    + " elements, which is the most of a message with a tag; send slices of it");
        }
    }

    private void checkTag(String operation, int tag, boolean any) {
        if (tag < 0 && !(any && tag == Mpi.ANY_TAG)) {
            throw new IllegalArgumentException(where(operation) + ": tag " + tag + " is below 0");
        }
    }

    private void checkSource(String operation, int peer) {
        if (peer != Mpi.ANY_SOURCE && (peer < 0 || peer >= comm.size())) {
            throw new IllegalArgumentException(where(operation) + ": peer " + peer + " is no rank, nor Mpi.ANY_SOURCE");
        }
    }
}
