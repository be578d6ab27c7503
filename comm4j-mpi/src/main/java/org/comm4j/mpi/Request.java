// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.ffi.mpi.LibMpi;

/**
 * A request to a rank for an operation on its memory: a message with a head and, if they are few, the bytes of a put;
 * many bytes are a message of their own. Its number is in the tags of what belongs to it.
 *
 * <pre>
 * 0   kind     4   number
 * 8   place in the memory
 * 16  bytes    24  value    32  condition
 * 40  atomic operation      44  whether of 64 bits
 * 64  bytes of a put
 * </pre>
 */
final class Request {
    /** What a rank asks for. */
    enum Kind {
        /** To store the bytes of this message. */
        PUT,
        /** The same, and to answer. */
        PUT_ANSWERED,
        /** To store the bytes of the next message. */
        PUT_LARGE,
        /** To send bytes. */
        GET,
        /** To execute an atomic operation and send what was there. */
        FETCH,
        /** To execute an atomic operation. */
        ATOMIC,
        /** To answer when all requests before are done. */
        FLUSH
    }

    static final long HEAD = 64;
    /** The most bytes of a put that travel with its head. */
    static final long INLINE = 4 << 10;

    static final long MESSAGE = HEAD + INLINE;

    /** The tag of all requests; those of what belongs to one are above it. */
    static final int TAG = 0;

    private static final Kind[] KINDS = Kind.values();

    private static final long ANSWER = MESSAGE;
    private static final long HANDLES = ANSWER + 8;
    private static final int MOST_HANDLES = 3;
    private static final long FLAG = HANDLES + 8 * MOST_HANDLES;
    private static final long STATUS = FLAG + 8;
    private static final long BYTES = STATUS + 64;

    private final MpiProcess process;
    private final long byteType;
    final int number;
    final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);

    /** What the operation reads or writes until it ends. */
    MemorySegment used = MemorySegment.NULL;

    private int handles;
    private int tested;
    private int rank;

    Request(MpiProcess process, int number) {
        this.process = process;
        this.byteType = process.abi().get("BYTE");
        this.number = number;
    }

    /** The tag of the bytes of a put. */
    static int putTag(int number) {
        return 1 + 2 * number;
    }

    /** The tag of an answer. */
    static int answerTag(int number) {
        return 2 + 2 * number;
    }

    static Kind kind(MemorySegment message) {
        return KINDS[message.get(ValueLayout.JAVA_INT, 0)];
    }

    static int number(MemorySegment message) {
        return message.get(ValueLayout.JAVA_INT, 4);
    }

    static long at(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, 8);
    }

    static long bytes(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, 16);
    }

    static long value(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, 24);
    }

    static long condition(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, 32);
    }

    static int operation(MemorySegment message) {
        return message.get(ValueLayout.JAVA_INT, 40);
    }

    static boolean wide(MemorySegment message) {
        return message.get(ValueLayout.JAVA_INT, 44) != 0;
    }

    /** Begins a request; nothing is sent yet. */
    void begin(Kind kind, long at, long bytes) {
        handles = 0;
        tested = 0;
        memory.set(ValueLayout.JAVA_INT, 0, kind.ordinal());
        memory.set(ValueLayout.JAVA_INT, 4, number);
        memory.set(ValueLayout.JAVA_LONG, 8, at);
        memory.set(ValueLayout.JAVA_LONG, 16, bytes);
    }

    void operation(int operation, boolean wide, long value, long condition) {
        memory.set(ValueLayout.JAVA_LONG, 24, value);
        memory.set(ValueLayout.JAVA_LONG, 32, condition);
        memory.set(ValueLayout.JAVA_INT, 40, operation);
        memory.set(ValueLayout.JAVA_INT, 44, wide ? 1 : 0);
    }

    /** Sends the head and so many bytes behind it. */
    void send(long comm, int to, long inline) {
        rank = to;
        send(comm, to, memory.address(), HEAD + inline, TAG);
    }

    void send(long comm, int to, long from, long bytes, int tag) {
        int code = LibMpi.MPI_Isend(from, Math.toIntExact(bytes), byteType, to, tag, comm, handle());
        process.check(code, "MPI_Isend");
    }

    /** Receives an answer. */
    void receive(long comm, int from, long into, long bytes) {
        receive(comm, from, into, bytes, answerTag(number));
    }

    void receive(long comm, int from, long into, long bytes, int tag) {
        int code = LibMpi.MPI_Irecv(into, Math.toIntExact(bytes), byteType, from, tag, comm, handle());
        process.check(code, "MPI_Irecv");
    }

    /** Looks whether a request has come; {@link #source} says whose. */
    boolean hasCome(long comm, int anySource) {
        long start = memory.address();
        process.check(LibMpi.MPI_Iprobe(anySource, TAG, comm, start + FLAG, start + STATUS), "MPI_Iprobe");
        return memory.get(ValueLayout.JAVA_INT, FLAG) != 0;
    }

    private long handle() {
        memory.set(ValueLayout.JAVA_LONG, HANDLES + 8L * handles, 0);
        return memory.address() + HANDLES + 8L * handles++;
    }

    /** Where a short answer goes to, or comes from. */
    long answerAddress() {
        return memory.address() + ANSWER;
    }

    long answer() {
        return memory.get(ValueLayout.JAVA_LONG, ANSWER);
    }

    void answer(long value) {
        memory.set(ValueLayout.JAVA_LONG, ANSWER, value);
    }

    /** Returns whether all that was begun has ended. */
    boolean isDone() {
        long start = memory.address();
        while (tested < handles) {
            process.check(LibMpi.MPI_Test(start + HANDLES + 8L * tested, start + FLAG, start + STATUS), "MPI_Test");
            if (memory.get(ValueLayout.JAVA_INT, FLAG) == 0) {
                return false;
            }
            tested++;
        }
        return true;
    }

    /** The rank that was asked last. */
    int rank() {
        return rank;
    }

    /** The rank whose message has come. */
    int source() {
        return memory.get(ValueLayout.JAVA_INT, STATUS + process.abi().sourceInStatus());
    }

    /** Where the message is that was received last. */
    long address() {
        return memory.address();
    }
}
