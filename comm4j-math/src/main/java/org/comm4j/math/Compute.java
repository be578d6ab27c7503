// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.Operations;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PeerMemory;
import org.jspecify.annotations.Nullable;

/**
 * A processor or GPU that computes for one rank: vector algebra, reductions and matrix products on buffers that it can
 * reach. Operations run in the order of their calls; results are there when the host reads them.
 *
 * <p>Element types are {@code FLOAT32}, {@code FLOAT64}, {@code COMPLEX64} and {@code COMPLEX128}. Buffers of one call
 * have the same type and count unless the method says otherwise. Operands may be the same buffer; a partial overlap is
 * an {@link IllegalArgumentException}. A complex factor for real elements is one, too, never a dropped imaginary part.
 */
public interface Compute extends AutoCloseable {
    /** Returns the name of the processor or GPU. */
    String name();

    /**
     * Returns zeroed memory for vectors.
     *
     * @throws OutOfMemoryError or the device's exception if there is not enough of it
     */
    Memory allocate(DataType type, long count);

    /**
     * Returns a zeroed buffer for vectors that stays as long as this does, or on a processor until nobody knows it any
     * more.
     */
    Buffer buffer(DataType type, long count);

    /** Returns zeroed scalars beside the vectors, which stay as long as this does. */
    Scalars scalars(int count);

    /** Returns sums without rounding beside the vectors, all 0, which stay as long as {@link #buffer} says. */
    default ExactSums exactSums(int count) {
        return new ExactSums(buffer(DataType.INT64, 2L * ExactSums.LENGTH * count));
    }

    /** Returns the matrix products of this processor or GPU. */
    Blas blas();

    /** Sets every element of {@code y} to {@code value}. */
    void fill(Coefficient value, Buffer y);

    /**
     * Copies {@code x} to {@code y} and converts the elements where the types differ; real numbers get an imaginary
     * part of 0.
     *
     * @throws IllegalArgumentException if {@code x} is complex and {@code y} is real: take the real or imaginary part
     */
    void copy(Buffer x, Buffer y);

    /**
     * Computes y = a x + b y (BLAS {@code axpby}). An operand whose factor is 0 is not read; a = 0 with b = 1 leaves y
     * as it is.
     */
    void axpby(Coefficient a, Buffer x, Coefficient b, Buffer y);

    /** Computes z = x y, element by element. */
    void multiply(Buffer x, Buffer y, Buffer z);

    /**
     * Computes y = f(x…), element by element, for real vectors.
     *
     * @param x as many as the function has arguments
     */
    void map(ElementFunction f, Buffer y, Buffer... x);

    /** Computes y = the complex conjugate of x. */
    void conjugate(Buffer x, Buffer y);

    /** Computes the sum of x y (BLAS {@code dotu}) in double precision. */
    void dot(Buffer x, Buffer y, Scalar result);

    /** Computes the sum of conj(x) y (BLAS {@code dotc}) in double precision. */
    void vdot(Buffer x, Buffer y, Scalar result);

    /**
     * Computes the sum of |x / scale|² in double precision: a 2-norm's square, without overflow for a fitting scale.
     */
    void sumOfSquares(Buffer x, double scale, Scalar result);

    /** Computes the sum of |x|ᵖ in double precision; for p = 0 the number of elements that are not 0. */
    void sumOfPowers(Buffer x, double p, Scalar result);

    /** Computes the largest modulus, the ∞-norm; 0 for no elements, NaN where one is. */
    void largestModulus(Buffer x, Scalar result);

    /** Computes the smallest modulus, the −∞-norm; ∞ for no elements, NaN where one is. */
    void smallestModulus(Buffer x, Scalar result);

    /**
     * Returns what computes a sweep. A run allocates nothing, and its results are in the order of what is computed.
     *
     * @throws IllegalArgumentException if this does not reach a buffer of the sweep
     */
    Runnable prepare(Sweep sweep);

