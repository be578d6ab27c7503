// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.comm4j.array.Npz.Span;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Arrays in NumPy's file format, {@code .npy}, of which each rank reads or writes its part. Types are {@code FLOAT32},
 * {@code FLOAT64}, {@code COMPLEX64} and {@code COMPLEX128}, little-endian. Files in Fortran order are read, too.
 * Several arrays with names are in one {@code .npz} file, as {@code numpy.savez} writes it.
 */
public final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    /** Bytes of a piece that is summed up and written: it is in the second-level cache for both. */
    private static final int PIECE = 1 << 20;

    /** The name of the only array of a file. */
    private static final String WHOLE = "";

    private static final Map<String, DataType> TYPES = Map.of(
            "<f4", DataType.FLOAT32,
            "<f8", DataType.FLOAT64,
            "<c8", DataType.COMPLEX64,
            "<c16", DataType.COMPLEX128);
    private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");

    /**
     * The header of a file.
     *
     * @param type of the elements
     * @param shape of the array
     * @param fortran whether the first axis is contiguous, not the last one
     * @param offset of the first element in bytes
     */
    private record Header(DataType type, long[] shape, boolean fortran, long offset) {}

    private Npy() {}

    /**
     * Returns the shape of a file's array, of which only the header is read.
     *
     * @throws IOException if it is no file that can be read here; the message says why
     */
    public static long[] shape(Path file) throws IOException {
        nonNull(file, "shape", "file");
        return shape(file, WHOLE);
    }

    /**
     * Returns the shape of an array of a {@code .npz} file.
     *
     * @param name as {@code numpy.load(file)} knows it
     * @throws IOException if there is no such array that can be read here; the message says why
     */
    public static long[] shape(Path file, String name) throws IOException {
        nonNull(file, "shape", "file");
        nonNull(name, "shape", "name");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return header(channel, span(channel, name)).shape;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException("it may not be read", e);
        }
    }

    /**
     * Collective: returns an array of the file's type, of which each rank has read its part.
     *
     * @param layout with the file's shape
     * @throws IllegalArgumentException on every rank, if a rank cannot read the file or if its shape or type does not
     *     fit
     */
    public static DistributedArray read(Backend backend, Layout layout, Path file) {
        nonNull(backend, "read", "backend");
        nonNull(layout, "read", "layout");
        nonNull(file, "read", "file");
        return read(backend, layout, file, WHOLE);
    }

    /**
     * Collective: returns an array of a {@code .npz} file, of which each rank has read its part.
     *
     * @param layout with the array's shape
     * @param name as {@code numpy.load(file)} knows it
     * @throws IllegalArgumentException on every rank, if a rank cannot read the array, as if {@code
     *     numpy.savez_compressed} has written it, or if its shape or type does not fit
     */
    public static DistributedArray read(Backend backend, Layout layout, Path file, String name) {
        nonNull(backend, "read", "backend");
        nonNull(layout, "read", "layout");
        nonNull(file, "read", "file");
        nonNull(name, "read", "name");
        DistributedArray array = null;
        String problem = "";
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            Span span = span(channel, name);
            Header header = header(channel, span);
            if (!Arrays.equals(header.shape, layout.shape())) {
                throw new IOException("it has the shape " + Arrays.toString(header.shape) + ", needed: " + layout);
            }
            long bytes = layout.size() * header.type.bytes();
            if (span.end() - header.offset < bytes) {
                throw new IOException("it ends after " + (span.end() - span.begin()) + " of "
                        + (header.offset - span.begin() + bytes) + " bytes");
            }
            array = backend.zeros(layout, header.type);
            MemorySegment elements = channel.map(MapMode.READ_ONLY, header.offset, bytes, arena);
            copy(header, layout, backend.rank(), elements, array);
        } catch (IOException | OutOfMemoryError e) {
            problem = String.valueOf(e.getMessage());
        }
        try {
            agree(backend, "read", file, name, problem);
        } catch (IllegalArgumentException e) {
            if (array != null) {
                array.close();
            }
            throw e;
        }
        if (array == null) {
            throw new AssertionError("agreed without an array");
        }
        return array;
    }

    /**
     * Collective: returns an array of the file's type and shape, which every rank has read whole.
     *
     * @throws IllegalArgumentException on every rank, if a rank cannot read the file
     */
    public static DistributedArray read(Backend backend, Path file) {
        nonNull(backend, "read", "backend");
        nonNull(file, "read", "file");
        return read(backend, file, WHOLE);
    }

    /**
     * Collective: returns an array of a {@code .npz} file, which every rank has read whole.
     *
     * @param name as {@code numpy.load(file)} knows it
     * @throws IllegalArgumentException on every rank, if a rank cannot read it
     */
    public static DistributedArray read(Backend backend, Path file, String name) {
        nonNull(backend, "read", "backend");
        nonNull(file, "read", "file");
        nonNull(name, "read", "name");
        long[] shape = {};
        String problem = "";
        try {
            shape = shape(file, name);
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        agree(backend, "read", file, name, problem);
        return read(backend, Layout.replicated(shape), file, name);
    }

    private static Span span(FileChannel channel, String name) throws IOException {
        return name.equals(WHOLE) ? new Span(0, channel.size()) : Npz.find(channel, name);
    }

    private static void copy(Header header, Layout layout, int rank, MemorySegment elements, DistributedArray array) {
        int size = header.type.bytes();
        HostArray part = HostArray.allocate(header.type, array.part().count());
        if (!header.fortran) {
            layout.runs(
                    rank,
                    (local, global, count) ->
                            MemorySegment.copy(elements, global * size, part.segment(), local * size, count * size));
        } else {
            layout.runs(rank, (local, global, count) -> {
                for (long i = 0; i < count; i++) {
                    MemorySegment.copy(
                            elements,
                            columnMajor(header.shape, global + i) * size,
                            part.segment(),
                            (local + i) * size,
                            size);
                }
            });
        }
        array.part().copyFrom(part);
    }

    /** The number in column-major order of the element that has {@code index} in row-major order. */
    private static long columnMajor(long[] shape, long index) {
        long rest = index;
        long result = 0;
        long above = 1;
        for (long length : shape) {
            above *= length;
        }
        for (int a = shape.length - 1; a >= 0; a--) {
            above /= shape[a];
            result += rest % shape[a] * above;
            rest /= shape[a];
        }
        return result;
    }

    private static Header header(FileChannel channel, Span span) throws IOException {
        ByteBuffer start = read(channel, span, 0, 12);
        byte[] magic = new byte[MAGIC.length];
        start.get(magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException("it is no .npy file");
        }
        int version = start.get(6);
        int begin = version == 1 ? 10 : 12;
        long length = version == 1 ? start.getShort(8) & 0xffff : start.getInt(8) & 0xffff_ffffL;
        if (version < 1 || version > 3 || length > 1 << 20) {
            throw new IOException("its header, version " + version + " of " + length + " bytes, is not NumPy's");
        }
        String text =
                ISO_8859_1.decode(read(channel, span, begin, (int) length)).toString();
        String description = found(DESCRIPTION, text);
        DataType type = TYPES.get(description);
        if (type == null) {
            throw new IOException("its elements are " + description + "; little-endian f4, f8, c8 and c16 can be read");
        }
        return new Header(
                type, shape(found(SHAPE, text)), found(ORDER, text).equals("True"), span.begin() + begin + length);
    }

    private static long[] shape(String text) throws IOException {
        try {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(length -> !length.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new IOException("its shape is (" + text + ")", e);
        }
    }

    private static String found(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("its header is not NumPy's: " + text.strip());
        }
        return matcher.group(1);
    }

    private static ByteBuffer read(FileChannel channel, Span span, long offset, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (offset + count > span.end() - span.begin()
                    || channel.read(buffer, span.begin() + offset + buffer.position()) < 0) {
                throw new IOException("it ends within its header");
            }
        }
        return buffer.flip();
    }

    /**
     * Collective: writes an array to one file, each rank its part; of a replicated array the first rank all of it.
     *
     * @throws IllegalArgumentException on every rank, if a rank cannot write
     */
    public static void write(DistributedArray array, Path file) {
        nonNull(array, "write", "array");
        nonNull(file, "write", "file");
        Backend backend = array.backend();
        checkShared(array);
        String problem = "";
        if (backend.rank() == 0) {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                write(channel, ByteBuffer.wrap(header(array)), 0);
            } catch (IOException e) {
                problem = e.toString();
            }
        }
        agree(backend, "write", file, WHOLE, problem);
        problem = "";
        if (writes(array)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                writePart(channel, array, header(array).length, (_, _) -> {});
            } catch (IOException e) {
                problem = e.toString();
            }
        }
        agree(backend, "write", file, WHOLE, problem);
    }

    /**
     * Collective: writes arrays with names to one {@code .npz} file, in the order of the names and not compressed, each
     * rank its parts; of a replicated array the first rank all of it.
     *
     * @param arrays of one backend, the same on all ranks
     * @throws IllegalArgumentException on every rank, if there is no array, if a name is empty or has 64 KiB, or if a
     *     rank cannot write
     */
    public static void write(Map<String, DistributedArray> arrays, Path file) {
        nonNull(arrays, "write", "arrays");
        nonNull(file, "write", "file");
        if (arrays.isEmpty()) {
            throw new IllegalArgumentException("write of " + file + ": no arrays");
        }
        SequencedMap<String, DistributedArray> inOrder = new TreeMap<>(arrays);
        SequencedMap<String, Long> sizes = new LinkedHashMap<>();
        Backend backend = inOrder.firstEntry().getValue().backend();
        inOrder.forEach((name, array) -> {
            checkShared(array);
            if (!array.backend().equals(backend)) {
                throw new IllegalArgumentException(
                        "write: " + array + " is of " + array.backend() + ", not " + backend);
            }
            sizes.put(
                    name,
                    header(array).length + array.layout().size() * array.type().bytes());
        });
        NpzPlan plan = new NpzPlan(sizes);
        List<DistributedArray> members = List.copyOf(inOrder.values());
        String problem = "";
        if (backend.rank() == 0) {
            try {
                Files.write(file, new byte[0]);
            } catch (IOException e) {
                problem = e.toString();
            }
        }
        agree(backend, "write", file, WHOLE, problem);
        HostArray sums = HostArray.allocate(DataType.INT32, members.size());
        problem = "";
        if (members.stream().anyMatch(Npy::writes)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < plan.count(); i++) {
                    sums.setInt(i, writeMember(channel, members.get(i), plan, i));
                }
            } catch (IOException e) {
                problem = e.toString();
            }
        }
        agree(backend, "write", file, WHOLE, problem);
        int[] crcs = backend.combined(sums).toIntArray();
        problem = "";
        if (backend.rank() == 0) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < plan.count(); i++) {
                    write(channel, plan.local(i, crcs[i]), plan.at(i));
                }
                write(channel, plan.directory(crcs), plan.directory());
            } catch (IOException e) {
                problem = e.toString();
            }
        }
        agree(backend, "write", file, WHOLE, problem);
    }

    /** Writes this rank's part of an array in an archive, the first rank the header, too; returns their CRC. */
    private static int writeMember(FileChannel channel, DistributedArray array, NpzPlan plan, int member)
            throws IOException {
        Crc crc = new Crc(plan.bytes(member));
        byte[] header = header(array);
        if (array.backend().rank() == 0) {
            crc.add(ByteBuffer.wrap(header), 0);
            write(channel, ByteBuffer.wrap(header), plan.begin(member));
        }
        if (writes(array)) {
            writePart(
                    channel,
                    array,
                    plan.begin(member) + header.length,
                    (piece, position) -> crc.add(piece, position - plan.begin(member)));
        }
        return crc.value();
    }

    private static void checkShared(DistributedArray array) {
        if (array.layout().partition() == Partition.LOCAL) {
            throw new IllegalArgumentException("write: " + array + " is each rank's own; write its part by itself");
        }
    }

    /** Returns whether this rank writes its part of an array. */
    private static boolean writes(DistributedArray array) {
        int rank = array.backend().rank();
        return array.layout().isDivided() ? array.layout().areTogether(rank, 0) : rank == 0;
    }

    /** Writes this rank's part of an array whose first element is at {@code begin}, and shows each piece before. */
    private static void writePart(
            FileChannel channel, DistributedArray array, long begin, ObjLongConsumer<ByteBuffer> witness)
            throws IOException {
        HostArray part = array.part().toHost();
        int size = array.type().bytes();
        IOException[] failure = {null};
        array.layout().runs(array.backend().rank(), (local, global, count) -> {
            try {
                for (long at = 0; at < count * size; at += PIECE) {
                    long bytes = Math.min(PIECE, count * size - at);
                    ByteBuffer piece =
                            part.segment().asSlice(local * size + at, bytes).asByteBuffer();
                    witness.accept(piece, begin + global * size + at);
                    write(channel, piece, begin + global * size + at);
                }
            } catch (IOException e) {
                failure[0] = e;
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    private static byte[] header(DistributedArray array) {
        return header(array.type(), array.layout().shape());
    }

    private static byte[] header(DataType type, long... shape) {
        String description = TYPES.entrySet().stream()
                .filter(entry -> entry.getValue() == type)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        String lengths = LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String text = "{'descr': '" + description + "', 'fortran_order': False, 'shape': (" + lengths
                + (shape.length == 1 ? ",), }" : "), }");
        int length = (10 + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        byte[] header =
                (" ".repeat(10) + text + " ".repeat(length - 10 - text.length() - 1) + "\n").getBytes(ISO_8859_1);
        System.arraycopy(MAGIC, 0, header, 0, MAGIC.length);
        header[6] = 1;
        header[7] = 0;
        header[8] = (byte) (length - 10);
        header[9] = (byte) (length - 10 >> 8);
        return header;
    }

    /** Ends all ranks alike: what one of them met is what all of them report. */
    private static void agree(Backend backend, String operation, Path file, String name, String problem) {
        String words = backend.firstProblem(problem);
        if (!words.isEmpty()) {
            String what = name.equals(WHOLE) ? file.toString() : name + " of " + file;
            throw new IllegalArgumentException(operation + " of " + what + ": " + words);
        }
    }
}
