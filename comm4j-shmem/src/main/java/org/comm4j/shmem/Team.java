// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PgasTeam;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.Events;
import org.comm4j.host.Signature;
import org.jspecify.annotations.Nullable;

/**
 * An ordered set of PEs that synchronise and communicate as one ({@code shmem_team_t}). Members are numbered from 0 in
 * the team; "PE" is their number in the whole job. A team is used by one thread of each member at a time.
 *
 * <p>Every member calls the same collective operation with the same counts and the same places of the symmetric heap,
 * and the collectives of a team in the same order. When an operation returns on a member, its source may be used again
 * and its destination is complete; other members may be behind, so whoever puts into their destinations next needs a
 * {@link #sync} before. An operation on no elements does nothing and waits for nobody, except {@link #collect}.
 *
 * <p>With the embedded engine members that do not call the same throw {@link CollectiveMismatchException}, before
 * anything is read; the team is out of step then. In checked mode ({@code COMM4J_CHECKED=1}), and so with every engine,
 * the members tell each other before every collective operation what they call, all of them throw if it is not the
 * same, nothing is moved, and the team can be used afterwards. That is a synchronisation more each time, of operations
 * on no elements, too. Without it members of the native engine that do not call the same get wrong results, or wait in
 * vain.
 *
 * <p>A wait for other members ends with {@link org.comm4j.core.RankFailedException} if one died or, after {@link
 * OpenShmem#timeout()}, with {@link org.comm4j.core.CommTimeoutException}. The team is out of step then, and good for
 * nothing but {@link #close}.
 */
public final class Team implements PgasTeam {
    private final Session session;
    private final Members members;
    private final Collectives collectives;
    private final TeamCalls calls;
    private final String name;
    private final boolean permanent;
    private volatile boolean closed;

    /** @param permanent whether closing does nothing */
    Team(Session session, Members members, String name, boolean permanent) {
        this.session = session;
        this.members = members;
        this.collectives = new Collectives(session, members);
        this.calls = new TeamCalls(session, members, this);
        this.name = name;
        this.permanent = permanent;
    }

    // ---- who is in it ----

    /** Number of members ({@code shmem_team_n_pes}). */
    @Override
    public int size() {
        return members.pes.length;
    }

    /** This PE's number in the team ({@code shmem_team_my_pe}). */
    @Override
    public int rank() {
        return members.rank;
    }

    /** The PE to name in puts and gets for a member ({@code shmem_team_translate_pe} to the world). */
    @Override
    public int worldPe(int member) {
        if (member < 0 || member >= members.pes.length) {
            throw new IndexOutOfBoundsException(
                    "member " + member + " is not one of 0 to " + (members.pes.length - 1) + " of " + this);
        }
        return members.pes[member];
    }

    /** The number in this team of a PE, or −1 ({@code shmem_team_translate_pe} from the world). */
    @Override
    public int memberOf(int worldPe) {
        return Members.memberOf(members.pes, worldPe);
    }

    // ---- parts ----

    /**
     * Collective over this team: the team of its members {@code start}, {@code start + stride}, … ({@code size} of
     * them; {@code shmem_team_split_strided}). Null for a member that is not among them.
     *
     * @param stride may be negative, which gives the reverse order; 0 only if {@code size} is 1
     * @throws CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    @Override
    public @Nullable Team splitStrided(int start, int stride, int size) {
        String call = "splitStrided(" + start + ", " + stride + ", " + size + ")";
        check(call);
        long last = start + (long) stride * (size - 1);
        if (size < 1 || start < 0 || start >= size() || last < 0 || last >= size() || stride == 0 && size > 1) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": does not name " + size + " different members of " + this);
        }
        agree(call, start, stride, size);
        int place = -1;
        for (int i = 0; i < size; i++) {
            if (start + stride * i == rank()) {
                place = i;
            }
        }
        return part(call, members.split(call, place < 0 ? -1 : 0, Math.max(place, 0)));
    }

    /**
     * Collective over this team: its members as a grid, {@code xRange} to a row ({@code shmem_team_split_2d}). Member m
     * is at x = m mod {@code xRange}, y = m / {@code xRange}; the last row may be shorter.
     *
     * @param xRange at least 1; more than this team has members means one row
     * @throws CollectiveMismatchException if members pass different arguments; nothing is made then
     */
    @Override
    public Axes<Team> split2d(int xRange) {
        String call = "split2d(" + xRange + ")";
        check(call);
        if (xRange < 1) {
            throw new IllegalArgumentException(
                    call + " on " + session.where() + ": a row of " + this + " has at least 1 member");
        }
        agree(call, xRange);
        int x = rank() % xRange;
        int y = rank() / xRange;
        Team row = part(call + ".x", members.split(call, y, x));
        Team column = part(call + ".y", members.split(call, x, y));
        return new Axes<>(Objects.requireNonNull(row), Objects.requireNonNull(column));
    }

