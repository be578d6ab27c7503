// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PeerMemory;

/**
 * A processor that computes on the memory of a simulated GPU, which is host memory: simulated drivers run no kernels.
 */
public final class SimulatedCompute {
    private SimulatedCompute() {}

    /** Returns the compute of a simulated device. */
    public static Compute of(Device device) {
        Compute cpu = new CpuCompute(new JavaBlas());
        PeerMemories peers = new PeerMemories();
        return proxy(Compute.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "allocate" -> {
                DeviceArray array = device.allocate((DataType) arguments[0], (long) arguments[1]);
                yield new Memory(array, array::close);
            }
            case "buffer" -> device.allocate((DataType) arguments[0], (long) arguments[1]);
            case "exactSums" ->
                new ExactSums(device.allocate(DataType.INT64, 2L * ExactSums.LENGTH * (int) arguments[0]));
            case "scalars" -> scalars(device, (int) arguments[0]);
            case "operations" -> arguments[0];
            case "peers" -> peers.of((Communicator) arguments[0], false);
            case "halo" ->
                halo(
                        peers.allocate((Communicator) arguments[0], false, HaloKernels.length((long) arguments[1])),
                        arguments);
            case "blas" -> proxy(Blas.class, (of, product, operands) -> invoke(cpu.blas(), product, operands));
            case "fft" -> {
                Object transform = invoke(cpu, method, arguments);
                yield proxy(Fft.class, (of, direction, operands) -> invoke(transform, direction, operands));
            }
            default -> invoke(cpu, method, arguments);
        });
    }

    /** Returns what {@link Compute#halo} of so many arguments does with memory of the ranks, null for none. */
    private static HaloExchange halo(PeerMemory memory, Object... arguments) {
        if (memory == null) {
            return null;
        }
        HaloExchange halo = new HostHalo(
                here(memory), (long) arguments[1], here((HaloExchange.Side) arguments[2]), here((HaloExchange.Side)
                        arguments[3]));
        return proxy(HaloExchange.class, (of, method, operands) -> invoke(halo, method, operands));
    }

    private static HaloExchange.Side here(HaloExchange.Side side) {
        return side == null ? null : new HaloExchange.Side(side.rank(), side.sent(), here(side.rim()), side.received());
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(SimulatedCompute.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object... arguments) throws Throwable {
        Object[] own = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < own.length; i++) {
            own[i] = own[i] instanceof Buffer buffer ? here(buffer) : own[i];
            own[i] = own[i] instanceof Sweep sweep ? here(sweep) : own[i];
            if (own[i] instanceof Buffer[] buffers) {
                Buffer[] all = new Buffer[buffers.length];
                for (int k = 0; k < all.length; k++) {
                    all[k] = here(buffers[k]);
                }
                own[i] = all;
            }
        }
        try {
            return method.invoke(target, own);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Sweep here(Sweep sweep) {
        Sweep there = new Sweep();
        for (Sweep.Term term : sweep.terms()) {
            Buffer x = here(term.x());
            Buffer y = here(term.y());
            Scalar result = term.result();
            Buffer exact = term.exact();
            ExactSums sums = new ExactSums(exact == null ? y.slice(0, 0) : here(exact));
            boolean add = term.add();
            there = switch (term.kind()) {
                case DOT -> there.dot(x, y, result, term.add());
                case VDOT, NORM -> there.vdot(x, y, result, term.add());
                case UPDATE -> there.update(term.a(), x, term.b(), y);
                case SQUARES -> there.update(term.a(), x, term.b(), y, result, term.add());
                case EXACT_DOT -> there.dot(x, y, sums, 0, add);
                case EXACT_VDOT -> there.vdot(x, y, sums, 0, add);
                case EXACT_SQUARES -> there.squares(term.a().real(), x, sums, 0, add);
                case EXACT_MODULI -> there.moduli(x, sums, 0, add);
                case ROUND -> there.round(sums, term.levels(), y);
                case NONE -> there;
            };
        }
        Sweep.Exchange exchange = sweep.exchange();
        return exchange == null ? there : there.sumOverRanks(here(exchange.peers()), here(exchange.numbers()));
    }

    private static PeerMemory here(PeerMemory peers) {
        List<Buffer> parts = peers.parts().stream().map(SimulatedCompute::here).toList();
        return new PeerMemory(peers.rank(), parts, peers.report(), peers.timeout(), peers.failure());
    }

    @SuppressWarnings("restricted") // memory of the simulation
    private static Buffer here(Buffer buffer) {
        if (!(buffer instanceof DeviceArray array)) {
            throw new IllegalArgumentException(buffer + " is not in the memory of a GPU");
        }
        if (!array.isAlive()) {
            throw new IllegalStateException(buffer + " was freed");
        }
        return HostArray.wrap(MemorySegment.ofAddress(array.address()).reinterpret(array.byteSize()), array.type());
    }

    private static Scalars scalars(Device device, int count) {
        DeviceArray numbers = device.allocate(DataType.FLOAT64, 2L * count);
        HostArray there = (HostArray) here(numbers);
        return new Scalars(numbers, new Scalars.Access() {
            @Override
            public double get(int part) {
                return there.getDouble(part);
            }

            @Override
            public void set(int index, double real, double imaginary) {
                there.setDouble(2L * index, real);
                there.setDouble(2L * index + 1, imaginary);
            }
        });
    }
}