    /**
     * Returns what computes a sweep and then a calculation, which a GPU does in the sweep's last kernel. A run
     * allocates nothing.
     *
     * @param calculation the same object for the same method, which is compiled once for a kind of sweep
     * @param a memory of {@link Scalars}, or part of it; {@code b} and {@code c} likewise
     */
    Runnable prepare(Sweep sweep, Calculation calculation, Buffer a, Buffer b, Buffer c);

    /**
     * Returns what computes a function of vectors, element by element, in one pass over memory. A run allocates
     * nothing.
     *
     * @throws IllegalArgumentException if this does not reach a buffer of the term
     */
    Runnable prepare(PointTerm term);

    /** Returns copies of numbers for the host, which does not wait for them when they are taken. */
    Snapshot snapshot(Buffer numbers);

    /** Returns whether calls return before what they start is done. */
    boolean isAsynchronous();

    /**
     * Computes y = the stencil of x, in one pass over memory.
     *
     * @param before rows of the neighbours before this part, as many as {@link Stencil#ghosts}, with the shape of the
     *     part otherwise; null if none are needed
     * @param after rows of the neighbours after this part, likewise
     */
    void stencil(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y);

    /**
     * Computes y = diagonal x + the stencil of x for real vectors, on a GPU and on processors in one pass over memory.
     *
     * @param diagonal as many numbers as x, of its type
     * @param before as of the stencil alone
     * @param after likewise
     */
    default void stencil(
            Stencil stencil, Buffer diagonal, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer y) {
        Operands.diagonal(diagonal, x);
        stencil(stencil, x, before, after, y);
        map(Operands.PRODUCT_AND_SUM, y, diagonal, x, y);
    }

    /**
     * Computes y[a] = the band of axis a times x for all axes, if this can do it in one pass over memory.
     *
     * @param stencil with a band along every axis
     * @param before as of {@link #stencil}
     * @param after as of {@link #stencil}
     * @param y for each axis another memory than the others
     * @return whether it was computed; if not, {@link #stencil} computes it axis by axis
     */
    default boolean gradient(Stencil stencil, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer... y) {
        return false;
    }

    /**
     * Computes y = the sum of the bands of all axes a times x[a], if this can do it in one pass over memory: the
     * adjoint of {@link #gradient}.
     *
     * @param stencil with a band along every axis
     * @param before rows of the neighbours of the divided axis' operand, as of {@link #stencil}
     * @param after likewise
     * @return whether it was computed; if not, {@link #stencil} computes it axis by axis
     */
    default boolean divergence(
            Stencil stencil, @Nullable Buffer before, @Nullable Buffer after, Buffer y, Buffer... x) {
        return false;
    }

    /**
     * Computes y = the product of a sparse matrix with x along the middle of three axes.
     *
     * @param outer number of slices before the axis
     * @param inner number of contiguous elements behind it
     * @param x outer × columns × inner elements
     * @param y outer × rows × inner elements
     */
    void multiply(AxisMatrix matrix, long outer, long inner, Buffer x, Buffer y);

    /**
     * Computes the traces of an image, y[s, r, t] = the sum of what arrives there, or with {@code adjoint} the image of
     * traces by the transposed matrix.
     *
     * @param x as many elements as there are points; with {@code adjoint} as there are samples
     * @param y as many as there are samples; with {@code adjoint} points; in other memory than x
     */
    default void arrivals(Arrivals arrivals, boolean adjoint, Buffer x, Buffer y) {
        multiply(arrivals.matrix(adjoint), 1, 1, x, y);
    }

    /**
     * Swaps two neighbouring axes: y[o, c, r, i] = x[o, r, c, i].
     *
     * @param outer number of slices before the axes
     * @param inner number of contiguous elements behind them
     * @param x outer × rows × columns × inner elements, in other memory than y
     */
    default void transpose(long outer, long rows, long columns, long inner, Buffer x, Buffer y) {
        for (long o = 0; o < outer; o++) {
            for (long r = 0; r < rows; r++) {
                for (long c = 0; c < columns; c++) {
                    long from = ((o * rows + r) * columns + c) * inner;
                    long to = ((o * columns + c) * rows + r) * inner;
                    copy(x.slice(from, inner), y.slice(to, inner));
                }
            }
        }
    }

