// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.Shmem;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * How often each number occurs in the data of all PEs, with the counters distributed: PE p has those of the numbers
 * that are p modulo the number of PEs.
 */
class DeviceHistogram {
    private static final int NUMBERS = 1000;

    /** Each block counts in its own shared memory, and adds that to the counters wherever they are. */
    @Kernel
    static void histogram(int count, I32Ptr data, I32Ptr counters) {
        int pes = Shmem.nPes();
        I32Ptr own = I32Ptr.of(Shared.i32(NUMBERS));
        for (int number = ThreadIdx.x(); number < NUMBERS; number += BlockDim.x()) {
            own.set(number, 0);
        }
        Block.sync();
        for (int i = GlobalIdx.x(); i < count; i += GridDim.x() * BlockDim.x()) {
            own.atomicAdd(data.get(i), 1);
        }
        Block.sync();
        for (int number = ThreadIdx.x(); number < NUMBERS; number += BlockDim.x()) {
            if (own.get(number) > 0) {
                Shmem.atomicAdd(counters.plus(number / pes), own.get(number), number % pes);
            }
        }
    }

    public static void main(String[] args) {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world);
                CompiledKernel histogram = pe.compiler().compile(DeviceHistogram::histogram)) {
            int count = pe.onGpu() ? 20_000_000 : 20_000;
            Buffer data = pe.allocate(DataType.INT32, count);
            Buffer counters = pe.allocate(DataType.INT32, NUMBERS);
            HostArray mine = HostArray.allocate(DataType.INT32, count);
            int[] expected = new int[NUMBERS];
            for (int other = 0; other < pe.nPes(); other++) {
                Random random = new Random(other);
                for (int i = 0; i < count; i++) {
                    // Small numbers are there more often.
                    int number = (int) (NUMBERS * Math.pow(random.nextFloat(), 3));
                    expected[number]++;
                    if (other == pe.myPe()) {
                        mine.setInt(i, number);
                    }
                }
            }
            data.copyFrom(mine);
            pe.barrier();
            long start = System.nanoTime();
            histogram.launch(
                    LaunchConfig.grid(pe.onGpu() ? 264 : 4).block(pe.onGpu() ? 512 : 64), count, data, counters);
            // All of all PEs have arrived.
            pe.barrier();
            long nanos = System.nanoTime() - start;
            HostArray found = counters.toHost();
            boolean right = true;
            long sum = 0;
            for (int number = pe.myPe(); number < NUMBERS; number += pe.nPes()) {
                right &= found.getInt(number / pe.nPes()) == expected[number];
                sum += found.getInt(number / pe.nPes());
            }
            System.out.printf(
                    "PE %d of %d (%s): %d numbers counted here, %s, %.3f ms%n",
                    pe.myPe(), pe.nPes(), pe.where(), sum, right ? "as in plain Java" : "WRONG", nanos / 1e6);
            pe.barrier();
            if (!right) {
                System.exit(1);
            }
        }
    }
}
