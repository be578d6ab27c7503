// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVSHMEM's collective functions under their own names, for PEs that all reach each other: each member writes to the others' memory, or reads it, and tells them by a word. The headers' have
 * an algorithm for each size and network, which takes seconds to compile and link, and one word at a time for most of them.
 *
 * <p>Members count in pairs how often one has told the other: so a team needs no preparation, and words may be used again by another team with its number.
 */
final class NvshmemCollectives {
    /** The variable that says where the pairs' words are; {@code Nvshmem.initModule} writes it. */
    static final String PEERS = "comm4j_peers";

    private static final Pattern REDUCTION =
            Pattern.compile("nvshmemx?_([a-z0-9]+)_([a-z]+)_(reduce|reducescatter)(_warp|_block)?");

    /** In C++, by the names of types in names of functions. */
    private static final Map<String, String> TYPES = Map.of(
            "int8", "int8_t",
            "int16", "int16_t",
            "int32", "int32_t",
            "int64", "int64_t",
            "half", "half",
            "bfloat16", "__nv_bfloat16",
            "float", "float",
            "double", "double");

    private static final String MAXLOC = "double2_maxloc";

    /** The variable itself, which a kernel has once. */
    static final String VARIABLE = """
            __constant__ struct comm4j_peer *comm4j_peers;
            """;

