// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.math.Numbers.Factor;

/** Sweeps as launches of {@link SweepKernels}, as few as their dependences allow. */
final class SweepLaunches {
    /** The calculation of a sweep that has none. */
    static final Calculation NOTHING = (_, _, _) -> {};

    private final KernelRunner runner;
    private final Buffer partial;
    private final Buffer arrived;
    private final F64Ptr nowhere;
    private final PeerSums.Peers alone;

    /**
     * Makes what prepares sweeps.
     *
     * @param partial room for the sums of blocks
     * @param arrived a number that is 0
     */
    SweepLaunches(KernelRunner runner, Buffer partial, Buffer arrived) {
        this.runner = runner;
        this.partial = partial;
        this.arrived = arrived;
        nowhere = F64Ptr.of(partial);
        alone = PeerSums.none(nowhere, nowhere.asI64());
    }

    /** Returns what computes a sweep and then a calculation. */
    @SuppressWarnings("ReferenceEquality") // this very calculation
    Runnable of(Sweep sweep, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        List<Runnable> launches = new ArrayList<>();
        List<List<Sweep.Term>> groups = sweep.groups(SweepKernels.MOST_TERMS);
        boolean together = false;
        Sweep.Exchange exchange = sweep.exchange();
        PeerSums.Peers peers = exchange == null ? alone : PeerSums.of(exchange.peers(), exchange.numbers());
        for (int i = 0; i < groups.size(); i++) {
            List<Sweep.Term> group = groups.get(i);
            if (group.getFirst().kind().isExact()) {
                together = group.getFirst().kind() == Sweep.Kind.ROUND && i == groups.size() - 1 && exchange == null;
                exact(launches, group.getFirst(), together ? calculation : NOTHING, a, b, c);
                continue;
            }
            boolean sums = group.stream().anyMatch(term -> term.kind().sums());
            // The block that ends last knows the sums; updates alone have no such block.
            together = sums && i == groups.size() - 1;
            if (sums || group.stream().anyMatch(term -> term.y().count() > 0)) {
                launches.add(launch(group, together ? peers : alone, together ? calculation : NOTHING, a, b, c));
            }
        }
        if (!together && (calculation != NOTHING || exchange != null)) {
            LaunchConfig one = LaunchConfig.grid(1).block(exchange == null ? 1 : PeerSums.MOST_NUMBERS);
            Object[] constants = {exchange != null, calculation};
            launches.add(runner.prepare("Sweep.calculate", one, constants, peers, a, b, c));
        }
        return inOrder(launches);
    }

    /** Returns launches as one. */
    static Runnable inOrder(List<Runnable> launches) {
        Runnable[] all = launches.toArray(Runnable[]::new);
        return () -> {
            for (Runnable launch : all) {
                launch.run();
            }
        };
    }

    /** Returns the launch that sets a sum without rounding to 0. */
    static Runnable clear(KernelRunner runner, Buffer sum) {
        LaunchConfig one = LaunchConfig.grid(1).block(ExactKernels.THREADS);
        return runner.prepare("Exact.clear", one, new Object[0], Math.toIntExact(sum.count()), sum);
    }

    private Runnable launch(
            List<Sweep.Term> group, PeerSums.Peers peers, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Sweep.Kind[] kinds = new Sweep.Kind[SweepKernels.MOST_TERMS];
        SweepKernels.Term[] terms = new SweepKernels.Term[SweepKernels.MOST_TERMS];
        boolean aligned = true;
        int blocks = 1;
        for (int i = 0; i < terms.length; i++) {
            boolean used = i < group.size();
            Sweep.Term term = used ? group.get(i) : group.getFirst();
            kinds[i] = used ? term.kind() : Sweep.Kind.NONE;
            terms[i] = term(term);
            aligned &= Operands.aligned(term.x(), term.y());
            blocks = Math.max(blocks, terms[i].blocks());
        }
        Buffer y = group.getFirst().y();
        Object[] constants = {
            kinds[0],
            kinds[1],
            kinds[2],
            Operands.wide(y),
            y.type().isComplex(),
            aligned,
            peers.ranks() > 1,
            calculation
        };
        LaunchConfig config = LaunchConfig.grid(blocks).block(ReductionKernels.THREADS);
        return runner.prepare(
                "Sweep.run", config, constants, terms[0], terms[1], terms[2], peers, partial, arrived, a, b, c);
    }

    private void exact(
            List<Runnable> launches, Sweep.Term term, Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Buffer sums = requireNonNull(term.exact());
        Buffer y = term.y();
        if (term.kind() == Sweep.Kind.ROUND) {
            LaunchConfig one = LaunchConfig.grid(1).block(ExactKernels.THREADS);
            Object[] constants = {calculation};
            int count = Math.toIntExact(y.count());
            launches.add(runner.prepare("Exact.round", one, constants, count, term.levels(), sums, y, a, b, c));
            return;
        }
        if (!term.add()) {
            launches.add(clear(runner, sums));
        }
        if (y.count() > 0) {
            // A vector times itself is read once.
            boolean dot = term.kind() == Sweep.Kind.EXACT_DOT || term.kind() == Sweep.Kind.EXACT_VDOT;
            boolean square = dot && !y.type().isComplex() && term.x().address() == y.address();
            Sweep.Kind kind = square ? Sweep.Kind.EXACT_SQUARES : term.kind();
            Object[] constants = {kind, Operands.wide(y), y.type().isComplex(), Operands.aligned(term.x(), y)};
            int blocks = Math.min(ExactKernels.MOST_BLOCKS, ReductionKernels.blocks(Operands.packs(y)));
            LaunchConfig config = LaunchConfig.grid(blocks).block(ExactKernels.THREADS);
            double factor = term.a().real();
            launches.add(runner.prepare(
                    "Exact.accumulate", config, constants, Operands.parts(y), term.x(), y, factor, sums));
        }
    }

    private SweepKernels.Term term(Sweep.Term term) {
        Scalar result = term.result();
        return new SweepKernels.Term(
                Operands.parts(term.y()),
                ReductionKernels.blocks(Operands.packs(term.y())),
                Ptr.of(term.x()),
                Ptr.of(term.y()),
                Factor.of("sweep", term.a(), term.y(), nowhere),
                Factor.of("sweep", term.b(), term.y(), nowhere),
                result == null ? nowhere : F64Ptr.of(result.buffer()),
                term.add());
    }
}
