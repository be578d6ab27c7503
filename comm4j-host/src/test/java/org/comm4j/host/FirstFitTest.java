// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FirstFitTest {
    /** One bit for each granule; looks from the front for the first free row. */
    private static final class Model {
        private final long start;
        private final int granules;
        private final BitSet taken = new BitSet();

        Model(long start, long bytes) {
            this.start = start;
            this.granules = (int) (bytes / FirstFit.GRANULE);
        }

        private static int granules(long bytes) {
            return (int) Math.max(1, (bytes + FirstFit.GRANULE - 1) / FirstFit.GRANULE);
        }

        long allocate(long bytes) {
            int need = granules(bytes);
            for (int i = taken.nextClearBit(0); i < granules; ) {
                int busy = taken.nextSetBit(i);
                int end = busy < 0 ? granules : busy;
                int left = end - i - need;
                if (left >= 0) {
                    int skew = (int) (FirstFit.SKEW / FirstFit.GRANULE);
                    int at = need * FirstFit.GRANULE >= 1 << 20 && left >= skew ? i + skew : i;
                    taken.set(at, at + need);
                    return start + at * FirstFit.GRANULE;
                }
                i = taken.nextClearBit(end);
            }
            return -1;
        }

        void free(long at, long bytes) {
            int first = (int) ((at - start) / FirstFit.GRANULE);
            taken.clear(first, first + granules(bytes));
        }

        long largestFree() {
            int largest = 0;
            for (int i = taken.nextClearBit(0); i < granules; ) {
                int busy = taken.nextSetBit(i);
                int end = busy < 0 ? granules : busy;
                largest = Math.max(largest, end - i);
                i = taken.nextClearBit(end);
            }
            return largest * FirstFit.GRANULE;
        }
    }

    private record Range(long at, long bytes) {}

    @Test
    void sameAsTheModel() {
        SplittableRandom random = OneSidedContract.random(3);
        System.out.println("FirstFitTest: " + OneSidedContract.SEED_OPTION);
        for (int run = 0; run < 20; run++) {
            long start = random.nextInt(3) * (2L << 20);
            long bytes = (1 + random.nextInt(12)) * (1L << 20);
            FirstFit ranges = new FirstFit(start, bytes);
            Model model = new Model(start, bytes);
            List<Range> taken = new ArrayList<>();
            int refused = 0;
            for (int step = 0; step < 600; step++) {
                if (random.nextInt(5) < 3) {
                    long size = switch (random.nextInt(8)) {
                        case 0 -> 0;
                        case 1 -> random.nextInt(3 << 20);
                        case 2, 3 -> random.nextInt(300_000);
                        default -> random.nextInt(2_000);
                    };
                    long at = ranges.allocate(size);
                    assertThat(at)
                            .as("run %d step %d: %d bytes", run, step, size)
                            .isEqualTo(model.allocate(size));
                    if (at >= 0) {
                        taken.add(new Range(at, size));
                    } else {
                        refused++;
                    }
                } else if (!taken.isEmpty()) {
                    Range range = taken.remove(random.nextInt(taken.size()));
                    ranges.free(range.at, range.bytes);
                    model.free(range.at, range.bytes);
                }
                assertThat(ranges.largestFree()).isEqualTo(model.largestFree());
            }
            assertThat(refused).as("a full span is tried, too").isPositive();
            taken.forEach(range -> ranges.free(range.at, range.bytes));
            assertThat(ranges.largestFree()).isEqualTo(bytes);
            assertThat(ranges.allocate(bytes)).isEqualTo(start);
        }
    }

    @Test
    void limits() {
        FirstFit ranges = new FirstFit(0, 4096);
        assertThat(ranges.allocate(4097)).isEqualTo(-1);
        assertThat(ranges.allocate(Long.MAX_VALUE / 2)).isEqualTo(-1);
        assertThat(ranges.allocate(4096)).isZero();
        assertThat(ranges.allocate(0)).isEqualTo(-1);
        assertThat(ranges.largestFree()).isZero();
    }
}
