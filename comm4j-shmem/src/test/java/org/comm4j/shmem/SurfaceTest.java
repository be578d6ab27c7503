// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.comm4j.core.PgasLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the specification has, by the names of C without {@code shmem_}, types and {@code ctx_}, is to be had here. Left
 * out on purpose: {@code query_thread}, because all threads may always call; {@code pcontrol}, because there is nothing
 * to control; {@code team_get_config}, because contexts need no number beforehand; active sets and caches, which the
 * specification has given up.
 */
class SurfaceTest {
    private static final Map<String, Class<?>> CLASSES = Map.of(
            "OpenShmem", OpenShmem.class,
            "Team", Team.class,
            "Context", Context.class,
            "SymmetricArray", SymmetricArray.class,
            "PgasLock", PgasLock.class);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "init init_thread, OpenShmem.init",
        "query_initialized, OpenShmem.isInitialized",
        "finalize, OpenShmem.close",
        "global_exit, OpenShmem.globalExit",
        "my_pe, OpenShmem.myPe",
        "n_pes, OpenShmem.nPes",
        "pe_accessible, OpenShmem.peAccessible",
        "addr_accessible, OpenShmem.addrAccessible",
        "ptr, OpenShmem.ptr",
        "info_get_version, OpenShmem.MAJOR_VERSION",
        "info_get_version, OpenShmem.MINOR_VERSION",
        "info_get_name, OpenShmem.engine",
        "malloc calloc malloc_with_hints, OpenShmem.allocate",
        "align, OpenShmem.allocateAligned",
        "realloc, OpenShmem.reallocate",
        "free, SymmetricArray.close",
        "shape of arrays, SymmetricArray.reshape",
        "TEAM_WORLD, OpenShmem.world",
        "TEAM_SHARED, OpenShmem.shared",
        "team_my_pe, Team.rank",
        "team_n_pes, Team.size",
        "team_translate_pe, Team.translate",
        "team_split_strided, Team.splitStrided",
        "team_split_2d, Team.split2d",
        "team_ptr, Team.ptr",
        "team_create_ctx, Team.newContext",
        "team_destroy, Team.close",
        "ctx_create, OpenShmem.newContext",
        "ctx_get_team, Context.team",
        "ctx_destroy, Context.close",
        "ctx_session_start, Context.sessionStart",
        "ctx_session_stop, Context.sessionStop",
        "put putmem, Context.put",
        "get getmem, Context.get",
        "put_nbi, Context.putNbi",
        "get_nbi, Context.getNbi",
        "iput, Context.iput",
        "iget, Context.iget",
        "ibput, Context.ibput",
        "ibget, Context.ibget",
        "p, Context.p",
        "p of complex, Context.pComplex",
        "g, Context.g",
        "g of floating point, Context.gDouble",
        "g of complex, Context.gComplex",
        "atomic_fetch, Context.atomicFetch",
        "atomic_fetch of floating point, Context.atomicFetchDouble",
        "atomic_set, Context.atomicSet",
        "atomic_swap, Context.atomicSwap",
        "atomic_compare_swap, Context.atomicCompareSwap",
        "atomic_inc, Context.atomicInc",
        "atomic_add, Context.atomicAdd",
        "atomic_and, Context.atomicAnd",
        "atomic_or, Context.atomicOr",
        "atomic_xor, Context.atomicXor",
        "atomic_fetch_inc, Context.atomicFetchInc",
        "atomic_fetch_add, Context.atomicFetchAdd",
        "atomic_fetch_and, Context.atomicFetchAnd",
        "atomic_fetch_or, Context.atomicFetchOr",
        "atomic_fetch_xor, Context.atomicFetchXor",
        "atomic_fetch_nbi, Context.atomicFetchNbi",
        "atomic_swap_nbi, Context.atomicSwapNbi",
        "atomic_compare_swap_nbi, Context.atomicCompareSwapNbi",
        "atomic_fetch_inc_nbi, Context.atomicFetchIncNbi",
        "atomic_fetch_add_nbi, Context.atomicFetchAddNbi",
        "atomic_fetch_and_nbi, Context.atomicFetchAndNbi",
        "atomic_fetch_or_nbi, Context.atomicFetchOrNbi",
        "atomic_fetch_xor_nbi, Context.atomicFetchXorNbi",
        "put_signal, Context.putSignal",
        "put_signal_nbi, Context.putSignalNbi",
        "signal_set signal_add, Context.signal",
        "signal_fetch, OpenShmem.signalFetch",
        "signal_wait_until, OpenShmem.signalWaitUntil",
        "wait_until, OpenShmem.waitUntil",
        "wait_until_all wait_until_all_vector, OpenShmem.waitUntilAll",
        "wait_until_any wait_until_any_vector, OpenShmem.waitUntilAny",
        "wait_until_some wait_until_some_vector, OpenShmem.waitUntilSome",
        "test, OpenShmem.test",
        "test_all test_all_vector, OpenShmem.testAll",
        "test_any test_any_vector, OpenShmem.testAny",
        "test_some test_some_vector, OpenShmem.testSome",
        "fence, Context.fence",
        "quiet, Context.quiet",
        "pe_quiet, Context.peQuiet",
        "barrier_all, OpenShmem.barrierAll",
        "sync_all, OpenShmem.syncAll",
        "team_sync, Team.sync",
        "broadcast, Team.broadcast",
        "collect, Team.collect",
        "fcollect, Team.fcollect",
        "alltoall, Team.allToAll",
        "alltoalls, Team.allToAllStrided",
        "and_reduce or_reduce xor_reduce max_reduce min_reduce sum_reduce prod_reduce, Team.reduce",
        "sum_inscan, Team.sumInscan",
        "sum_exscan, Team.sumExscan",
        "set_lock, PgasLock.lock",
        "test_lock, PgasLock.tryLock",
        "clear_lock, PgasLock.unlock"
    })
    void isServed(String functions, String member) {
        String[] names = member.split("\\.");
        Class<?> owner = CLASSES.get(names[0]);
        assertThat(owner).as(functions).isNotNull();
        assertThat(Stream.concat(Arrays.stream(owner.getMethods()), Arrays.stream(owner.getFields()))
                        .map(Member::getName))
                .as(functions)
                .contains(names[1]);
    }

    /** The functions of shmem4py 1.0 as it names them, what serves them here, or why nothing does. */
    private static final String SHMEM4PY = """
            init init_thread, OpenShmem.init
            query_thread, none: all threads may always call
            finalize, OpenShmem.close
            global_exit, OpenShmem.globalExit
            my_pe, OpenShmem.myPe
            n_pes, OpenShmem.nPes
            pe_accessible, OpenShmem.peAccessible
            addr_accessible, OpenShmem.addrAccessible
            ptr, OpenShmem.ptr
            info_get_version, OpenShmem.MAJOR_VERSION
            info_get_name, OpenShmem.engine
            pcontrol, none: recordings are begun and ended by the flight recorder
            alloc new_array empty zeros new_signal, OpenShmem.allocate
            free del_array del_signal, SymmetricArray.close
            fromalloc, SymmetricArray.view
            array, SymmetricArray.copyFrom
            ones full, SymmetricArray.fill
            put, Context.put
            get, Context.get
            put_nbi, Context.putNbi
            get_nbi, Context.getNbi
            iput, Context.iput
            iget, Context.iget
            atomic_set, Context.atomicSet
            atomic_inc, Context.atomicInc
            atomic_add, Context.atomicAdd
            atomic_and, Context.atomicAnd
            atomic_or, Context.atomicOr
            atomic_xor, Context.atomicXor
            atomic_fetch, Context.atomicFetch
            atomic_swap, Context.atomicSwap
            atomic_compare_swap, Context.atomicCompareSwap
            atomic_fetch_inc, Context.atomicFetchInc
            atomic_fetch_add, Context.atomicFetchAdd
            atomic_fetch_and, Context.atomicFetchAnd
            atomic_fetch_or, Context.atomicFetchOr
            atomic_fetch_xor, Context.atomicFetchXor
            atomic_fetch_nbi, Context.atomicFetchNbi
            atomic_swap_nbi, Context.atomicSwapNbi
            atomic_compare_swap_nbi, Context.atomicCompareSwapNbi
            atomic_fetch_inc_nbi, Context.atomicFetchIncNbi
            atomic_fetch_add_nbi, Context.atomicFetchAddNbi
            atomic_fetch_and_nbi, Context.atomicFetchAndNbi
            atomic_fetch_or_nbi, Context.atomicFetchOrNbi
            atomic_fetch_xor_nbi, Context.atomicFetchXorNbi
            atomic_op atomic_fetch_op atomic_fetch_op_nbi, none: there is a method for each operation
            put_signal, Context.putSignal
            put_signal_nbi, Context.putSignalNbi
            signal_fetch, OpenShmem.signalFetch
            signal_wait_until, OpenShmem.signalWaitUntil
            barrier_all, OpenShmem.barrierAll
            sync_all, OpenShmem.syncAll
            sync, Team.sync
            broadcast, Team.broadcast
            collect, Team.collect
            fcollect, Team.fcollect
            alltoall, Team.allToAll
            alltoalls, Team.allToAllStrided
            reduce and_reduce or_reduce xor_reduce max_reduce min_reduce sum_reduce prod_reduce, Team.reduce
            wait_until, OpenShmem.waitUntil
            wait_until_all wait_until_all_vector, OpenShmem.waitUntilAll
            wait_until_any wait_until_any_vector, OpenShmem.waitUntilAny
            wait_until_some wait_until_some_vector, OpenShmem.waitUntilSome
            test, OpenShmem.test
            test_all test_all_vector, OpenShmem.testAll
            test_any test_any_vector, OpenShmem.testAny
            test_some test_some_vector, OpenShmem.testSome
            fence, Context.fence
            quiet, Context.quiet
            new_lock, OpenShmem.newLock
            del_lock, PgasLock.close
            set_lock, PgasLock.lock
            test_lock, PgasLock.tryLock
            clear_lock, PgasLock.unlock
            """;

    @ParameterizedTest(name = "shmem4py {0}")
    @CsvSource(textBlock = SHMEM4PY)
    void isServedAsInPython(String functions, String member) {
        if (member.startsWith("none")) {
            assertThat(member).as(functions).matches("none: .+");
        } else {
            isServed(functions, member);
        }
    }

    @Test
    void noFunctionOfShmem4pyIsLeftOut() {
        assertThat(SHMEM4PY.lines().flatMap(line -> Arrays.stream(line.split(",", 2)[0].split(" "))))
                .hasSize(97)
                .doesNotHaveDuplicates();
    }

    /** The methods of its classes {@code Ctx}, {@code Team} and {@code Lock}. */
    @ParameterizedTest(name = "shmem4py {0}")
    @CsvSource({
        "Ctx.create, Team.newContext",
        "Ctx.destroy, Context.close",
        "Ctx.get_team, Context.team",
        "Ctx.fence, Context.fence",
        "Ctx.quiet, Context.quiet",
        "Team.split_strided, Team.splitStrided",
        "Team.my_pe, Team.rank",
        "Team.n_pes, Team.size",
        "Team.translate_pe, Team.translate",
        "Team.create_ctx, Team.newContext",
        "Team.sync, Team.sync",
        "Team.destroy, Team.close",
        "Lock.acquire, PgasLock.lock",
        "Lock.release, PgasLock.unlock",
        "Lock.destroy, PgasLock.close"
    })
    void methodsAreServedAsInPython(String method, String member) {
        isServed(method, member);
    }

    /** A context can do everything to other PEs that {@link OpenShmem} can. */
    @Test
    void contextsHaveAllOneSidedOperations() {
        TreeSet<String> oneSided = new TreeSet<>();
        for (Class<?> each : new Class<?>[] {OneSided.class, SignalOperations.class, Atomics.class}) {
            Arrays.stream(each.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .forEach(method -> oneSided.add(method.getName()));
        }
        assertThat(Arrays.stream(Context.class.getMethods()).map(Member::getName))
                .containsAll(oneSided);
    }
}
