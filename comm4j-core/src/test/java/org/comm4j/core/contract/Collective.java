// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/** Each collective: how a case is called, and what must come of it on this rank. */
enum Collective {
    ALL_REDUCE(true, false) {
        @Override
        void call(Probe p, Case c) {
            Buffer recv = p.buffer(c, "recv", c.count());
            Buffer send = c.inPlace() ? recv : p.buffer(c, "send", c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.allReduce(send, recv, c.op()));
            p.expect("recv", recv, Reference.reduced(c, p.size, c.count()), p.tolerance(c));
            expectUnchanged(p, c, send);
        }
    },
    REDUCE(true, false) {
        @Override
        void call(Probe p, Case c) {
            boolean root = p.rank == c.root();
            Buffer recv = receiver(p, c, c.count());
            Buffer send = root && c.inPlace() ? recv : p.buffer(c, "send", c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.reduce(send, recv, c.op(), c.root()));
            if (root) {
                p.expect("recv", recv, Reference.reduced(c, p.size, c.count()), p.tolerance(c));
            } else {
                expectUnused(p, recv);
            }
            if (!root || !c.inPlace()) {
                p.expect("send", send, Reference.input(c, p.rank, send.count()));
            }
        }
    },
    BROADCAST(false, false) {
        @Override
        void call(Probe p, Case c) {
            boolean root = p.rank == c.root();
            Buffer recv = p.buffer(c, "recv", c.count());
            Buffer send = c.inPlace() ? recv : root ? p.buffer(c, "send", c.count()) : null;
            if (root) {
                fill(p, c, send);
            }
            if (c.inPlace()) {
                c.via().call(p.comm, o -> o.broadcast(recv, c.root()));
            } else {
                c.via().call(p.comm, o -> o.broadcast(send, recv, c.root()));
            }
            p.expect("recv", recv, Reference.input(c, c.root(), c.count()));
            if (root) {
                expectUnchanged(p, c, send);
            }
        }
    },
    ALL_GATHER(false, true) {
        @Override
        void call(Probe p, Case c) {
            Buffer recv = p.buffer(c, "recv", p.size * c.count());
            Buffer send = c.inPlace() ? part(recv, p.rank, c.count()) : p.buffer(c, "send", c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.allGather(send, recv));
            expectParts(p, c, recv);
            expectUnchanged(p, c, send);
        }
    },
    ALL_GATHER_V(false, true) {
        @Override
        void call(Probe p, Case c) {
            SplittableRandom random = new SplittableRandom(c.seed());
            Layout layout = Layout.of(random, Layout.counts(random, p.size, c.count()));
            long mine = layout.counts()[p.rank];
            Buffer recv = p.buffer(c, "recv", layout.total());
            Buffer send = c.inPlace() ? recv.slice(layout.offsets()[p.rank], mine) : p.buffer(c, "send", mine);
            fill(p, c, send);
            c.via().call(p.comm, o -> o.allGatherV(send, recv, layout.counts(), layout.offsets()));
            HostArray expected = Probe.blank(c.type(), layout.total());
            for (int r = 0; r < p.size; r++) {
                expected.slice(layout.offsets()[r], layout.counts()[r])
                        .copyFrom(Reference.input(c, r, layout.counts()[r]));
            }
            p.expect("recv", recv, expected);
            expectUnchanged(p, c, send);
        }
    },
    REDUCE_SCATTER(true, true) {
        @Override
        void call(Probe p, Case c) {
            Buffer send = p.buffer(c, "send", p.size * c.count());
            Buffer recv = c.inPlace() ? part(send, p.rank, c.count()) : p.buffer(c, "recv", c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.reduceScatter(send, recv, c.op()));
            HostArray expected = part(Reference.reduced(c, p.size, p.size * c.count()), p.rank, c.count());
            p.expect("recv", recv, expected, p.tolerance(c));
            HostArray sent = Reference.input(c, p.rank, send.count());
            for (int r = 0; r < p.size; r++) {
                if (!c.inPlace() || r != p.rank) {
                    p.expect("part " + r + " of send", part(send, r, c.count()), part(sent, r, c.count()));
                }
            }
        }
    },
    ALL_TO_ALL(false, true) {
        @Override
        void call(Probe p, Case c) {
            Buffer send = p.buffer(c, "send", p.size * c.count());
            Buffer recv = p.buffer(c, "recv", p.size * c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.allToAll(send, recv));
            for (int r = 0; r < p.size; r++) {
                HostArray sent = Reference.input(c, r, p.size * c.count());
                p.expect("part " + r + " of recv", part(recv, r, c.count()), part(sent, p.rank, c.count()));
            }
            expectUnchanged(p, c, send);
        }
    },
    ALL_TO_ALL_V(false, true) {
        @Override
        void call(Probe p, Case c) {
            Layout[] sent = new Layout[p.size];
            long[] counts = new long[p.size];
            for (int r = 0; r < p.size; r++) {
                SplittableRandom random = new SplittableRandom(c.seed() + r);
                sent[r] = Layout.of(random, Layout.counts(random, p.size, c.count()));
                counts[r] = sent[r].counts()[p.rank];
            }
            Layout out = sent[p.rank];
            Layout in = Layout.of(new SplittableRandom(c.seed() - 1 - p.rank), counts);
            Buffer send = p.buffer(c, "send", out.total());
            Buffer recv = p.buffer(c, "recv", in.total());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.allToAllV(send, out.counts(), out.offsets(), recv, in.counts(), in.offsets()));
            HostArray expected = Probe.blank(c.type(), in.total());
            for (int r = 0; r < p.size; r++) {
                HostArray from = Reference.input(c, r, sent[r].total());
                expected.slice(in.offsets()[r], counts[r]).copyFrom(from.slice(sent[r].offsets()[p.rank], counts[r]));
            }
            p.expect("recv", recv, expected);
            expectUnchanged(p, c, send);
        }
    },
    GATHER(false, true) {
        @Override
        void call(Probe p, Case c) {
            boolean root = p.rank == c.root();
            Buffer recv = receiver(p, c, p.size * c.count());
            Buffer send = root && c.inPlace() ? part(recv, p.rank, c.count()) : p.buffer(c, "send", c.count());
            fill(p, c, send);
            c.via().call(p.comm, o -> o.gather(send, recv, c.root()));
            if (root) {
                expectParts(p, c, recv);
            } else {
                expectUnused(p, recv);
            }
            expectUnchanged(p, c, send);
        }
    },
    SCATTER(false, true) {
        @Override
        void call(Probe p, Case c) {
            boolean root = p.rank == c.root();
            Buffer send = root ? p.buffer(c, "send", p.size * c.count()) : null;
            Buffer recv = root && c.inPlace() ? part(send, p.rank, c.count()) : p.buffer(c, "recv", c.count());
            if (root) {
                fill(p, c, send);
            }
            c.via().call(p.comm, o -> o.scatter(send, recv, c.root()));
            HostArray sent = Reference.input(c, c.root(), p.size * c.count());
            p.expect("recv", recv, part(sent, p.rank, c.count()));
            if (root) {
                p.expect("send", send, sent);
            }
        }
    };

    /** Whether it takes a reduction. */
    final boolean reduces;

    /** Whether a buffer has a part for each rank. */
    final boolean parts;

    Collective(boolean reduces, boolean parts) {
        this.reduces = reduces;
        this.parts = parts;
    }

    /** Whether send and receive buffer may share memory. */
    final boolean hasInPlaceForm() {
        return this != ALL_TO_ALL && this != ALL_TO_ALL_V;
    }

    /** Makes the call on this rank and notes what is wrong with the result. */
    abstract void call(Probe p, Case c);

    final void run(Probe p, Case c) {
        p.at(this + " " + c);
        if (p.supports(Call.Kind.valueOf(name()), c.type(), c.op())) {
            call(p, c);
        } else {
            p.expectUnsupported(() -> call(p, c));
        }
        p.expectGuardsIntact();
    }

    private static void fill(Probe p, Case c, Buffer send) {
        send.copyFrom(Reference.input(c, p.rank, send.count()));
    }

    private static Buffer part(Buffer whole, int rank, long count) {
        return whole.slice(rank * count, count);
    }

    private static HostArray part(HostArray whole, int rank, long count) {
        return whole.slice(rank * count, count);
    }

    /** The root's receive buffer; other ranks pass null or a buffer that must not be touched. */
    private static @Nullable Buffer receiver(Probe p, Case c, long count) {
        boolean bystander = p.rank != c.root() && (c.seed() + p.rank) % 2 == 0;
        return bystander ? null : p.buffer(c, "recv", count);
    }

    private static void expectUnused(Probe p, @Nullable Buffer recv) {
        if (recv != null) {
            p.expectBlank("recv of a rank that is not the root", recv);
        }
    }

    private static void expectParts(Probe p, Case c, Buffer recv) {
        for (int r = 0; r < p.size; r++) {
            p.expect("part " + r + " of recv", part(recv, r, c.count()), Reference.input(c, r, c.count()));
        }
    }

    private static void expectUnchanged(Probe p, Case c, Buffer send) {
        if (!c.inPlace()) {
            p.expect("send", send, Reference.input(c, p.rank, send.count()));
        }
    }
}
