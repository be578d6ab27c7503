// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/** Writes what was made of a kernel, for {@link LoopReader}: numbers and names one after the other. */
final class LoopWriter {
    private interface Each<T> {
        void write(T one) throws IOException;
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    /** The numbers of positions that were written. */
    private final Map<Position, Integer> positions = new LinkedHashMap<>();

    private LoopWriter() {}

    static byte[] write(LoopOutline outline) {
        LoopWriter writer = new LoopWriter();
        return writer.all(() -> {
            writer.flat(outline.flat());
            writer.each(outline.parameters(), writer.out::writeInt);
            writer.out.writeInt(outline.unit());
            Sharing.Known sharing = outline.sharing();
            writer.out.writeBoolean(sharing.isWild());
            writer.bits(sharing.unknown());
            writer.bits(sharing.accessed());
            writer.bits(sharing.written());
            writer.bits(sharing.own());
        });
    }

    /** @param refusal why there are no loops of a form; null if there are */
    static byte[] write(@Nullable LoopCode code, @Nullable String refusal) {
        LoopWriter writer = new LoopWriter();
        return writer.all(() -> {
            writer.out.writeBoolean(code == null);
            if (code == null) {
                writer.out.writeUTF(String.valueOf(refusal));
            } else {
                writer.code(code);
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private byte[] all(Work work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a name of more than 64 KiB, say
        }
        return bytes.toByteArray();
    }

    private <T> void each(List<T> all, Each<T> how) throws IOException {
        out.writeInt(all.size());
        for (T one : all) {
            how.write(one);
        }
    }

    private void bits(BitSet set) throws IOException {
        long[] words = set.toLongArray();
        out.writeInt(words.length);
        for (long word : words) {
            out.writeLong(word);
        }
    }

    private void bytes(byte[] content) throws IOException {
        out.writeInt(content.length);
        out.write(content);
    }

    private void name(Enum<?> constant) throws IOException {
        out.writeByte(constant.ordinal());
    }

    private void position(Position at) throws IOException {
        Integer known = positions.putIfAbsent(at, positions.size());
        out.writeInt(known == null ? positions.size() - 1 : known);
        if (known == null) {
            out.writeUTF(at.file());
            out.writeUTF(at.method());
            out.writeInt(at.line());
        }
    }

    private void flat(Flat flat) throws IOException {
        each(flat.rooms(), room -> {
            name(room.where);
            name(room.element);
            out.writeLong(room.count);
            bytes(room.content);
            out.writeBoolean(room.isArray());
            out.writeLong(room.recordBytes());
        });
        each(flat.arguments(), argument -> {
            name(argument.value().kind());
            Room room = argument.room();
            out.writeInt(room == null ? -1 : room.number);
        });
        each(flat.stops(), stop -> {
            name(stop.what());
            out.writeUTF(stop.name());
            position(stop.at());
            each(stop.arguments(), value -> {
                name(value.kind());
                out.writeBoolean(value instanceof Val.Num);
                if (value instanceof Val.Num number) {
                    out.writeLong(number.bits());
                }
            });
        });
        each(flat.callees(), callee -> {
            out.writeUTF(callee.symbol());
            out.writeInt(callee.component());
            out.writeBoolean(callee.changesMemory());
            out.writeInt(callee.access());
            out.writeBoolean(callee.fence());
            out.writeBoolean(callee.keeps());
            name(callee.does());
        });
    }

    private void code(LoopCode code) throws IOException {
        Form form = code.form();
        out.writeBoolean(form.oneDimensional());
        out.writeBoolean(form.polls());
        out.writeBoolean(form.checked());
        out.writeBoolean(form.shuffled());
        out.writeBoolean(form.rows());
        flat(code.flat());
        bytes(code.file());
        each(code.kinds(), this::name);
        each(code.uniform(), out::writeInt);
        each(code.together(), out::writeBoolean);
        bits(code.surveyed());
        each(code.uniformArguments(), stop -> each(stop, out::writeBoolean));
        each(code.lines(), line -> {
            position(line.at());
            each(line.calls(), this::position);
        });
        out.writeBoolean(code.keeps());
        out.writeBoolean(code.merges());
        out.writeInt(code.unit());
        RowShape shape = code.shape();
        out.writeBoolean(shape != null);
        if (shape != null) {
            shape(shape);
        }
    }

    private void shape(RowShape shape) throws IOException {
        each(shape.terms(), term -> name(term.kind()));
        for (long slope : shape.slopes()) {
            out.writeLong(slope);
        }
        each(shape.guards(), this::relation);
        each(shape.checks(), this::relation);
        each(shape.windows(), this::window);
        each(shape.uniform(), read -> {
            out.writeInt(read.room().number);
            out.writeBoolean(read.late());
        });
        each(shape.writes(), this::window);
        out.writeInt(shape.lanes());
        out.writeBoolean(shape.light());
    }

    private void relation(RowShape.Relation relation) throws IOException {
        name(relation.how());
        out.writeInt(relation.left());
        out.writeInt(relation.right());
    }

    private void window(RowShape.Window window) throws IOException {
        out.writeInt(window.room().number);
        name(window.kind());
        out.writeInt(window.bytes());
        out.writeBoolean(window.late());
    }
}
