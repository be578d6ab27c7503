// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What travels between a rank and the rendezvous. A connection opens with eight bytes from the rank, {@code "comm4j"}
 * and a two-byte version; then both sides send frames: a four-byte length, a one-byte kind and the fields in the order
 * of the records below. Numbers are big-endian; texts (UTF-8) and values have a four-byte length in front, lists a
 * four-byte count.
 */
// Messages are written and read, never compared; and an enum's order is part of the protocol.
@SuppressWarnings({"ArrayRecordComponent", "EnumOrdinal"})
sealed interface Message {

    /** Protocol version; both sides must have the same. */
    short VERSION = 5;

    /** The first six bytes of a connection. */
    byte[] MAGIC = "comm4j".getBytes(StandardCharsets.US_ASCII);

    /** The longest frame before the other end is known to belong to the job. */
    int HELLO_LIMIT = 4 << 10;

    /** The longest frame: the largest value, with room for key and counts. */
    int LIMIT = Hub.VALUE_LIMIT + (1 << 20);

    // From a rank.
    /** Nonce and proof are empty where the kernel says whose process it is. */
    record Hello(int rank, int size, String card, long timeoutNanos, byte[] nonce, byte[] proof) implements Message {}

    record Publish(int id, String key, byte[] value) implements Message {}

    record Lookup(int id, String key, long timeoutNanos) implements Message {}

    record Exchange(int id, String key, byte[] value, long timeoutNanos) implements Message {}

    record Agree(int id, String key, int[] ranks, byte[] value, long timeoutNanos) implements Message {}

    record Goodbye() implements Message {}

    record Ended(String how) implements Message {}

    record Reported(int id) implements Message {}

    // From the rendezvous.
    record Challenge(byte[] nonce) implements Message {}

    record Proven(byte[] proof) implements Message {}

    record Welcome(List<byte[]> cards) implements Message {}

    record Refused(String why) implements Message {}

    record Done(int id, List<byte[]> values) implements Message {}

    record Failed(int id, Fault fault, int rank, String why) implements Message {}

    record Gone(int rank, boolean failed, String how) implements Message {}

    record Report(int id) implements Message {}

    // Both ways.
    record Abort(int rank, int exitCode, String reason) implements Message {}

    /** A process by its machine and namespace, and when it started, in ticks since the machine did. */
    record ProcessId(String namespace, long pid, long start) implements Message {}

    /** The exception that a failed request ends with at the rank that made it. */
    enum Fault {
        TIMEOUT,
        RANK_FAILED,
        ILLEGAL_STATE,
        OTHER
    }

    /** The kinds as they stand on the wire, by index. */
    List<Class<? extends Message>> KINDS = List.of(
            Hello.class,
            Publish.class,
            Lookup.class,
            Exchange.class,
            Goodbye.class,
            Welcome.class,
            Refused.class,
            Done.class,
            Failed.class,
            Gone.class,
            Abort.class,
            Challenge.class,
            Proven.class,
            Report.class,
            Reported.class,
            Agree.class,
            ProcessId.class,
            Ended.class);

    /** The opening bytes of a connection. */
    static byte[] preamble() {
        return ByteBuffer.allocate(8).put(MAGIC).putShort(VERSION).array();
    }

    /** Writes one frame, in one piece. */
    default void write(OutputStream out) throws IOException {
        Encoder to = new Encoder();
        switch (this) {
            case Hello m ->
                to.number(m.rank)
                        .number(m.size)
                        .text(m.card)
                        .big(m.timeoutNanos)
                        .value(m.nonce)
                        .value(m.proof);
            case Publish m -> to.number(m.id).text(m.key).value(m.value);
            case Lookup m -> to.number(m.id).text(m.key).big(m.timeoutNanos);
            case Exchange m -> to.number(m.id).text(m.key).value(m.value).big(m.timeoutNanos);
            case Agree m ->
                to.number(m.id).text(m.key).numbers(m.ranks).value(m.value).big(m.timeoutNanos);
            case Goodbye _ -> {}
            case Ended m -> to.text(m.how);
            case Welcome m -> to.values(m.cards);
            case Refused m -> to.text(m.why);
            case Done m -> to.number(m.id).values(m.values);
            case Failed m ->
                to.number(m.id).number(m.fault.ordinal()).number(m.rank).text(m.why);
            case Gone m -> to.number(m.rank).number(m.failed ? 1 : 0).text(m.how);
            case Abort m -> to.number(m.rank).number(m.exitCode).text(m.reason);
            case Challenge m -> to.value(m.nonce);
            case Proven m -> to.value(m.proof);
            case Report m -> to.number(m.id);
            case Reported m -> to.number(m.id);
            case ProcessId m -> to.text(m.namespace).big(m.pid).big(m.start);
        }
        out.write(to.frame(KINDS.indexOf(getClass())));
        out.flush();
    }

