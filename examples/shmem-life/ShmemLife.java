// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;

/** Conway's game of life: each PE has some rows, and puts its first and its last one into its neighbours' memory. */
class ShmemLife {
    private static final int WIDTH = 512;
    private static final int HEIGHT = 512;
    private static final int STEPS = 300;
    /** What comes from the neighbour above, and from the one below. */
    private static final int ABOVE = 0;

    private static final int BELOW = 1;

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir") + "/shmem-life.png");
        try (World world = World.join();
                Pgas shmem = world.pgas();
                // Two places for each neighbour's row: it may be a step ahead, but no further.
                SymmetricBuffer halo = shmem.allocate(DataType.INT8, 4L * WIDTH);
                SymmetricBuffer arrived = shmem.allocate(DataType.UINT64, 2);
                SymmetricBuffer whole = shmem.allocate(DataType.INT8, (long) HEIGHT * WIDTH)) {
            int me = shmem.myPe();
            int n = shmem.nPes();
            int first = HEIGHT * me / n;
            int rows = HEIGHT * (me + 1) / n - first;
            if (me == 0) {
                // A file that cannot be written is told now, not after the work.
                Files.newOutputStream(file).close();
            }
            byte[][] cells = new byte[rows + 2][];
            System.arraycopy(start(), first, cells, 1, rows);

            HostArray row = HostArray.allocate(DataType.INT8, WIDTH);
            for (int step = 1; step <= STEPS; step++) {
                int place = step % 2 * 2;
                row.copyFrom(cells[1]);
                send(shmem, halo, row, place + BELOW, arrived, BELOW, step, (me + n - 1) % n);
                row.copyFrom(cells[rows]);
                send(shmem, halo, row, place + ABOVE, arrived, ABOVE, step, (me + 1) % n);
                shmem.waitUntilAll(arrived, null, Comparison.GE, step);
                cells[0] = row(halo, place + ABOVE);
                cells[rows + 1] = row(halo, place + BELOW);
                cells = next(cells);
            }

            for (int y = 0; y < rows; y++) {
                row.copyFrom(cells[y + 1]);
                shmem.put(whole.slice((long) (first + y) * WIDTH, WIDTH), row, 0);
            }
            shmem.barrierAll();
            if (me == 0) {
                byte[] seen = whole.toHost().toByteArray();
                draw(seen, file);
                System.out.println(STEPS + " steps of " + WIDTH + " x " + HEIGHT + " cells on " + n + " PEs, "
                        + shmem.engine() + (Arrays.equals(seen, alone()) ? ", as on one" : ", WRONG") + ": " + file);
            }
        }
    }

    private static void send(
            Pgas shmem,
            SymmetricBuffer halo,
            HostArray row,
            int place,
            SymmetricBuffer signal,
            int i,
            int step,
            int pe) {
        shmem.putSignal(halo.slice((long) place * WIDTH, WIDTH), row, signal, i, step, SignalOp.SET, pe);
    }

    private static byte[] row(SymmetricBuffer halo, int place) {
        return halo.slice((long) place * WIDTH, WIDTH).toHost().toByteArray();
    }

    /** All cells, the same on every PE. */
    private static byte[][] start() {
        SplittableRandom random = new SplittableRandom(42);
        byte[][] cells = new byte[HEIGHT][WIDTH];
        for (byte[] row : cells) {
            for (int x = 0; x < WIDTH; x++) {
                row[x] = (byte) (random.nextInt(3) == 0 ? 1 : 0);
            }
        }
        return cells;
    }

    /** The rows but for the first and the last one, a step later; left and right border are neighbours. */
    private static byte[][] next(byte[][] cells) {
        byte[][] result = new byte[cells.length][];
        for (int y = 1; y < cells.length - 1; y++) {
            byte[] above = cells[y - 1];
            byte[] here = cells[y];
            byte[] below = cells[y + 1];
            byte[] row = new byte[WIDTH];
            for (int x = 0; x < WIDTH; x++) {
                int left = (x + WIDTH - 1) % WIDTH;
                int right = (x + 1) % WIDTH;
                int alive = above[left]
                        + above[x]
                        + above[right]
                        + here[left]
                        + here[right]
                        + below[left]
                        + below[x]
                        + below[right];
                row[x] = (byte) (alive == 3 || alive == 2 && here[x] == 1 ? 1 : 0);
            }
            result[y] = row;
        }
        return result;
    }

    /** The same without any communication. */
    private static byte[] alone() {
        byte[][] cells = new byte[HEIGHT + 2][];
        System.arraycopy(start(), 0, cells, 1, HEIGHT);
        for (int step = 0; step < STEPS; step++) {
            cells[0] = cells[HEIGHT];
            cells[HEIGHT + 1] = cells[1];
            cells = next(cells);
        }
        byte[] all = new byte[HEIGHT * WIDTH];
        for (int y = 0; y < HEIGHT; y++) {
            System.arraycopy(cells[y + 1], 0, all, y * WIDTH, WIDTH);
        }
        return all;
    }

    private static void draw(byte[] cells, Path file) throws IOException {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < cells.length; i++) {
            image.setRGB(i % WIDTH, i / WIDTH, cells[i] == 1 ? 0x10_30_60 : 0xff_ff_ff);
        }
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException("nothing writes PNG files here");
        }
    }
}
