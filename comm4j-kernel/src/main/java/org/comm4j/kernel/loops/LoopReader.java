// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.loops.JavaMethods.Does;

/**
 * Reads what {@link LoopWriter} has written. Of a program's values there is what launches ask for: of those that are no
 * constants the kind. It has no lambdas, each of which costs a new process a class, up to a millisecond.
 */
final class LoopReader {
    private final DataInputStream in;
    private final Callees callees;
    private final List<Position> positions = new ArrayList<>();

    private LoopReader(byte[] content, JavaMethods java) {
        in = new DataInputStream(new ByteArrayInputStream(content));
        callees = new Callees(java);
    }

    /**
     * Returns an outline.
     *
     * @throws IOException if that is none
     * @throws IndexOutOfBoundsException if that is none
     * @throws Unsupported if a method is not there that it calls
     */
    static LoopOutline outline(byte[] content, JavaMethods java) throws IOException {
        LoopReader reader = new LoopReader(content, java);
        DataInputStream in = reader.in;
        return new LoopOutline(
                reader.flat(),
                reader.numbers(),
                in.readInt(),
                new Sharing.Known(in.readBoolean(), reader.bits(), reader.bits(), reader.bits(), reader.bits()));
    }

    /**
     * Returns loops.
     *
     * @throws IOException if these are none
     * @throws IndexOutOfBoundsException if these are none
     * @throws Unsupported if there are none of this form, or a method is not there that they call
     */
    static LoopCode code(byte[] content, JavaMethods java) throws IOException {
        LoopReader reader = new LoopReader(content, java);
        if (reader.in.readBoolean()) {
            throw new Unsupported(reader.in.readUTF());
        }
        return reader.code();
    }

    private List<Integer> numbers() throws IOException {
        List<Integer> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(in.readInt());
        }
        return all;
    }

    private List<Boolean> flags() throws IOException {
        List<Boolean> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(in.readBoolean());
        }
        return all;
    }

    private List<Kind> kinds() throws IOException {
        List<Kind> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(kind());
        }
        return all;
    }

    private BitSet bits() throws IOException {
        long[] words = new long[in.readInt()];
        for (int i = 0; i < words.length; i++) {
            words[i] = in.readLong();
        }
        return BitSet.valueOf(words);
    }

    private byte[] bytes() throws IOException {
        return in.readNBytes(in.readInt());
    }

    private <E> E one(E[] constants) throws IOException {
        return constants[in.readByte()];
    }

    private Kind kind() throws IOException {
        return one(Kind.values());
    }

    private Position position() throws IOException {
        int number = in.readInt();
        if (number == positions.size()) {
            positions.add(new Position(in.readUTF(), in.readUTF(), in.readInt()));
        }
        return positions.get(number);
    }

    private Flat flat() throws IOException {
        List<Room> rooms = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Room room =
                    new Room(one(Room.Where.values()), rooms.size(), one(Type.Scalar.values()), in.readLong(), bytes());
            boolean isArray = in.readBoolean();
            long recordBytes = in.readLong();
            if (recordBytes > 0) {
                room.isOfRecords(recordBytes);
            }
            if (!isArray) {
                room.needsMemory();
            }
            rooms.add(room);
        }
        List<Flat.Argument> arguments = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Val.Arg value = new Val.Arg(arguments.size(), kind());
            int room = in.readInt();
            arguments.add(new Flat.Argument(value, room < 0 ? null : rooms.get(room)));
        }
        List<Stop> stops = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            stops.add(new Stop(stops.size() + 1, one(Stop.What.values()), in.readUTF(), position(), values(), null));
        }
        List<Callee> called = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            called.add(callees.again(
                    in.readUTF(),
                    in.readInt(),
                    in.readBoolean(),
                    in.readInt(),
                    in.readBoolean(),
                    in.readBoolean(),
                    one(Does.values())));
        }
        return new Flat(List.of(), stops, rooms, arguments, called);
    }

    private List<Val> values() throws IOException {
        List<Val> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Kind kind = kind();
            all.add(in.readBoolean() ? new Val.Num(kind, in.readLong()) : new Val.Reg(0, kind));
        }
        return all;
    }

    private LoopCode code() throws IOException {
        Form form = new Form(in.readBoolean(), in.readBoolean(), in.readBoolean(), in.readBoolean(), in.readBoolean());
        Flat flat = flat();
        byte[] file = bytes();
        return new LoopCode(
                form,
                flat,
                file,
                LoopCode.constructor(file, flat),
                kinds(),
                numbers(),
                flags(),
                bits(),
                uniform(),
                lines(),
                in.readBoolean(),
                in.readBoolean(),
                in.readInt(),
                in.readBoolean() ? shape(flat.rooms()) : null,
                LoopCode.tables(flat));
    }

    private List<List<Boolean>> uniform() throws IOException {
        List<List<Boolean>> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(flags());
        }
        return all;
    }

    private List<Line> lines() throws IOException {
        List<Line> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Position at = position();
            List<Position> calls = new ArrayList<>();
            for (int more = in.readInt(); more > 0; more--) {
                calls.add(position());
            }
            all.add(new Line(at, calls));
        }
        return all;
    }

    private RowShape shape(List<Room> rooms) throws IOException {
        List<Val> terms = new ArrayList<>();
        for (Kind kind : kinds()) {
            terms.add(new Val.Reg(0, kind));
        }
        long[] slopes = new long[terms.size()];
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = in.readLong();
        }
        List<RowShape.Relation> guards = relations();
        List<RowShape.Relation> checks = relations();
        List<RowShape.Window> windows = windows(rooms);
        List<RowShape.Uniform> uniform = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            uniform.add(new RowShape.Uniform(rooms.get(in.readInt()), in.readBoolean()));
        }
        return new RowShape(
                new RowPath(List.of(), new IdentityHashMap<>()),
                terms,
                slopes,
                guards,
                checks,
                windows,
                uniform,
                windows(rooms),
                in.readInt(),
                in.readBoolean());
    }

    private List<RowShape.Relation> relations() throws IOException {
        List<RowShape.Relation> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(new RowShape.Relation(one(Comparison.values()), in.readInt(), in.readInt()));
        }
        return all;
    }

    private List<RowShape.Window> windows(List<Room> rooms) throws IOException {
        List<RowShape.Window> all = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(new RowShape.Window(
                    rooms.get(in.readInt()), one(ElementKind.values()), in.readInt(), in.readBoolean()));
        }
        return all;
    }
}
