// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operator on 1 to 4 ranks and four types: adjointness, algebra, and block operators against plain loops. */
class OperatorTest {
    /** A matrix of rank + 2 rows and 3 columns: other sizes on other ranks. */
    private static MatrixMult matrix(Backend backend, DataType type, long seed) {
        return MatrixMult.of(backend.random(backend.local(backend.rank() + 2, 3), type, seed + backend.rank()));
    }

    private static Map<String, LinearOperator> operators(Backend backend, DataType type) {
        LinearOperator[] none = {};
        LinearOperator[] two = {matrix(backend, type, 1), matrix(backend, type, 50)};
        LinearOperator[] some = backend.rank() == 0 ? two : none;
        Map<String, LinearOperator> operators = new LinkedHashMap<>();
        operators.put("matrix", MatrixMult.of(backend.random(backend.replicated(5, 4), type, 3)));
        operators.put("blocks", BlockDiag.of(backend, two));
        operators.put("blocks of one rank", BlockDiag.of(backend, some));
        operators.put("stack", VStack.of(backend, two));
        operators.put("stack of one rank", VStack.of(backend, some));
        operators.put("diagonal", Diagonal.of(backend.random(backend.scattered(0, 7), type, 4)));
        operators.put("identity", Identity.of(backend, backend.scattered(0, 7), type));
        LinearOperator a = BlockDiag.of(backend, two);
        operators.put(
                "redistribution",
                Redistribute.of(backend, backend.scattered(0, 3, 5), backend.scattered(1, 3, 5), type));
        operators.put("gathering", Redistribute.of(backend, backend.scattered(0, 7), backend.replicated(7), type));
        operators.put("adjoint", a.H());
        operators.put("transpose", a.T());
        operators.put("conjugate", a.conj());
        operators.put("product", a.H().times(a));
        operators.put("power", a.H().times(a).power(3));
        operators.put("sum", a.plus(a.times(2)).minus(a));
        if (type.isComplex()) {
            operators.put("scaled", a.times(0.5, -2));
        }
        return operators;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 4})
    void forwardAndAdjointAgree(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type :
                    new DataType[] {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128}) {
                double bar = Compute.real(type) == DataType.FLOAT64 ? 1e-13 : 1e-5;
                operators(backend, type)
                        .forEach((name, operator) -> assertThat(operator.dottest(17))
                                .as("%s of %s, %s", name, type, operator)
                                .isLessThan(bar));
            }
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void blocksAreTheirMatrices(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray matrix =
                    backend.random(backend.local(backend.rank() + 2, 3), DataType.COMPLEX128, 1 + backend.rank());
            LinearOperator a = BlockDiag.of(backend, MatrixMult.of(matrix));
            DistributedArray x = backend.random(a.domain(), DataType.COMPLEX128, 5);
            HostArray m = matrix.part().toHost();
            HostArray in = x.part().toHost();
            HostArray out = a.times(x).arrays().getFirst().part().toHost();
            assertThat(out.count()).isEqualTo(backend.rank() + 2);
            for (int i = 0; i < out.count(); i++) {
                double re = 0;
                double im = 0;
                for (int j = 0; j < 3; j++) {
                    int at = 3 * i + j;
                    re += m.getReal(at) * in.getReal(j) - m.getImaginary(at) * in.getImaginary(j);
                    im += m.getReal(at) * in.getImaginary(j) + m.getImaginary(at) * in.getReal(j);
                }
                assertThat(out.getReal(i)).isEqualTo(re, within(1e-14));
                assertThat(out.getImaginary(i)).isEqualTo(im, within(1e-14));
            }
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void stacksOfTheSameMatrixAddUp(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray matrix = backend.random(backend.local(4, 3), DataType.FLOAT64, 1);
            LinearOperator stack = VStack.of(backend, MatrixMult.of(matrix), MatrixMult.of(matrix));
            LinearOperator one = MatrixMult.of(matrix);
            DistributedArray x = backend.random(stack.domain(), DataType.FLOAT64, 2);
            Vector normal = stack.H().times(stack.times(x));
            Vector own = one.H().times(one.times(x.local(0, one.domain())));
            HostArray sum = normal.arrays().getFirst().toHost();
            HostArray single = own.arrays().getFirst().toHost();
            for (long i = 0; i < 3; i++) {
                assertThat(sum.getDouble(i)).isEqualTo(2 * backend.size() * single.getDouble(i), within(1e-12));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sumsApplyComplexFactors(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 7);
            DataType type = DataType.COMPLEX128;
            LinearOperator diagonal = Diagonal.of(backend.random(layout, type, 4));
            DistributedArray x = backend.random(layout, type, 5);
            for (LinearOperator second :
                    List.of(Diagonal.of(backend.random(layout, type, 6)), Conj.of(backend, layout, type))) {
                LinearOperator sum = diagonal.plus(second.times(0.5, -2));
                Vector expected = diagonal.times(x).axpy(Coefficient.of(0.5, -2), second.times(x));
                assertThat(sum.times(x).minus(expected).norm()).as("%s", sum).isLessThan(1e-14);
                assertThat(sum.dottest(19)).as("%s", sum).isLessThan(1e-14);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRealOperatorActsOnComplexVectors(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator real = BlockDiag.of(backend, matrix(backend, DataType.FLOAT64, 1));
            DistributedArray x = backend.random(real.domain(), DataType.FLOAT64, 1);
            DistributedArray y = backend.random(real.domain(), DataType.FLOAT64, 2);
            Vector z = x.like(DataType.COMPLEX128)
                    .assign(x)
                    .axpby(Coefficient.of(0, 1), y.like(DataType.COMPLEX128).assign(y), Coefficient.ONE);
            Vector expected = real.times(x).like(DataType.COMPLEX128).assign(real.times(x));
            Vector imaginary = real.times(y).like(DataType.COMPLEX128).assign(real.times(y));
            expected.axpy(Coefficient.of(0, 1), imaginary);
            assertThat(real.times(z).minus(expected).norm()).isLessThan(1e-14);
            LinearOperator complex = real.times(0, 1);
            assertThatThrownBy(() -> complex.times(x)).hasMessageContaining("COMPLEX128 first");
            assertThatThrownBy(() -> real.times(backend.zeros(real.range(), DataType.FLOAT64)))
                    .hasMessageContaining("must have the layout");
            assertThatThrownBy(() -> real.times(backend.zeros(real.domain(), DataType.FLOAT32)))
                    .hasMessageContaining("precision");
            assertThatThrownBy(() -> real.times(real)).hasMessageContaining("takes vectors that are");
        });
    }
}
