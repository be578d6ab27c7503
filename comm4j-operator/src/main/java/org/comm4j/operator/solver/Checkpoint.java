// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.HostArray;

/**
 * The state of a run in one file: lines of text, then the elements of the model and of the algorithm's vectors, each
 * array behind the other. Each rank writes and reads its part.
 *
 * @param numbers of the state
 * @param costs at the start and after each iteration
 */
record Checkpoint(double[] numbers, double[] costs) {
    /** Moves bytes of one array between its part and the file. */
    @FunctionalInterface
    private interface Transfer {
        void run(ByteBuffer bytes, long position) throws IOException;
    }

    /** Describes what two runs must share: the problem down to the data's norm, and the ranks. */
    private static String problem(Solver options) {
        return String.join(
                        " | ",
                        options.name(),
                        options.operator().domain().toString(),
                        options.operator().range().toString(),
                        options.type().toString(),
                        options.operator().backend().size() + " ranks",
                        "damping " + Double.toHexString(options.dampFactor()),
                        options.preconditioner() == null ? "no preconditioner" : "preconditioned",
                        "|y| " + Double.toHexString(options.dataNorm()))
                .replace('\n', ' ');
    }

    void write(Path file, Solver options, Vector x, Algorithm algorithm) {
        Backend backend = options.operator().backend();
        String text = String.join("\n", "comm4j checkpoint", problem(options), hex(numbers), hex(costs), "");
        byte[] header = text.getBytes(UTF_8);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        String failure = "";
        if (backend.rank() == 0) {
            try (FileChannel channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                all(ByteBuffer.allocate(Integer.BYTES).putInt(0, header.length), channel::write, 0);
                all(ByteBuffer.wrap(header), channel::write, Integer.BYTES);
            } catch (IOException e) {
                failure = e.toString();
            }
        }
        agree(backend, "checkpoint", file, failure);
        failure = "";
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            long at = (long) Integer.BYTES + header.length;
            for (DistributedArray array : arrays(x, algorithm)) {
                if (array.layout().partition() != Partition.REPLICATED || backend.rank() == 0) {
                    HostArray own = array.part().toHost();
                    runs(array, own, at, (bytes, position) -> all(bytes, channel::write, position));
                }
                at += bytes(array);
            }
        } catch (IOException e) {
            failure = e.toString();
        }
        agree(backend, "checkpoint", file, failure);
        failure = "";
        if (backend.rank() == 0) {
            try {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                failure = e.toString();
            }
        }
        agree(backend, "checkpoint", file, failure);
    }

    static Checkpoint read(Path file, Solver options, Vector x, Algorithm algorithm) {
        Backend backend = options.operator().backend();
        String problem = problem(options);
        Checkpoint checkpoint = new Checkpoint(new double[0], new double[0]);
        String failure = "";
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
            all(length, channel::read, 0);
            ByteBuffer header = ByteBuffer.allocate((int) Math.min(Math.max(0, length.getInt(0)), channel.size()));
            all(header, channel::read, Integer.BYTES);
            List<String> lines = new String(header.array(), UTF_8).lines().toList();
            if (lines.size() < 4 || !lines.getFirst().equals("comm4j checkpoint")) {
                throw new IOException("it is no checkpoint");
            }
            if (!lines.get(1).equals(problem)) {
                throw new IOException("it is one of another problem, " + lines.get(1) + "; this run's is " + problem);
            }
            checkpoint = new Checkpoint(numbers(lines.get(2)), numbers(lines.get(3)));
            long at = (long) Integer.BYTES + header.capacity();
            for (DistributedArray array : arrays(x, algorithm)) {
                HostArray own = HostArray.allocate(array.type(), array.part().count());
                runs(array, own, at, (bytes, position) -> all(bytes, channel::read, position));
                array.part().copyFrom(own);
                at += bytes(array);
            }
        } catch (IOException | NumberFormatException e) {
            failure = String.valueOf(e.getMessage());
        }
        agree(backend, "restart", file, failure);
        return checkpoint;
    }

    private static List<DistributedArray> arrays(Vector x, Algorithm algorithm) {
        List<DistributedArray> arrays = new ArrayList<>(x.arrays());
        algorithm.vectors().forEach(vector -> arrays.addAll(vector.arrays()));
        return arrays;
    }

    /** Returns the bytes that an array takes in the file: a local one those of all ranks. */
    private static long bytes(DistributedArray array) {
        Layout layout = array.layout();
        long copies = layout.partition() == Partition.LOCAL ? array.backend().size() : 1;
        return layout.size() * copies * array.type().bytes();
    }

    private static void runs(DistributedArray array, HostArray own, long at, Transfer transfer) throws IOException {
        Layout layout = array.layout();
        int rank = array.backend().rank();
        int size = array.type().bytes();
        long start = layout.partition() == Partition.LOCAL ? at + rank * layout.size() * size : at;
        IOException[] failure = {null};
        layout.runs(rank, (local, global, count) -> {
            for (long done = 0; done < count && failure[0] == null; done += 1 << 26) {
                long piece = Math.min(1 << 26, count - done);
                try {
                    transfer.run(
                            own.segment()
                                    .asSlice((local + done) * size, piece * size)
                                    .asByteBuffer(),
                            start + (global + done) * size);
                } catch (IOException e) {
                    failure[0] = e;
                }
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** A read or write at a position of a file. */
    @FunctionalInterface
    private interface Access {
        int run(ByteBuffer bytes, long position) throws IOException;
    }

    private static void all(ByteBuffer bytes, Access access, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int moved = access.run(bytes, at);
            if (moved < 0) {
                throw new IOException("it ends after " + at + " bytes");
            }
            at += moved;
        }
    }

    private static String hex(double... numbers) {
        return DoubleStream.of(numbers).mapToObj(Double::toHexString).collect(Collectors.joining(" "));
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    /** Ends all ranks alike: what one of them met is what all of them report. */
    private static void agree(Backend backend, String operation, Path file, String failure) {
        String words = backend.firstProblem(failure);
        if (!words.isEmpty()) {
            throw new IllegalArgumentException(operation + " with " + file + ": " + words);
        }
    }
}