    private static final String CODE = """
            // What a PE keeps of another one for a team: how often that one has told it to go on, how often it has waited for that, and how often it has told that one; how many small reductions they
            // have made together, and in turns that one's source of the last two.
            #define COMM4J_SMALL 512
            struct comm4j_peer {
                unsigned long long told, awaited, sent, reduced;
                uint4 sources[2][COMM4J_SMALL / 16];
            };
            static_assert(sizeof(comm4j_peer) == 1056, "Nvshmem has allocated as much");
            // By team and PE, at the same place of each heap.
            extern __constant__ comm4j_peer *comm4j_peers;

            struct comm4j_one {
                static constexpr bool ALONE = true;
                static __device__ __forceinline__ unsigned index() { return 0; }
                static __device__ __forceinline__ unsigned threads() { return 1; }
                static __device__ __forceinline__ void meet() {}
            };
            struct comm4j_warp {
                static constexpr bool ALONE = false;
                static __device__ __forceinline__ unsigned index() { return comm4j_thread() % 32; }
                static __device__ __forceinline__ unsigned threads() { return comm4j_threads() < 32 ? comm4j_threads() : 32; }
                static __device__ __forceinline__ void meet() { __syncwarp(); }
            };
            struct comm4j_block {
                static constexpr bool ALONE = false;
                static __device__ __forceinline__ unsigned index() { return comm4j_thread(); }
                static __device__ __forceinline__ unsigned threads() { return comm4j_threads(); }
                static __device__ __forceinline__ void meet() { __syncthreads(); }
            };

            // Which members a team has, by their numbers in it.
            struct comm4j_members {
                int me, size;
                const int *pes;
                comm4j_peer *peers;

                __device__ __forceinline__ comm4j_members(nvshmem_team_t team) {
                    peers = comm4j_peers + (size_t) team * nvshmemi_device_state_d.npes;
                    if (team == NVSHMEM_TEAM_WORLD) {
                        me = nvshmemi_device_state_d.mype;
                        size = nvshmemi_device_state_d.npes;
                        pes = nullptr;
                    } else {
                        const nvshmemi_team_t *known = nvshmemi_device_state_d.team_pool[team];
                        me = known->my_pe;
                        size = known->size;
                        pes = known->pe_mapping;
                    }
                }

                __device__ __forceinline__ int pe(int member) const { return pes == nullptr ? member : pes[member]; }

                // The member behind this one by so many: so they do not all write to the same one at a time.
                __device__ __forceinline__ int behind(int steps) const { return me + steps < size ? me + steps : me + steps - size; }

                __device__ __forceinline__ char *there(const void *named, int member) const { return comm4j_there(named, pe(member)); }

                __device__ __forceinline__ unsigned long long reduced(int member) const { return *(volatile unsigned long long *) &peers[pe(member)].reduced; }
            };

            // Tells the members from the first on, as they follow this one, that this one has come so far: what it read it need not have any more, what it wrote they have.
            template <typename GROUP>
            static __device__ __forceinline__ void comm4j_tell(const comm4j_members &team, bool reduced = false) {
                GROUP::meet();
                #pragma unroll 1
                for (int i = 1 + GROUP::index(); i < team.size; i += GROUP::threads()) {
                    int pe = team.pe(team.behind(i));
                    volatile unsigned long long *sent = &team.peers[pe].sent;
                    unsigned long long count = *sent + 1;
                    *sent = count;
                    size_t there = __cvta_generic_to_global(comm4j_there(&team.peers[nvshmemi_device_state_d.mype].told, pe));
                    if (reduced) {
                        (*(volatile unsigned long long *) &team.peers[pe].reduced)++;
                    }
                    asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(there), "l"(count) : "memory");
                }
            }

            static __device__ __forceinline__ void comm4j_await_member(const comm4j_members &team, int member) {
                comm4j_peer *peer = team.peers + team.pe(member);
                unsigned long long count = *(volatile unsigned long long *) &peer->awaited + 1;
                *(volatile unsigned long long *) &peer->awaited = count;
                comm4j_await(&peer->told, NVSHMEM_CMP_GE, count);
            }

            template <typename GROUP>
            static __device__ __forceinline__ void comm4j_await_all(const comm4j_members &team) {
                #pragma unroll 1
                for (int i = 1 + GROUP::index(); i < team.size; i += GROUP::threads()) {
                    comm4j_await_member(team, team.behind(i));
                }
                GROUP::meet();
            }

            template <typename GROUP>
            static __device__ __forceinline__ void comm4j_meet(const comm4j_members &team) {
                comm4j_tell<GROUP>(team);
                comm4j_await_all<GROUP>(team);
            }

            template <typename GROUP>
            static __device__ __forceinline__ int comm4j_meet_all(nvshmem_team_t team) {
                comm4j_meet<GROUP>(comm4j_members(team));
                return 0;
            }

            template <typename GROUP>
            static __device__ int comm4j_broadcast(nvshmem_team_t named, char *to, const char *from, size_t bytes, int root) {
                comm4j_members team(named);
                GROUP::meet();
                if (team.me == root) {
                    #pragma unroll 1
                    for (int i = 1; i <= team.size; i++) {
                        char *there = team.there(to, team.behind(i == team.size ? 0 : i));
                        if (there != from) {
                            comm4j_copy(there, from, bytes, GROUP::index(), GROUP::threads());
                        }
                    }
                    comm4j_tell<GROUP>(team);
                } else {
                    if (GROUP::index() == 0) {
                        comm4j_await_member(team, root);
                    }
                    GROUP::meet();
                }
                return 0;
            }

            // Of each member's source the part from its number times `apart` on goes to the others.
            template <typename GROUP>
            static __device__ int comm4j_all_to_all(nvshmem_team_t named, char *to, const char *from, size_t bytes, size_t apart) {
                comm4j_members team(named);
                GROUP::meet();
                #pragma unroll 1
                for (int i = 1; i <= team.size; i++) {
                    int member = team.behind(i == team.size ? 0 : i);
                    comm4j_copy(team.there(to, member) + team.me * bytes, from + member * apart, bytes, GROUP::index(), GROUP::threads());
                }
                comm4j_meet<GROUP>(team);
                return 0;
            }

            #define COMM4J_BITS(X, SUFFIX, GROUP, BITS) \\
                extern "C" inline __device__ int nvshmem##X##_int##BITS##_broadcast##SUFFIX( \\
                    nvshmem_team_t team, void *to, const void *from, size_t count, int root) { \\
                    return comm4j_broadcast<GROUP>(team, (char *) to, (const char *) from, count * (BITS / 8), root); \\
                } \\
                extern "C" inline __device__ int nvshmem##X##_int##BITS##_fcollect##SUFFIX( \\
                    nvshmem_team_t team, void *to, const void *from, size_t count) { \\
                    return comm4j_all_to_all<GROUP>(team, (char *) to, (const char *) from, count * (BITS / 8), 0); \\
                } \\
                extern "C" inline __device__ int nvshmem##X##_int##BITS##_alltoall##SUFFIX( \\
                    nvshmem_team_t team, void *to, const void *from, size_t count) { \\
                    return comm4j_all_to_all<GROUP>(team, (char *) to, (const char *) from, count * (BITS / 8), count * (BITS / 8)); \\
                }
            #define COMM4J_COLLECTIVES(X, SUFFIX, GROUP) \\
                extern "C" inline __device__ void nvshmem##X##_barrier_all##SUFFIX() { comm4j_meet_all<GROUP>(NVSHMEM_TEAM_WORLD); } \\
                extern "C" inline __device__ void nvshmem##X##_sync_all##SUFFIX() { comm4j_meet_all<GROUP>(NVSHMEM_TEAM_WORLD); } \\
                extern "C" inline __device__ int nvshmem##X##_barrier##SUFFIX(nvshmem_team_t team) { return comm4j_meet_all<GROUP>(team); } \\
                extern "C" inline __device__ int nvshmem##X##_team_sync##SUFFIX(nvshmem_team_t team) { return comm4j_meet_all<GROUP>(team); } \\
                COMM4J_BITS(X, SUFFIX, GROUP, 8) \\
                COMM4J_BITS(X, SUFFIX, GROUP, 16) \\
                COMM4J_BITS(X, SUFFIX, GROUP, 32) \\
                COMM4J_BITS(X, SUFFIX, GROUP, 64)
            COMM4J_COLLECTIVES(, , comm4j_one)
            COMM4J_COLLECTIVES(x, _warp, comm4j_warp)
            COMM4J_COLLECTIVES(x, _block, comm4j_block)
            """;

