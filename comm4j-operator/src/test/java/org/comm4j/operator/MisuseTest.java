// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.signal.DCT;
import org.comm4j.operator.solver.Cgls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators refuse, on every rank alike, and what is right where other libraries are not. */
class MisuseTest {
    private static final DataType TYPE = DataType.FLOAT64;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void vectorsThatDoNotFit(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 6, 2);
            LinearOperator a = Flip.of(backend, layout, TYPE, 0);
            DistributedArray x = backend.zeros(layout, TYPE);
            DistributedArray y = backend.zeros(layout, TYPE);
            assertThatThrownBy(() -> a.matvec(x, x)).hasMessageContaining("the same vector");
            assertThatThrownBy(() -> a.matvec(x, x.reshape(layout)))
                    .hasMessageContaining("matvec")
                    .hasMessageContaining("share memory");
            Layout other = Layout.scattered(new long[] {6}, 0, 6, 2);
            if (ranks == 3) {
                other = Layout.scattered(new long[] {2, 1, 3}, 0, 6, 2);
                DistributedArray uneven = backend.zeros(other, TYPE);
                assertThatThrownBy(() -> a.matvec(uneven, y))
                        .hasMessageContaining("rank 1 has 1 and 2 slices along axis 0");
                assertThatThrownBy(() -> uneven.axpy(1, y)).hasMessageContaining("rank 1 has 2 and 1 slices");
            }
            assertThatThrownBy(() -> a.times(backend.zeros(backend.replicated(6, 2), TYPE)))
                    .hasMessageContaining("REPLICATED and SCATTERED");
            StackedArray stack = StackedArray.of(backend.zeros(layout, TYPE), backend.zeros(layout, TYPE));
            LinearOperator tall = VStack.of(a, Identity.of(backend, backend.scattered(0, 6, 2), TYPE));
            LinearOperator wrong =
                    VStack.of(a, Identity.of(backend, layout, TYPE).times(a), a);
            assertThat(tall.H().times(stack).layout()).isEqualTo(layout);
            assertThatThrownBy(() -> wrong.H().times(stack)).hasMessageContaining("stacks of 2 and 3");
            x.close();
            assertThatThrownBy(() -> a.matvec(x, y))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            try (Backend another = Backend.of(backend.communicator())) {
                assertThatThrownBy(() -> a.times(another.zeros(layout, TYPE))).hasMessageContaining("another backend");
            }
        });
    }

    @Test
    void windowsAndCosinesThatDoNotFit() {
        Ranks.run(2, backend -> {
            Layout line = backend.scattered(0, 9);
            LinearOperator each = Identity.of(backend, backend.local(4), TYPE);
            assertThatThrownBy(() -> Sliding1D.of(each, line, 5, 1, Taper.NONE))
                    .hasMessageContaining("Sliding1D")
                    .hasMessageContaining("makes 4 elements, and windows have 5");
            assertThatThrownBy(() -> Sliding1D.of(each, line, 4, 3, Taper.HANNING))
                    .hasMessageContaining("half of it at most with a taper");
            assertThat(Sliding1D.of(each, line, 4, 3, Taper.NONE).domain().shape())
                    .containsExactly(6, 4);
            assertThatThrownBy(() -> Sliding1D.of(each, line, 4, 4, Taper.NONE))
                    .hasMessageContaining("shorter than a window");
            assertThatThrownBy(() -> Sliding2D.of(each, line, 4, 1, Taper.NONE)).hasMessageContaining("2 axes");
            LinearOperator divided = Identity.of(backend, backend.scattered(0, 4), TYPE);
            assertThatThrownBy(() -> Sliding1D.of(divided, line, 4, 1, Taper.NONE))
                    .hasMessageContaining("replicated or local");
            Layout matrix = backend.scattered(0, 9, 3);
            assertThatThrownBy(() -> Patch2D.of(each, matrix, new int[] {2, 4}, new int[] {1, 1}, Taper.NONE))
                    .hasMessageContaining("along axis 1");
            assertThatThrownBy(() -> Patch2D.of(each, matrix, new int[] {2, 2}, new int[] {1}, Taper.NONE))
                    .hasMessageContaining("1 overlaps for 2 axes");
            assertThatThrownBy(() -> DCT.of(backend, matrix, TYPE, 5)).hasMessageContaining("kind 5");
            assertThatThrownBy(() -> DCT.of(backend, matrix, TYPE, 2, 1, -1)).hasMessageContaining("named twice");
            assertThatThrownBy(() -> DCT.of(backend, matrix, TYPE, 2, 2)).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> DCT.of(backend, backend.scattered(0, 4, 1), TYPE, 1))
                    .hasMessageContaining("its length is 1");
        });
    }

    /** What one rank alone can see is told on all. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void matricesThatAreNotFinite(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray matrix = backend.random(backend.local(2, 2), TYPE, 1);
            MatrixMult good = MatrixMult.of(matrix);
            assertThat(good.check()).isSameAs(good);
            for (double bad : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
                if (backend.rank() == ranks - 1) {
                    HostArray values = HostArray.of(1, bad, 2, 3);
                    matrix.part().copyFrom(values);
                }
                assertThatThrownBy(good::check).hasMessageContaining("rank " + (ranks - 1) + ":");
            }
        });
    }

    /** The adjoint of a stack of operators has the layout of the model, divided or not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void adjointsKeepTheModelsLayout(int ranks) {
        Ranks.run(ranks, backend -> {
            long[] sizes = new long[ranks];
            sizes[0] = 5;
            for (Layout layout :
                    new Layout[] {backend.replicated(5), backend.scattered(0, 5), Layout.scattered(sizes, 0, 5)}) {
                LinearOperator one = Identity.of(backend, layout, TYPE);
                LinearOperator stack = VStack.of(one, one.times(2));
                Vector x = backend.random(layout, TYPE, 1);
                Vector back = stack.H().times(stack.times(x));
                assertThat(back.layout()).isEqualTo(layout);
                assertThat(back.minus(x.times(5)).norm()).isLessThan(1e-14);
                // Powers and differences of stacks.
                LinearOperator square = VStack.of(VStack.of(one), one).H().times(VStack.of(VStack.of(one), one));
                assertThat(square.power(3).times(x).minus(x.times(8)).norm()).isLessThan(1e-14);
                assertThat(stack.minus(stack).times(x).norm()).isZero();
                assertThat(stack.plus(stack.times(2)).times(x).norm())
                        .isEqualTo(3 * Math.sqrt(5) * x.norm(), within(1e-12));
            }
        });
    }

    /** Groups of ranks have all blocks each: dots are those of one group, and inversions go on by themselves. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void groupsHaveAllBlocks(int ranks) {
        Ranks.run(ranks, backend -> {
            int half = ranks / 2;
            int[] groups = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                groups[r] = r / half;
            }
            int place = backend.rank() % half;
            DistributedArray matrix = backend.random(backend.local(place + 3, 2), TYPE, place);
            LinearOperator a = BlockDiag.ofGroups(backend, groups, MatrixMult.of(matrix));
            assertThat(a.dottest(1)).isLessThan(1e-14);
            assertThat(a.domain().size()).isEqualTo(2L * half);
            DistributedArray x = backend.random(a.domain(), TYPE, 3);
            double expected =
                    backend.random(backend.replicated(2L * half), TYPE, 3).norm();
            assertThat(x.norm()).isEqualTo(expected, within(1e-14));
            Vector found =
                    Cgls.of(a, a.times(x)).iterations(50).tolerance(1e-12).solve();
            assertThat(found.minus(x).norm()).isLessThan(1e-8);
            DistributedArray other = backend.random(backend.local(backend.rank() + 3, 2), TYPE, 1);
            assertThatThrownBy(() -> BlockDiag.ofGroups(backend, groups, MatrixMult.of(other)))
                    .hasMessageContaining("group 1");
        });
    }

    /** Products with fewer rows, or columns, than there are ranks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5})
    void moreRanksThanRows(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray matrix = backend.random(backend.replicated(2, 3), TYPE, 1);
            for (Layout layout : new Layout[] {backend.scattered(0, 3, 2), backend.replicated(3, 2)}) {
                LinearOperator a = MatrixMult.of(matrix, layout, 0);
                assertThat(a.dottest(1)).isLessThan(1e-14);
                DistributedArray x = backend.random(layout, TYPE, 2);
                DistributedArray whole = backend.random(backend.replicated(3, 2), TYPE, 2);
                LinearOperator reference = MatrixMult.of(matrix, backend.replicated(3, 2), 0);
                HostArray found = ((DistributedArray) a.times(x)).toHost();
                HostArray expected = ((DistributedArray) reference.times(whole)).toHost();
                for (long i = 0; i < 4; i++) {
                    assertThat(found.getDouble(i)).isEqualTo(expected.getDouble(i), within(1e-14));
                }
            }
        });
    }
}