    /**
     * Computes the sums up to each element along the middle of three axes: y[o, k, i] = x[o, 0, i] + … + x[o, k, i].
     *
     * @param backward whether the sums run from the last element to the first one
     * @param outer number of slices before the axis
     * @param length of the axis
     * @param inner number of contiguous elements behind it
     * @param x outer × length × inner elements, in other memory than y
     */
    default void cumulate(boolean backward, long outer, long length, long inner, Buffer x, Buffer y) {
        copy(x, y);
        for (long o = 0; o < outer; o++) {
            for (long k = 1; k < length; k++) {
                long from = (o * length + (backward ? length - k : k - 1)) * inner;
                long to = backward ? from - inner : from + inner;
                axpby(Coefficient.ONE, y.slice(from, inner), Coefficient.ONE, y.slice(to, inner));
            }
        }
    }

    /**
     * Plans discrete Fourier transforms along the middle of three axes.
     *
     * @param type of the elements before the transform, real or complex
     * @param outer number of slices before the axis
     * @param length of the axis, at least 1
     * @param inner number of contiguous elements behind it
     * @throws IllegalArgumentException if a size is out of range
     */
    default Fft fft(DataType type, long outer, int length, long inner) {
        return fft(type, outer, length, inner, 1, 1);
    }

    /**
     * Plans discrete Fourier transforms whose results, and those of the inverse, are multiplied by a factor. Results of
     * real numbers have weights, too: all but those of frequency 0 and of the Nyquist frequency stand for two, and √2
     * times them keeps dot products.
     *
     * @param type of the elements before the transform, real or complex
     * @param outer number of slices before the axis
     * @param length of the axis, at least 1
     * @param inner number of contiguous elements behind it
     * @param factor of all results in both directions
     * @param pairs factor of the elements that stand for two, by which the inverse divides them; without effect for a
     *     complex type
     * @throws IllegalArgumentException if a size is out of range
     */
    Fft fft(DataType type, long outer, int length, long inner, double factor, double pairs);

    /**
     * Fills {@code y} with random numbers, uniform in [0, 1), from a counter: element i is the number {@code start + i}
     * of the seed, whatever the split, the device and the number of ranks. Both parts of complex elements are random.
     */
    void random(long seed, long start, Buffer y);

    /**
     * Returns the operations of a communicator in the order of what is computed here: they come after the calls before
     * them, and the calls after them see what they have brought.
     */
    GroupedOperations operations(Communicator communicator);

    /**
     * Returns operations of a communicator that travel while this computes, in an order of their own for each
     * communicator. They are closed with this at the latest.
     *
     * @param beside whether they do; else they come in the order of the calls
     * @param body of a group of operations, which is the same each time
     */
    default Transfer transfer(Communicator communicator, boolean beside, Consumer<Operations> body) {
        return Transfer.inOrder(operations(communicator), body);
    }

    /**
     * Collective the first time for a communicator: returns memory by which {@link Sweep#sumOverRanks} sums over its
     * ranks within a kernel, or null on all ranks if there is none.
     */
    default @Nullable PeerMemory peers(Communicator communicator) {
        return null;
    }

    /**
     * Collective: returns an exchange of rows with the neighbours for which ranks write into each other's memory, or
     * null on all ranks if there is none: their messages carry the rows then. It cannot be made while work is recorded,
     * and is null then.
     *
     * @param bytes of a side's rows on the rank that has the most; the same on all ranks
     * @param before the neighbour in front of this rank's part of an array; null for none
     * @param after the neighbour behind it; null for none
     */
    default @Nullable HaloExchange halo(
            Communicator communicator,
            long bytes,
            HaloExchange.@Nullable Side before,
            HaloExchange.@Nullable Side after) {
        return null;
    }