    private static final String REDUCTIONS = """
            template <typename T>
            struct comm4j_exact {
                typedef T type;
            };
            template <>
            struct comm4j_exact<half> {
                typedef float type;
            };
            template <>
            struct comm4j_exact<__nv_bfloat16> {
                typedef float type;
            };
            #define COMM4J_OPERATION(NAME, RESULT) \\
                struct comm4j_##NAME { \\
                    template <typename T> \\
                    static __device__ __forceinline__ T of(T x, T y) { \\
                        typename comm4j_exact<T>::type a = x, b = y; \\
                        return (T) (RESULT); \\
                    } \\
                };
            COMM4J_OPERATION(sum, a + b)
            COMM4J_OPERATION(prod, a * b)
            COMM4J_OPERATION(min, b < a ? b : a)
            COMM4J_OPERATION(max, b > a ? b : a)
            #define COMM4J_BITWISE(NAME, OPERATOR) \\
                struct comm4j_##NAME { \\
                    template <typename T> \\
                    static __device__ __forceinline__ T of(T a, T b) { \\
                        return (T) (a OPERATOR b); \\
                    } \\
                };
            COMM4J_BITWISE(and, &)
            COMM4J_BITWISE(or, |)
            COMM4J_BITWISE(xor, ^)

            // Four times 16 bytes, or one element in the first of them, each if its number is below one of the ends. As one instruction, as where words are copied.
            #define COMM4J_FOUR(X) X("%0", "%1", "%2", "%3") X("%4", "%5", "%6", "%7") X("%8", "%9", "%10", "%11") X("%12", "%13", "%14", "%15")
            #define COMM4J_BEGIN "{ .reg .pred one, all; .reg .b32 n; .reg .b64 at; mov.u64 at, %16; mov.u32 n, %18; "
            #define COMM4J_BELOW "setp.lt.u32 all, n, %20; setp.lt.u32 one, n, %21; "
            #define COMM4J_NEXT "add.u64 at, at, %17; add.u32 n, n, %19; "
            #define COMM4J_WORDS(HOW) \\
                HOW(words[0].x), HOW(words[0].y), HOW(words[0].z), HOW(words[0].w), HOW(words[1].x), HOW(words[1].y), HOW(words[1].z), HOW(words[1].w), \\
                HOW(words[2].x), HOW(words[2].y), HOW(words[2].z), HOW(words[2].w), HOW(words[3].x), HOW(words[3].y), HOW(words[3].z), HOW(words[3].w)
            #define COMM4J_OUT(WORD) "=r"(WORD)
            #define COMM4J_IN(WORD) "r"(WORD)
            template <int BYTES>
            struct comm4j_elements;
            #define COMM4J_ELEMENTS(BYTES, LOAD_ONE, STORE_ONE) \\
                template <> \\
                struct comm4j_elements<BYTES> { \\
                    static __device__ __forceinline__ void load_below( \\
                            uint4 *words, const char *from, size_t step, unsigned number, unsigned threads, unsigned wide, unsigned narrow) { \\
                        asm volatile(COMM4J_BEGIN COMM4J_FOUR(LOAD_ONE) "}" \\
                                : COMM4J_WORDS(COMM4J_OUT) \\
                                : "l"(from), "l"(step), "r"(number), "r"(threads), "r"(wide), "r"(narrow) \\
                                : "memory"); \\
                    } \\
                    static __device__ __forceinline__ void store_below( \\
                            const uint4 *words, char *to, size_t step, unsigned number, unsigned threads, unsigned wide, unsigned narrow) { \\
                        asm volatile(COMM4J_BEGIN COMM4J_FOUR(STORE_ONE) "}" \\
                                : \\
                                : COMM4J_WORDS(COMM4J_IN), "l"(to), "l"(step), "r"(number), "r"(threads), "r"(wide), "r"(narrow) \\
                                : "memory"); \\
                    } \\
                };
            #define COMM4J_LOAD(ONE, X, Y, Z, W) COMM4J_BELOW "@all ld.v4.u32 {" X ", " Y ", " Z ", " W "}, [at]; @one ld." ONE ", [at]; " COMM4J_NEXT
            #define COMM4J_STORE(ONE, X, Y, Z, W) COMM4J_BELOW "@all st.v4.u32 [at], {" X ", " Y ", " Z ", " W "}; @one st." ONE "; " COMM4J_NEXT
            #define COMM4J_LOAD_1(X, Y, Z, W) COMM4J_LOAD("u8 " X, X, Y, Z, W)
            #define COMM4J_LOAD_2(X, Y, Z, W) COMM4J_LOAD("u16 " X, X, Y, Z, W)
            #define COMM4J_LOAD_4(X, Y, Z, W) COMM4J_LOAD("u32 " X, X, Y, Z, W)
            #define COMM4J_LOAD_8(X, Y, Z, W) COMM4J_LOAD("v2.u32 {" X ", " Y "}", X, Y, Z, W)
            #define COMM4J_STORE_1(X, Y, Z, W) COMM4J_STORE("u8 [at], " X, X, Y, Z, W)
            #define COMM4J_STORE_2(X, Y, Z, W) COMM4J_STORE("u16 [at], " X, X, Y, Z, W)
            #define COMM4J_STORE_4(X, Y, Z, W) COMM4J_STORE("u32 [at], " X, X, Y, Z, W)
            #define COMM4J_STORE_8(X, Y, Z, W) COMM4J_STORE("v2.u32 [at], {" X ", " Y "}", X, Y, Z, W)
            COMM4J_ELEMENTS(1, COMM4J_LOAD_1, COMM4J_STORE_1)
            COMM4J_ELEMENTS(2, COMM4J_LOAD_2, COMM4J_STORE_2)
            COMM4J_ELEMENTS(4, COMM4J_LOAD_4, COMM4J_STORE_4)
            COMM4J_ELEMENTS(8, COMM4J_LOAD_8, COMM4J_STORE_8)

            // Where the members' sources are, and what becomes of them: the others have sent theirs to this one, which makes the result for itself; or they are in the members' memory, and this one makes what is its own,
            // or a part for all.
            enum { COMM4J_SENT, COMM4J_OWN, COMM4J_ALL };

            // Of one member's source.
            template <typename T>
            static __device__ __forceinline__ void comm4j_load_elements(
                    const comm4j_members &team, uint4 *words, int member, const char *from, size_t first, size_t at, size_t step, int wide, int how,
                    unsigned index, unsigned threads, unsigned count) {
                const char *place = how != COMM4J_SENT ? team.there(from, member)
                        : member == team.me ? from
                        : (const char *) team.peers[team.pe(member)].sources[team.reduced(member) % 2] + first * sizeof(T);
                #pragma unroll
                for (unsigned k = 0; k < 8; k += 4) {
                    comm4j_elements<sizeof(T)>::load_below(
                            words + k, place + at + k * step, step, index + k * threads, threads, wide ? count : 0, wide ? 0 : count);
                }
            }

            // Elements [first, end) of all members' sources, in the order of the members: 16 bytes at a time, or one element. A function, since a kernel needs it more than once.
            template <typename T, typename OPERATION, typename GROUP>
            static __device__ __noinline__ void comm4j_reduce_elements(
                    nvshmem_team_t named, char *to, const char *from, size_t first, size_t end, int wide, int how) {
                comm4j_members team(named);
                typedef comm4j_elements<sizeof(T)> elements;
                const unsigned batch = 8, most = 16 / sizeof(T);
                const unsigned index = GROUP::index(), threads = GROUP::threads();
                const unsigned bytes = wide ? 16 : sizeof(T);
                from += first * sizeof(T);
                to += how == COMM4J_OWN ? 0 : first * sizeof(T);
                size_t words = (end - first) / (wide ? most : 1), base = 0;
                if (how == COMM4J_ALL) {
                    // A division of 64 bits would be a tenth of what there is to compile; so parts of very many words are multiples of 65536.
                    unsigned coarse = words >> 31 == 0 ? 0 : 16;
                    unsigned units = (unsigned) ((words + (1u << coarse) - 1) >> coarse);
                    size_t part = (size_t) ((units + team.size - 1) / team.size) << coarse;
                    base = part * team.me;
                    words = base + part < words ? base + part : words;
                }
                #pragma unroll 1
                for (; base < words; base += batch * threads) {
                    unsigned count = (unsigned) (words - base < batch * threads ? words - base : batch * threads);
                    size_t at = (base + index) * bytes;
                    size_t step = (size_t) threads * bytes;
                    uint4 result[batch];
                    comm4j_load_elements<T>(team, result, 0, from, first, at, step, wide, how, index, threads, count);
                    #pragma unroll 1
                    for (int member = 1; member < team.size; member++) {
                        uint4 next[batch];
                        comm4j_load_elements<T>(team, next, member, from, first, at, step, wide, how, index, threads, count);
                        #pragma unroll
                        for (unsigned k = 0; k < batch; k++) {
                            #pragma unroll
                            for (unsigned i = 0; i < most; i++) {
                                T *sum = (T *) &result[k] + i;
                                *sum = OPERATION::of(*sum, ((const T *) &next[k])[i]);
                            }
                        }
                    }
                    #pragma unroll 1
                    for (int i = 0; i < (how == COMM4J_ALL ? team.size : 1); i++) {
                        char *place = (how == COMM4J_ALL ? team.there(to, team.behind(i)) : to) + at;
                        #pragma unroll
                        for (unsigned k = 0; k < batch; k += 4) {
                            elements::store_below(result + k, place + k * step, step, index + k * threads, threads, wide ? count : 0, wide ? 0 : count);
                        }
                    }
                }
            }

            // As many as possible in words of 16 bytes.
            template <typename T, typename OPERATION, typename GROUP>
            static __device__ __forceinline__ void comm4j_reduce_range(
                    nvshmem_team_t named, T *to, const T *from, size_t first, size_t end, int how) {
                const size_t most = 16 / sizeof(T);
                bool aligned = (((size_t) to | (size_t) from) & 15) == 0 && first % most == 0;
                size_t middle = aligned ? end - (end - first) % most : first;
                #pragma unroll 1
                for (int wide = 1; wide >= 0; wide--) {
                    size_t begin = wide ? first : middle, behind = wide ? middle : end;
                    if (begin != behind) {
                        comm4j_reduce_elements<T, OPERATION, GROUP>(
                                named, (char *) to + (how == COMM4J_OWN ? (begin - first) * sizeof(T) : 0), (const char *) from, begin, behind, wide, how);
                    }
                }
            }

            // A small source everybody sends to all, and makes the whole result. Of others each member makes one part and writes it to all: nobody else reads that part of a source, so it may be the destination, too.
            template <typename T, typename OPERATION, typename GROUP>
            static __device__ __forceinline__ int comm4j_reduce(nvshmem_team_t named, T *to, const T *from, size_t count) {
                comm4j_members team(named);
                const bool small = count * sizeof(T) <= COMM4J_SMALL;
                if (small) {
                    GROUP::meet();
                    #pragma unroll 1
                    for (int i = 1; i < team.size; i++) {
                        int member = team.behind(i);
                        // Who begins the second next one knows that the other one has ended this: it has been told so in the next one.
                        comm4j_peer *slot = team.peers + nvshmemi_device_state_d.mype;
                        char *there = team.there(slot->sources[(team.reduced(member) + 1) % 2], member);
                        size_t words = ((size_t) from & 15) == 0 ? count * sizeof(T) / 16 : 0;
                        // Of a warp or block a thread has one word, as a rule.
                        if (GROUP::ALONE) {
                            comm4j_copy_wide(there, (const char *) from, words, 0, 1);
                        } else {
                            #pragma unroll 1
                            for (size_t k = GROUP::index(); k < words; k += GROUP::threads()) {
                                ((uint4 *) there)[k] = ((const uint4 *) from)[k];
                            }
                        }
                        #pragma unroll 1
                        for (size_t k = words * (16 / sizeof(T)) + GROUP::index(); k < count; k += GROUP::threads()) {
                            ((T *) there)[k] = from[k];
                        }
                    }
                }
                // Before and, if others have read the sources or written the result, after it.
                #pragma unroll 1
                for (int meeting = small ? 1 : 0; meeting < 2; meeting++) {
                    comm4j_tell<GROUP>(team, small);
                    comm4j_await_all<GROUP>(team);
                    if (meeting == (small ? 1 : 0)) {
                        comm4j_reduce_range<T, OPERATION, GROUP>(named, to, from, 0, count, small ? COMM4J_SENT : COMM4J_ALL);
                    }
                }
                if (small) {
                    GROUP::meet();
                }
                return 0;
            }

            template <typename T, typename OPERATION, typename GROUP>
            static __device__ __forceinline__ int comm4j_reducescatter(nvshmem_team_t named, T *to, const T *from, size_t count) {
                comm4j_members team(named);
                assert((to + count <= from || from + count * team.size <= to) && "the destination of a reduce-scatter is not part of its source");
                comm4j_meet<GROUP>(team);
                comm4j_reduce_range<T, OPERATION, GROUP>(named, to, from, count * team.me, count * (team.me + 1), COMM4J_OWN);
                comm4j_meet<GROUP>(team);
                return 0;
            }
            """;