    private @Nullable Team part(String call, @Nullable Members part) {
        return part == null ? null : new Team(session, part, name + "." + call, false);
    }

    /** The words of splits begin with it and the number of arguments; those that others exchange begin otherwise. */
    private static final long SPLIT = 0x73706c6974_00L;

    /** Teams made from different arguments would wait for each other in vain. */
    private void agree(String call, long... arguments) {
        members.calls(Signature.comparing(Signature.operation(call.substring(0, call.indexOf('(')))), 0);
        long[] mine = Arrays.copyOf(new long[] {SPLIT + arguments.length}, 4);
        System.arraycopy(arguments, 0, mine, 1, arguments.length);
        long[][] all = members.exchange(call, mine);
        for (int member = 0; member < all.length; member++) {
            if (!Arrays.equals(all[member], mine)) {
                String theirs = all[member][0] == mine[0]
                        ? "passes " + Arrays.toString(Arrays.copyOfRange(all[member], 1, 1 + arguments.length))
                                + " instead of " + Arrays.toString(arguments)
                        : "calls another collective method";
                throw new CollectiveMismatchException(call + " on " + session.where() + ": PE " + worldPe(member) + " "
                        + theirs + "; all members must call the same");
            }
        }
    }

    /** A context whose PEs are the members' numbers in this team ({@code shmem_team_create_ctx}). Not collective. */
    public Context newContext(Context.Option... options) {
        nonNull(options, "newContext", "options");
        check("newContext");
        Set<Context.Option> set = EnumSet.noneOf(Context.Option.class);
        Collections.addAll(set, options);
        return new Context(session, this, set);
    }

    /**
     * The copy of {@code array} on a member, for direct loads and stores ({@code shmem_team_ptr}, OpenSHMEM 1.6); null
     * if it is out of reach.
     *
     * @see OpenShmem#ptr
     */
    public @Nullable HostArray ptr(SymmetricArray array, int member) {
        nonNull(array, "ptr", "array");
        check("ptr");
        return OpenShmem.ptr(session, array, worldPe(member));
    }

    // ---- barrier, sync ----

    /**
     * {@link OpenShmem#quiet}, then {@link #sync}: what members put before is there when it returns ({@code
     * nvshmem_barrier}; in OpenSHMEM quiet and {@code shmem_team_sync}).
     */
    @Override
    public void barrier() {
        barrier("barrier");
    }