    /**
     * Collective: returns messages of every rank to every rank that ranks write into each other's memory, or null on
     * all ranks if there are none: {@link Operations#allToAllV} of {@link #operations} brings them then. It cannot be
     * made while work is recorded, and is null then.
     *
     * @param most bytes that the rank that receives most receives; the same on all ranks
     * @param sent bytes to each rank, multiples of 4
     * @param received bytes from each rank, multiples of 4
     */
    default @Nullable Exchange exchange(Communicator communicator, long most, long[] sent, long[] received) {
        return null;
    }

    /**
     * Collective: returns messages as those of {@link #exchange} that travel while this computes, of the same buffers
     * each time, or null on all ranks. They are closed with this at the latest.
     *
     * @param most bytes that the rank that receives most receives; the same on all ranks
     * @param sent bytes to each rank, multiples of 4
     * @param received bytes from each rank, multiples of 4
     */
    default @Nullable Transfer exchangeBeside(
            Communicator communicator, long most, long[] sent, long[] received, Buffer send, Buffer recv) {
        return null;
    }

    /**
     * Collective: returns broadcasts and sums within groups of a communicator's ranks, which travel while this
     * computes, or null on all ranks if there are none: {@link #transfer} of the groups' communicators brings them
     * then. It cannot be made while work is recorded, and is null then.
     *
     * @param most bytes that a rank receives at most, each message rounded up to a multiple of 16; the same on all
     *     ranks
     */
    default @Nullable GroupTransfers groupTransfers(Communicator communicator, long most) {
        return null;
    }

    /**
     * Records operations of this compute and of {@link #operations}, without running them where they make a graph.
     * Constants are recorded with their values; scalars have those of each run. The operations have run before, which
     * has compiled what they need, and the body reads no results.
     *
     * @throws RuntimeException what {@code body} throws, or the device's exception if it does what cannot be recorded
     */
    Recording record(Runnable body);

    /** Waits until everything that was started is done, operations of {@link #operations} included. */
    void synchronize();

    /** Waits for what was started, and gives back what this holds, scalars included; vectors are given back singly. */
    @Override
    void close();

    /**
     * Makes the compute that reaches the memory from which a communicator communicates fastest: the GPU whose memory it
     * is, or the processor.
     */
    static Compute of(Communicator communicator) {
        nonNull(communicator, "Compute.of", "communicator");
        Buffer sample = communicator.allocate(DataType.INT8, 1);
        communicator.free(sample);
        return sample instanceof DeviceArray array ? new GpuCompute(array.device()) : new CpuCompute();
    }

    /**
     * Returns the type that holds the values of both types: {@code FLOAT64} and {@code COMPLEX64} make {@code
     * COMPLEX128}.
     */
    static DataType promote(DataType a, DataType b) {
        check("promote", a);
        check("promote", b);
        boolean wide = real(a) == DataType.FLOAT64 || real(b) == DataType.FLOAT64;
        boolean complex = a.isComplex() || b.isComplex();
        return complex ? wide ? DataType.COMPLEX128 : DataType.COMPLEX64 : wide ? DataType.FLOAT64 : DataType.FLOAT32;
    }

    /** Returns the type of the parts of complex elements; a real type itself. */
    static DataType real(DataType type) {
        return switch (nonNull(type, "Compute.real", "type")) {
            case COMPLEX64 -> DataType.FLOAT32;
            case COMPLEX128 -> DataType.FLOAT64;
            default -> type;
        };
    }

    /**
     * Checks that vectors may have a type.
     *
     * @throws IllegalArgumentException if {@code type} is none of the four
     */
    static void check(String operation, DataType type) {
        nonNull(type, operation, "type");
        if (type != DataType.FLOAT32 && type != DataType.FLOAT64 && !type.isComplex()) {
            throw new IllegalArgumentException(operation + ": vectors of " + type
                    + " have no algebra; FLOAT32, FLOAT64, COMPLEX64 and COMPLEX128 have");
        }
    }
}
