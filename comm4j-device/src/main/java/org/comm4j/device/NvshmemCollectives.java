// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.Collection;

/**
 * NVSHMEM's collective functions under their own names, for PEs that all reach each other: each member writes to the
 * others' memory, or reads it, and tells them by a word. The headers' have an algorithm for each size and network,
 * which takes seconds to compile and link, and one word at a time for most of them.
 *
 * <p>Members count in pairs how often one has told the other: so a team needs no preparation, and words may be used
 * again by another team with its number.
 */
final class NvshmemCollectives {
    /** The variable that says where the pairs' words are; {@code Nvshmem.initModule} writes it. */
    static final String PEERS = "comm4j_peers";

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
                static __device__ __forceinline__ unsigned index() { return 0; }
                static __device__ __forceinline__ unsigned threads() { return 1; }
                static __device__ __forceinline__ void meet() {}
            };
            struct comm4j_warp {
                static __device__ __forceinline__ unsigned index() { return comm4j_thread() % 32; }
                static __device__ __forceinline__ unsigned threads() { return comm4j_threads() < 32 ? comm4j_threads() : 32; }
                static __device__ __forceinline__ void meet() { __syncwarp(); }
            };
            struct comm4j_block {
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
            };

            // Tells a member that this one has come so far: what it read it need not have any more, what it wrote they have.
            static __device__ __forceinline__ void comm4j_tell(const comm4j_members &team, int pe, bool reduced) {
                volatile comm4j_peer *peer = team.peers + pe;
                unsigned long long count = peer->sent + 1;
                peer->sent = count;
                size_t there = __cvta_generic_to_global(comm4j_there(&team.peers[nvshmemi_device_state_d.mype].told, pe));
                if (reduced) {
                    peer->reduced++;
                }
                asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(there), "l"(count) : "memory");
            }

            static __device__ __forceinline__ void comm4j_await_told(const comm4j_members &team, int pe) {
                comm4j_peer *peer = team.peers + pe;
                unsigned long long count = *(volatile unsigned long long *) &peer->awaited + 1;
                *(volatile unsigned long long *) &peer->awaited = count;
                comm4j_await(&peer->told, NVSHMEM_CMP_GE, count);
            }

            // Tells the other members, as they follow this one, and then waits until each has told it. One loop, since each would be a part of what there is to compile.
            template <typename GROUP>
            static __device__ __forceinline__ void comm4j_exchange(const comm4j_members &team, bool reduced = false) {
                #pragma unroll 1
                for (int waits = 0; waits < 2; waits++) {
                    #pragma unroll 1
                    for (int i = 1 + GROUP::index(); i < team.size; i += GROUP::threads()) {
                        int pe = team.pe(team.behind(i));
                        if (waits) {
                            comm4j_await_told(team, pe);
                        } else {
                            comm4j_tell(team, pe, reduced);
                        }
                    }
                }
            }

            template <typename GROUP>
            static __device__ __forceinline__ void comm4j_meet(const comm4j_members &team) {
                GROUP::meet();
                comm4j_exchange<GROUP>(team);
                GROUP::meet();
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
                    GROUP::meet();
                    #pragma unroll 1
                    for (int i = 1 + GROUP::index(); i < team.size; i += GROUP::threads()) {
                        comm4j_tell(team, team.pe(team.behind(i)), false);
                    }
                } else {
                    if (GROUP::index() == 0) {
                        comm4j_await_told(team, team.pe(root));
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

    /**
     * C++ behind that of moves: all functions but reductions, and of these those that are called: they are many, and
     * each is compiled when it is called first.
     */
    static String source(Collection<String> called) {
        boolean maxloc = called.stream().anyMatch(function -> function.contains(MAXLOC));
        return CODE + (maxloc ? MAXLOC_CODE : "") + NvshmemReductions.source(called);
    }
}