    /** {@link #barrier()} of an operation with another name. */
    void barrier(String operation) {
        CommunicationEvent event = Events.begin();
        check(operation);
        session.engine.stream().quiet();
        try {
            calls.begin(TeamCalls.Operation.BARRIER, null, 0, 0, 0, 0, 0);
            members.sync(operation);
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, operation, this);
        }
    }

    /**
     * Returns when every member has called it; what each stored into memory within reach before is visible after
     * ({@code shmem_team_sync}).
     */
    @Override
    public void sync() {
        sync("sync");
    }

    /** {@link #sync()} of an operation with another name. */
    void sync(String operation) {
        CommunicationEvent event = Events.begin();
        check(operation);
        try {
            calls.begin(TeamCalls.Operation.SYNC, null, 0, 0, 0, 0, 0);
            members.sync(operation);
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, operation, this);
        }
    }

    // ---- reduce ----

    /**
     * Combines the sources of all members, element by element in the members' order, into every member's destination
     * ({@code shmem_<op>_reduce}).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     * @throws IllegalArgumentException if types or counts differ, the two overlap in part, or there is no such
     *     reduction of elements of this type
     */
    @Override
    public void reduce(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op) {
        nonNull(destination, "reduce", "destination");
        nonNull(source, "reduce", "source");
        checkCounts("reduce", destination, source, source.count(), 1, 1);
        reduce(destination, source, source.count(), op);
    }

    /** {@link #reduce(SymmetricBuffer, SymmetricBuffer, ReduceOp)} of the first {@code count} elements. */
    @Override
    public void reduce(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op) {
        nonNull(source, "reduce", "source");
        CommunicationEvent event = Events.begin();
        check("reduce");
        checkReduced("reduce", op, source.type());
        long to = session.offset("reduce", "destination", destination, 0, count);
        long from = session.offset("reduce", "source", source, 0, count);
        checkPair("reduce", destination, to, count, source, from, count, true);
        try {
            calls.begin(TeamCalls.Operation.REDUCE, source, to, from, count, op.ordinal(), 0);
            if (count > 0) {
                collectives.reduce(source.type(), op, to, from, count);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "reduce", this, source, count, op, Session.NO_PE);
        }
    }

    /**
     * Combines the sources of all members, element by element, and gives each member its part: member m gets the m-th
     * ({@code nvshmem_<op>_reducescatter}).
     *
     * @param destination one part
     * @param source a part for each member, in their order, apart from {@code destination}
     */
    @Override
    public void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        checkCounts("reduceScatter", destination, source, destination.count(), 1, size());
        reduceScatter(destination, source, destination.count(), op);
    }

    /**
     * {@link #reduceScatter(SymmetricBuffer, SymmetricBuffer, ReduceOp)} with parts of {@code count} elements, one
     * behind the other from the front of {@code source}.
     */
    @Override
    public void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op) {
        nonNull(source, "reduceScatter", "source");
        CommunicationEvent event = Events.begin();
        check("reduceScatter");
        checkReduced("reduceScatter", op, source.type());
        long to = session.offset("reduceScatter", "destination", destination, 0, count);
        long from = session.offset("reduceScatter", "source", source, 0, parts("reduceScatter", count));
        checkPair("reduceScatter", destination, to, count, source, from, count * size(), false);
        try {
            calls.begin(TeamCalls.Operation.REDUCE_SCATTER, source, to, from, count, op.ordinal(), 0);
            if (count > 0) {
                collectives.reduceScatter(source.type(), op, to, from, count);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "reduceScatter", this, source, count * size(), op, Session.NO_PE);
        }
    }

    private void checkReduced(String operation, ReduceOp op, DataType type) {
        if (!nonNull(op, operation, "op").supports(type)) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": " + op + " is not defined for elements of " + type);
        }
    }

    // ---- scans ----

    /**
     * Gives member m the sum of the sources of members 0 to m, element by element ({@code shmem_sum_inscan}, OpenSHMEM
     * 1.6).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     */
    public void sumInscan(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "sumInscan", "destination");
        nonNull(source, "sumInscan", "source");
        checkCounts("sumInscan", destination, source, source.count(), 1, 1);
        sumInscan(destination, source, source.count());
    }

    /** {@link #sumInscan(SymmetricBuffer, SymmetricBuffer)} of the first {@code count} elements. */
    public void sumInscan(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        scan("sumInscan", true, destination, source, count);
    }

    /**
     * Gives member m the sum of the sources of members 0 to m − 1, element by element, and member 0 zeros ({@code
     * shmem_sum_exscan}, OpenSHMEM 1.6).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     */
    public void sumExscan(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "sumExscan", "destination");
        nonNull(source, "sumExscan", "source");
        checkCounts("sumExscan", destination, source, source.count(), 1, 1);
        sumExscan(destination, source, source.count());
    }

    /** {@link #sumExscan(SymmetricBuffer, SymmetricBuffer)} of the first {@code count} elements. */
    public void sumExscan(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        scan("sumExscan", false, destination, source, count);
    }

    private void scan(
            String operation, boolean inclusive, SymmetricBuffer destination, SymmetricBuffer source, long count) {
        CommunicationEvent event = Events.begin();
        check(operation);
        long to = session.offset(operation, "destination", destination, 0, count);
        long from = session.offset(operation, "source", source, 0, count);
        checkPair(operation, destination, to, count, source, from, count, true);
        TeamCalls.Operation scan = inclusive ? TeamCalls.Operation.SUM_INSCAN : TeamCalls.Operation.SUM_EXSCAN;
        try {
            calls.begin(scan, source, to, from, count, 0, 0);
            if (count > 0) {
                collectives.scan(operation, inclusive, source.type(), to, from, count);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, operation, this, source, count, ReduceOp.SUM, Session.NO_PE);
        }
    }

    // ---- broadcast, collect, allToAll ----

    /**
     * Copies the source of one member to every member's destination, its own too ({@code shmem_broadcast}).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     * @param source every member passes it; only the root's is read
     * @param root the member's number in this team ({@link #memberOf} finds that of a PE)
     */
    @Override
    public void broadcast(SymmetricBuffer destination, SymmetricBuffer source, int root) {
        nonNull(destination, "broadcast", "destination");
        nonNull(source, "broadcast", "source");
        checkCounts("broadcast", destination, source, source.count(), 1, 1);
        broadcast(destination, source, source.count(), root);
    }

    /** {@link #broadcast(SymmetricBuffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    @Override
    public void broadcast(SymmetricBuffer destination, SymmetricBuffer source, long count, int root) {
        CommunicationEvent event = Events.begin();
        check("broadcast");
        if (root < 0 || root >= size()) {
            throw new IllegalArgumentException("broadcast on " + session.where() + ": root " + root
                    + " is not a member's number in " + this + ", which are 0 to " + (size() - 1));
        }
        long to = session.offset("broadcast", "destination", destination, 0, count);
        long from = session.offset("broadcast", "source", source, 0, count);
        checkPair("broadcast", destination, to, count, source, from, count, true);
        try {
            calls.begin(TeamCalls.Operation.BROADCAST, source, to, from, count, root, 0);
            if (count > 0) {
                collectives.broadcast(to, from, count * source.type().bytes(), root);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "broadcast", this, source, count, null, root);
        }
    }

    /**
     * Gives every member the sources of all, one behind the other in their order ({@code shmem_fcollect}).
     *
     * @param destination as many times the count of {@code source} as there are members
     * @param source apart from {@code destination}
     */
    @Override
    public void fcollect(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "fcollect", "destination");
        nonNull(source, "fcollect", "source");
        checkCounts("fcollect", destination, source, source.count(), size(), 1);
        fcollect(destination, source, source.count());
    }

    /** {@link #fcollect(SymmetricBuffer, SymmetricBuffer)} of the first {@code count} elements of each source. */
    @Override
    public void fcollect(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        CommunicationEvent event = Events.begin();
        check("fcollect");
        long to = session.offset("fcollect", "destination", destination, 0, parts("fcollect", count));
        long from = session.offset("fcollect", "source", source, 0, count);
        checkPair("fcollect", destination, to, count * size(), source, from, count, false);
        try {
            calls.begin(TeamCalls.Operation.FCOLLECT, source, to, from, count, 0, 0);
            if (count > 0) {
                collectives.fcollect(to, from, count * source.type().bytes());
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "fcollect", this, source, count * size(), null, Session.NO_PE);
        }
    }

    /**
     * Gives every member the first {@code count} elements of each one's source, one behind the other in their order
     * ({@code shmem_collect}); {@code count} may differ from member to member, and be 0.
     *
     * @param destination with room for all
     * @param source apart from {@code destination}
     * @return how many elements all have given together
     * @throws IndexOutOfBoundsException on all members if {@code destination} is too small; nothing is copied then
     */
    public long collect(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        nonNull(source, "collect", "source");
        CommunicationEvent event = Events.begin();
        check("collect");
        long bytes = source.type().bytes();
        long to = session.offset("collect", "destination", destination, 0, 0);
        long from = session.offset("collect", "source", source, 0, count);
        checkPair("collect", destination, to, destination.count(), source, from, count, false);
        long all = 0;
        try {
            calls.begin(TeamCalls.Operation.COLLECT, source, to, from, Signature.ANY_COUNT, 0, 0);
            all = collectives.collected(from, count * bytes);
            if (all > destination.byteSize()) {
                throw new IndexOutOfBoundsException("collect on " + session.where() + ": destination: the "
                        + all / bytes + " elements of all members leave " + destination);
            }
            collectives.collect(to, from);
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "collect", this, source, all / bytes, null, Session.NO_PE);
        }
        return all / bytes;
    }

    /**
     * Gives every member a part of every member's source: member m gets the m-th part of each, one behind the other in
     * their order ({@code shmem_alltoall}).
     *
     * @param destination of the count of {@code source}, which is a multiple of the number of members
     * @param source apart from {@code destination}
     */
    @Override
    public void allToAll(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        checkCounts("allToAll", destination, source, source.count() / size(), size(), size());
        allToAll(destination, source, source.count() / size());
    }

    /** {@link #allToAll(SymmetricBuffer, SymmetricBuffer)} with parts of {@code count} elements. */
    @Override
    public void allToAll(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        CommunicationEvent event = Events.begin();
        check("allToAll");
        long all = parts("allToAll", count);
        long to = session.offset("allToAll", "destination", destination, 0, all);
        long from = session.offset("allToAll", "source", source, 0, all);
        checkPair("allToAll", destination, to, all, source, from, all, false);
        try {
            calls.begin(TeamCalls.Operation.ALL_TO_ALL, source, to, from, count, 0, 0);
            if (count > 0) {
                collectives.allToAll(to, from, count * source.type().bytes());
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "allToAll", this, source, all, null, Session.NO_PE);
        }
    }

    /**
     * {@link #allToAll(SymmetricBuffer, SymmetricBuffer, long)} of every {@code sourceStride}-th element to every
     * {@code destinationStride}-th ({@code shmem_alltoalls}).
     *
     * @param destinationStride in elements, at least 1
     * @param sourceStride likewise
     */
    public void allToAllStrided(
            SymmetricBuffer destination,
            SymmetricBuffer source,
            long destinationStride,
            long sourceStride,
            long count) {
        nonNull(destination, "allToAllStrided", "destination");
        nonNull(source, "allToAllStrided", "source");
        CommunicationEvent event = Events.begin();
        check("allToAllStrided");
        long all = parts("allToAllStrided", count);
        long toSpan = span(destinationStride, all);
        long fromSpan = span(sourceStride, all);
        long to = session.offset("allToAllStrided", "destination", destination, 0, toSpan);
        long from = session.offset("allToAllStrided", "source", source, 0, fromSpan);
        checkPair("allToAllStrided", destination, to, toSpan, source, from, fromSpan, false);
        try {
            calls.begin(
                    TeamCalls.Operation.ALL_TO_ALL_STRIDED, source, to, from, count, destinationStride, sourceStride);
            if (count > 0) {
                long bytes = source.type().bytes();
                collectives.allToAllStrided(to, from, destinationStride * bytes, sourceStride * bytes, bytes, count);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "allToAllStrided", this, source, all, null, Session.NO_PE);
        }
    }

    private long span(long stride, long count) {
        if (stride < 1 || count > 0 && count - 1 > (Long.MAX_VALUE - 1) / stride) {
            throw new IllegalArgumentException("allToAllStrided on " + session.where() + ": " + count
                    + " elements with stride " + stride + " (it is at least 1)");
        }
        return count == 0 ? 0 : (count - 1) * stride + 1;
    }

    // ---- checks ----

    private long parts(String operation, long count) {
        if (count < 0 || count > Long.MAX_VALUE / size()) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": parts of " + count + " elements");
        }
        return count * size();
    }

    /** For operations that take the counts from the arrays. */
    private void checkCounts(
            String operation,
            SymmetricBuffer destination,
            SymmetricBuffer source,
            long part,
            int destinationParts,
            int sourceParts) {
        if (destination.count() != part * destinationParts || source.count() != part * sourceParts) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": the counts of destination "
                    + destination + " and source " + source + " do not fit for " + size() + " members");
        }
    }

    private void checkPair(
            String operation,
            SymmetricBuffer destination,
            long to,
            long toCount,
            SymmetricBuffer source,
            long from,
            long fromCount,
            boolean mayBeSame) {
        if (destination.type() != source.type()) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": destination " + destination
                    + " does not have the type of source " + source);
        }
        long bytes = source.type().bytes();
        boolean overlap = to < from + fromCount * bytes && from < to + toCount * bytes;
        if (overlap && !(mayBeSame && to == from)) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": destination " + destination
                    + " and source " + source + " overlap");
        }
    }

    private void check(String operation) {
        session.check(operation);
        if (closed) {
            throw new IllegalStateException(operation + " on " + session.where() + ": " + this + " was closed");
        }
    }

    @Override
    public boolean isOpen() {
        return !closed && session.isOpen();
    }

    /**
     * Leaves the team; members do so when they are done, in any order ({@code shmem_team_destroy}). Closing the world,
     * or a second time, does nothing.
     */
    @Override
    public void close() {
        if (!closed && !permanent) {
            closed = true;
            if (session.isHeapOpen()) {
                members.close();
            }
        }
    }

    @Override
    public String toString() {
        return "Team[" + name + ", member " + rank() + " of " + size() + ", PEs "
                + Arrays.stream(members.pes).mapToObj(Integer::toString).collect(Collectors.joining(" "))
                + (closed ? ", closed]" : "]");
    }
}
