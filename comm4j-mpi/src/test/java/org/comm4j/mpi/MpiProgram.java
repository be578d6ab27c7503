// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;

/** A rank of {@link MpiTest}. */
final class MpiProgram {
    private static final int LOOKS = 200_000;
    private static final int PAGE = 1 << 16;

    private MpiProgram() {}

    static void main(String[] arguments) throws IOException {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            int size = comm.size();
            if (arguments.length > 0 && comm.rank() == 0) {
                throw new IllegalStateException("on purpose");
            }
            Buffer x = comm.allocate(DataType.FLOAT64, 1001);
            x.fill(comm.rank() + 1.0);
            comm.allReduce(x, x, ReduceOp.SUM);
            HostArray half = HostArray.allocate(DataType.FLOAT16, 3);
            half.fill(comm.rank() + 0.5);
            comm.allReduce(half, half, ReduceOp.SUM);
            HostArray extreme = HostArray.of(comm.rank() == size - 1 ? Float.NaN : 1, -comm.rank(), -0.5f);
            comm.allReduce(extreme, extreme, ReduceOp.MAX);
            HostArray bytes = HostArray.allocate(DataType.UINT8, 70);
            bytes.fill(200);
            comm.allReduce(bytes, bytes, ReduceOp.SUM);
            System.out.println("sum " + x.toDoubleArray()[1000] + " half " + half.getFloat(2) + " extreme "
                    + extreme.getFloat(0) + " " + extreme.getFloat(1) + " byte " + bytes.getInt(69));
            System.out.println("tags " + tags(comm));
            System.out.println("caught " + nullChecks() + " " + overflow(0) + " " + truncated());
        }
    }

    /** Rank 0 hears from all others, in whatever order they come, and answers each with its own tag. */
    private static String tags(MpiCommunicator comm) {
        HostArray x = HostArray.allocate(DataType.INT32, 10);
        if (comm.rank() > 0) {
            x.fill(comm.rank());
            comm.send(x.slice(0, comm.rank()), 0, 7);
            Received answer = comm.receive(x, 0, 100 + comm.rank());
            return answer + " " + x.getInt(0);
        }
        long sum = 0;
        for (int n = 1; n < comm.size(); n++) {
            Received expected = comm.probe(Mpi.ANY_SOURCE, Mpi.ANY_TAG, DataType.INT32);
            try {
                Received ignored = comm.receive(x.slice(0, expected.count() - 1), expected.rank(), expected.tag());
                return "a message was cut";
            } catch (CollectiveMismatchException e) {
                sum += e.getMessage().contains(" has " + expected.count() + " elements") ? 0 : 1000;
            }
            Received message = comm.receive(x, Mpi.ANY_SOURCE, 7);
            sum += message.count() * x.getInt(message.count() - 1);
            comm.send(x.slice(0, 1), message.rank(), 100 + message.rank());
        }
        return "sum " + sum;
    }

    /** Compiled code finds nulls by a signal. */
    private static int nullChecks() {
        int caught = 0;
        for (int i = 0; i < LOOKS; i++) {
            try {
                length(i % 100 == 0 ? null : "text");
            } catch (NullPointerException e) {
                caught++;
            }
        }
        return caught;
    }

    @SuppressWarnings("NullAway") // on purpose
    private static int length(String text) {
        return text.length();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static String overflow(int depth) {
        try {
            return depth < 0 ? "" : deeper(depth);
        } catch (StackOverflowError e) {
            return "overflow";
        }
    }

    /** A mapping whose file became shorter is found by a signal, too. */
    private static String truncated() throws IOException {
        Path file = Files.createTempFile("comm4j", ".map");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int ignored = channel.write(ByteBuffer.allocate(PAGE), 0);
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, PAGE);
            FileChannel same = channel.truncate(0);
            return "read " + mapped.get(PAGE - 1) + " of " + same.size();
        } catch (InternalError e) {
            return "truncated";
        } finally {
            Files.delete(file);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack is full
    private static String deeper(int depth) {
        return deeper(depth + 1) + depth;
    }
}