    /** The pair with the greatest first value; of equal ones that of the first member. */
    private static final String MAXLOC_CODE = """
            extern "C" inline __device__ int nvshmemx_double2_maxloc_reduce_block(nvshmem_team_t named, double2 *to, const double2 *from, size_t count) {
                comm4j_members team(named);
                assert(count == 1 && "NVSHMEM takes one pair");
                comm4j_meet<comm4j_block>(team);
                double2 greatest = *(const double2 *) team.there(from, 0);
                #pragma unroll 1
                for (int member = 1; member < team.size; member++) {
                    double2 next = *(const double2 *) team.there(from, member);
                    if (next.x > greatest.x) {
                        greatest = next;
                    }
                }
                comm4j_meet<comm4j_block>(team);
                if (comm4j_thread() == 0) {
                    *to = greatest;
                }
                __syncthreads();
                return 0;
            }
            """;

    private NvshmemCollectives() {}

    /** C++ behind that of moves: all functions but reductions, and of these those that are called: they are many, and each is compiled when it is called first. */
    static String source(Collection<String> called) {
        StringBuilder text = new StringBuilder(CODE);
        boolean first = true;
        for (String function : called) {
            Matcher reduction = REDUCTION.matcher(function);
            if (!reduction.matches()) {
                continue;
            }
            if (function.contains(MAXLOC)) {
                text.append(MAXLOC_CODE);
                continue;
            }
            if (first) {
                text.append(REDUCTIONS);
                first = false;
            }
            String type = TYPES.get(reduction.group(1));
            String group =
                    reduction.group(4) == null ? "one" : reduction.group(4).substring(1);
            text.append("extern \"C\" __device__ int ")
                    .append(function)
                    .append("(nvshmem_team_t team, ")
                    .append(type)
                    .append(" *to, const ")
                    .append(type)
                    .append(" *from, size_t count) {\n    return comm4j_")
                    .append(reduction.group(3))
                    .append('<')
                    .append(type)
                    .append(", comm4j_")
                    .append(reduction.group(2))
                    .append(", comm4j_")
                    .append(group)
                    .append(">(team, to, from, count);\n}\n");
        }
        return text.toString();
    }
}