    /**
     * Reads one frame of at most {@code limit} bytes.
     *
     * @return null at the end of the stream
     * @throws MalformedException if what arrives is no message of this protocol
     */
    static @Nullable Message read(DataInputStream in, int limit) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < 1 || length > limit) {
            throw new MalformedException("a message of " + Integer.toUnsignedString(length) + " bytes, where 1 to "
                    + limit + " are allowed");
        }
        // Read as it comes, not allocated as announced: a peer pays for the memory that it makes us use.
        byte[] frame = in.readNBytes(length);
        if (frame.length < length) {
            throw new EOFException("the connection ended within a message");
        }
        ByteBuffer from = ByteBuffer.wrap(frame);
        int kind = from.get();
        try {
            Message message = decode(kind, from);
            if (from.hasRemaining()) {
                throw new MalformedException(from.remaining() + " bytes too many in a message of kind " + kind);
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedException("a message of kind " + kind + " that is cut short at " + length + " bytes");
        }
    }

    private static Message decode(int kind, ByteBuffer from) throws MalformedException {
        return switch (kind) {
            case 0 -> new Hello(from.getInt(), from.getInt(), text(from), from.getLong(), value(from), value(from));
            case 1 -> new Publish(from.getInt(), text(from), value(from));
            case 2 -> new Lookup(from.getInt(), text(from), from.getLong());
            case 3 -> new Exchange(from.getInt(), text(from), value(from), from.getLong());
            case 4 -> new Goodbye();
            case 5 -> new Welcome(values(from));
            case 6 -> new Refused(text(from));
            case 7 -> new Done(from.getInt(), values(from));
            case 8 -> new Failed(from.getInt(), fault(from.getInt()), from.getInt(), text(from));
            case 9 -> new Gone(from.getInt(), from.getInt() != 0, text(from));
            case 10 -> new Abort(from.getInt(), from.getInt(), text(from));
            case 11 -> new Challenge(value(from));
            case 12 -> new Proven(value(from));
            case 13 -> new Report(from.getInt());
            case 14 -> new Reported(from.getInt());
            case 15 -> new Agree(from.getInt(), text(from), numbers(from), value(from), from.getLong());
            case 16 -> new ProcessId(text(from), from.getLong(), from.getLong());
            case 17 -> new Ended(text(from));
            default -> throw new MalformedException("a message of the unknown kind " + kind);
        };
    }

    private static Fault fault(int ordinal) throws MalformedException {
        if (ordinal < 0 || ordinal >= Fault.values().length) {
            throw new MalformedException("the unknown fault " + ordinal);
        }
        return Fault.values()[ordinal];
    }

    private static byte[] value(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] value = new byte[length];
        from.get(value);
        return value;
    }

    private static int[] numbers(ByteBuffer from) {
        int count = from.getInt();
        if (count < 0 || count > from.remaining() / Integer.BYTES) {
            throw new BufferUnderflowException();
        }
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = from.getInt();
        }
        return numbers;
    }

    private static String text(ByteBuffer from) {
        return new String(value(from), StandardCharsets.UTF_8);
    }

    private static List<byte[]> values(ByteBuffer from) {
        int count = from.getInt();
        if (count < 0 || count > from.remaining() / Integer.BYTES) {
            throw new BufferUnderflowException();
        }
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(value(from));
        }
        return values;
    }

    /** The peer does not speak this protocol, or breaks it. */
    final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Collects the fields of one frame. */
    final class Encoder {
        // Length and kind are filled in at the end.
        private ByteBuffer bytes = ByteBuffer.allocate(256).position(Integer.BYTES + 1);

        private ByteBuffer room(int more) {
            if (bytes.remaining() < more) {
                int capacity = Math.max(2 * bytes.capacity(), Math.addExact(bytes.position(), more));
                bytes = ByteBuffer.allocate(capacity).put(bytes.flip());
            }
            return bytes;
        }

        Encoder number(int number) {
            room(Integer.BYTES).putInt(number);
            return this;
        }

        Encoder big(long number) {
            room(Long.BYTES).putLong(number);
            return this;
        }

        Encoder numbers(int[] numbers) {
            number(numbers.length);
            for (int number : numbers) {
                number(number);
            }
            return this;
        }

        Encoder value(byte[] value) {
            room(Integer.BYTES + value.length).putInt(value.length).put(value);
            return this;
        }

        Encoder text(String text) {
            return value(text.getBytes(StandardCharsets.UTF_8));
        }

        Encoder values(List<byte[]> values) {
            number(values.size());
            values.forEach(this::value);
            return this;
        }

        byte[] frame(int kind) {
            bytes.putInt(0, bytes.position() - Integer.BYTES).put(Integer.BYTES, (byte) kind);
            byte[] frame = new byte[bytes.position()];
            bytes.get(0, frame);
            return frame;
        }
    }
}
