// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reductions of {@link NvshmemCollectives}. Who waits for whom is C++; the loop over elements is one instruction of
 * inline assembly, because everything that the linker's optimiser sees of it costs time in each kernel: loads of eight
 * words with 32 results, and what becomes of them, take it twice as long as the rest.
 */
final class NvshmemReductions {
    private static final Pattern FUNCTION = Pattern.compile(
            "nvshmemx?_([a-z0-9]+)_(sum|prod|min|max|and|or|xor)_(reduce|reducescatter)(_warp|_block)?");

    /** How many words of 16 bytes a thread has under way, of each of two members. */
    private static final int WORDS = 8;

    /** How many elements, where it is not words: behind the last word, or where there is no alignment. */
    private static final int ELEMENTS = 4;

    private static final String WORD = "v4.u32";

    /** In registers, each of which has four bytes or eight. */
    private enum Element {
        INT8("int8_t", 1, "s32"),
        INT16("int16_t", 2, "s16"),
        INT32("int32_t", 4, "s32"),
        INT64("int64_t", 8, "s64"),
        HALF("half", 2, "f32"),
        BFLOAT16("__nv_bfloat16", 2, "f32"),
        FLOAT("float", 4, "f32"),
        DOUBLE("double", 8, "f64");

        private static final String HALF_TO = "cvt.f32.f16 %s, %s;";
        private static final String OF_HALF = "cvt.rn.f16.f32 %s, a;";
        private static final String BFLOAT16_TO = "mov.b32 %s, {zero, %s};";
        /** A macro: not every GPU has an instruction for it. */
        private static final String OF_BFLOAT16 = "\" COMM4J_BFLOAT16_OF_A(\"%s\") \"";

        /** In C++. */
        private final String name;

        private final int bytes;
        /** In which two are combined, in PTX. */
        private final String type;

        Element(String name, int bytes, String type) {
            this.name = name;
            this.bytes = bytes;
            this.type = type;
        }

        int registerBytes() {
            return Math.max(bytes, Integer.BYTES);
        }

        /** Of bytes from elements, by shifting. */
        int bits() {
            return Integer.numberOfTrailingZeros(bytes);
        }

        /** Combines what two registers have into the first one. */
        String combine(String operation, String to, String from) {
            if (operation.equals("and") || operation.equals("or") || operation.equals("xor")) {
                return operation + ".b" + registerBytes() * Byte.SIZE + " " + to + ", " + to + ", " + from + ";";
            }
            return switch (this) {
                case INT8 ->
                    IntStream.range(0, Integer.BYTES)
                            .mapToObj(at -> String.format(
                                    Locale.ROOT,
                                    "bfe.s32 a, %1$s, %3$d, 8; bfe.s32 b, %2$s, %3$d, 8; %4$s bfi.b32 %1$s, a, %1$s, %3$d, 8;",
                                    to,
                                    from,
                                    at * Byte.SIZE,
                                    apply(operation, type, "a", "b")))
                            .collect(Collectors.joining(" "));
                case INT16 ->
                    halves(
                            to,
                            from,
                            apply(operation, type, "low", "low2") + " " + apply(operation, type, "high", "high2"));
                case HALF ->
                    halves(
                            to,
                            from,
                            rounded(operation, "low", HALF_TO, OF_HALF) + " "
                                    + rounded(operation, "high", HALF_TO, OF_HALF));
                case BFLOAT16 ->
                    halves(
                            to,
                            from,
                            rounded(operation, "low", BFLOAT16_TO, OF_BFLOAT16) + " "
                                    + rounded(operation, "high", BFLOAT16_TO, OF_BFLOAT16));
                default -> apply(operation, type, to, from);
            };
        }

        private static String halves(String to, String from, String how) {
            return "mov.b32 {low, high}, " + to + "; mov.b32 {low2, high2}, " + from + "; " + how + " mov.b32 " + to
                    + ", {low, high};";
        }

        private String rounded(String operation, String half, String exact, String back) {
            return String.format(exact, "a", half) + " " + String.format(exact, "b", half + "2") + " "
                    + apply(operation, type, "a", "b") + " " + String.format(back, half);
        }

        /** The least of numbers that are not comparable is the first one's. */
        private static String apply(String operation, String type, String to, String from) {
            boolean floating = type.startsWith("f");
            String operands = "." + type + " " + to + ", " + to + ", " + from + ";";
            return switch (operation) {
                case "sum" -> (floating ? "add.rn" : "add") + operands;
                case "prod" -> (floating ? "mul.rn" : "mul.lo") + operands;
                default ->
                    floating
                            ? "setp." + (operation.equals("min") ? "lt." : "gt.") + type + " p, " + from + ", " + to
                                    + "; selp." + type + " " + to + ", " + from + ", " + to + ", p;"
                            : operation + operands;
            };
        }
    }

    /** Of the loop, in the order in which C++ passes them. */
    private static final List<String> OPERANDS = List.of(
            "to", "from", "begin", "end", "pes", "heaps", "heap", "peers", "me", "size", "sources", "how", "index",
            "threads", "wide");

    /**
     * From one byte of all members' sources to another one, in the order of the members. {@code pe}, {@code place} and
     * {@code at} are those of the member whose turn it is; {@code n} are the numbers of the thread's words in a round.
     */
    private static final String LOOP = """
            .reg .pred p, wide, slots, all;
            .reg .b16 low, high, low2, high2, zero;
            .reg .b32 n<8>, a, b, member, pe, count;
            .reg .b64 offset, round, at, place;
            .reg .REGISTER r<32>, x<32>;
            mov.b16 zero, 0;
            setp.ne.u32 wide, %wide, 0;
            setp.eq.s32 slots, %how, SEND;
            setp.eq.or.s32 all, %how, ALL, slots;
            mov.u32 n0, %index;
            NUMBERS
            selp.u32 a, WIDE_BYTES, NARROW_BYTES, wide;
            mul.wide.u32 round, %threads, a;
            mov.u64 offset, %begin;

            ROUND:
            setp.ge.u64 p, offset, %end;
            @p bra DONE;
            // The end of this round, whose words are numbered from 0 on.
            sub.u64 place, %end, offset;
            min.u64 place, place, round;
            selp.u32 a, 4, SHIFT, wide;
            shr.u64 place, place, a;
            cvt.u32.u64 count, place;
            mov.u32 member, 0;

            SOURCE:
            mov.u32 pe, member;
            PE_OF_MEMBER
            setp.lt.s32 p, %how, OWN;
            @p bra NEAR;
            // In its own memory.
            mad.wide.u32 place, pe, 8, %heaps;
            ld.global.nc.u64 at, [place];
            sub.u64 at, at, %heap;
            add.u64 at, at, %from;
            bra PLACED;
            NEAR:
            mov.u64 at, %from;
            setp.eq.or.u32 p, member, %me, slots;
            @p bra PLACED;
            // Where it has sent it to.
            mad.wide.u32 place, pe, 1056, %peers;
            ld.volatile.global.u32 a, [place+24];
            and.b32 a, a, 1;
            mad.wide.u32 at, a, 512, place;
            add.u64 at, at, 32;
            PLACED:
            add.u64 at, at, offset;
            setp.ne.u32 p, member, 0;
            @p bra OTHERS;
            @!wide bra FIRST_NARROW;
            LOAD_WIDE_R
            bra LOADED;
            FIRST_NARROW:
            LOAD_NARROW_R
            bra LOADED;
            OTHERS:
            @!wide bra OTHERS_NARROW;
            LOAD_WIDE_X
            COMBINE_WIDE
            bra LOADED;
            OTHERS_NARROW:
            LOAD_NARROW_X
            COMBINE_NARROW
            LOADED:
            add.u32 member, member, 1;
            setp.lt.u32 p, member, %sources;
            @p bra SOURCE;

            // As they follow this one, so they do not all write to the same one at a time; nobody sends his source to himself.
            selp.u32 member, 1, 0, slots;
            DESTINATION:
            mov.u64 at, %to;
            @!all bra FOUND;
            add.u32 pe, member, %me;
            setp.ge.u32 p, pe, %size;
            @p sub.u32 pe, pe, %size;
            PE_OF_BEHIND
            @!slots bra THERE;
            mad.wide.u32 place, pe, 1056, %peers;
            ld.volatile.global.u32 a, [place+24];
            not.b32 a, a;
            and.b32 a, a, 1;
            mad.wide.u32 at, a, 512, at;
            THERE:
            mad.wide.u32 place, pe, 8, %heaps;
            ld.global.nc.u64 place, [place];
            sub.u64 at, at, %heap;
            add.u64 at, at, place;
            FOUND:
            add.u64 at, at, offset;
            @!wide bra STORE_NARROW;
            STORE_WIDE_R
            bra STORED;
            STORE_NARROW:
            STORE_NARROW_R
            STORED:
            add.u32 member, member, 1;
            setp.lt.and.u32 p, member, %size, all;
            @p bra DESTINATION;
            add.u64 offset, offset, round;
            bra ROUND;
            DONE:
            """;

    private static final String CODE = """
            // Rounds a float of the loop.
            #if __CUDA_ARCH__ >= 800
            #define COMM4J_BFLOAT16_OF_A(TO) "cvt.rn.bf16.f32 " TO ", a; "
            #else
            #define COMM4J_BFLOAT16_OF_A(TO) "setp.nan.f32 p, a, a; bfe.u32 b, a, 16, 1; add.u32 b, b, 0x7fff; add.u32 a, a, b; selp.b32 a, 0x7fff0000, a, p; " \\
                    "mov.b32 {zero, " TO "}, a; mov.b16 zero, 0; "
            #endif

            // The loop has these numbers, and 24 and 32, where "reduced" and "sources" are.
            static_assert(sizeof(comm4j_peer) == 1056 && COMM4J_SMALL == 512, "as in the loop");

            // What becomes of sources: this member sends its own one to the others; makes the result for itself of those that the others have sent, or of those in their memory; or makes a part of it for all.
            enum { COMM4J_SEND, COMM4J_SENT, COMM4J_OWN, COMM4J_ALL };

            // Of so many bytes, to all members, or of each source what is this member's. A small source everybody sends to all, and makes the whole result. Of others each member makes one part and writes it to all: nobody
            // else reads that part of a source, so it may be the destination, too. A function, because a kernel may need it more than once.
            template <typename ELEMENTS, typename GROUP>
            static __device__ __noinline__ int comm4j_reduce(nvshmem_team_t named, char *to, const char *from, size_t bytes, int result) {
                comm4j_members team(named);
                const bool small = result == COMM4J_ALL && bytes <= COMM4J_SMALL;
                from += result == COMM4J_OWN ? bytes * team.me : 0;
                // As many as possible in words of 16 bytes.
                const size_t middle = (((size_t) to | (size_t) from) & 15) == 0 ? bytes & -(size_t) 16 : 0;
                // Members meet between two turns if the source is small: who begins to send the second next one knows that the others have ended this one, since they have told so in the next one. They meet before and after
                // the only turn if it is not: then the others read the source and write the result.
                #pragma unroll 1
                for (int turn = 0; turn < 3; turn++) {
                    GROUP::meet();
                    if ((turn == 1) == small) {
                        comm4j_exchange<GROUP>(team, small);
                        continue;
                    }
                    const int how = !small ? result : turn == 0 ? COMM4J_SEND : COMM4J_SENT;
                    #pragma unroll 1
                    for (int wide = 1; wide >= 0; wide--) {
                        const unsigned shift = wide ? 4 : ELEMENTS::SHIFT;
                        const size_t first = wide ? 0 : middle;
                        size_t begin = 0, end = ((wide ? middle : bytes) - first) >> shift;
                        if (how == COMM4J_ALL) {
                            // A division of 64 bits would be a tenth of what there is to compile; so parts of very many words are multiples of 65536.
                            unsigned coarse = end >> 31 == 0 ? 0 : 16;
                            unsigned units = (unsigned) ((end + (1u << coarse) - 1) >> coarse);
                            size_t part = (size_t) ((units + team.size - 1) / team.size) << coarse;
                            begin = part * team.me;
                            end = begin + part < end ? begin + part : end;
                        }
                        ELEMENTS::reduce(
                                how == COMM4J_SEND ? (char *) team.peers[nvshmemi_device_state_d.mype].sources : to,
                                from, first + (begin << shift), first + (end << shift), team, how, GROUP::index(), GROUP::threads(), wide);
                    }
                }
                GROUP::meet();
                return 0;
            }

            template <typename ELEMENTS, typename GROUP, typename T>
            static __device__ __forceinline__ int comm4j_all_reduce(nvshmem_team_t named, T *to, const T *from, size_t count) {
                return comm4j_reduce<ELEMENTS, GROUP>(named, (char *) to, (const char *) from, count * sizeof(T), COMM4J_ALL);
            }

            template <typename ELEMENTS, typename GROUP, typename T>
            static __device__ __forceinline__ int comm4j_reducescatter(nvshmem_team_t named, T *to, const T *from, size_t count) {
                assert((to + count <= from || from + count * comm4j_members(named).size <= to) && "the destination of a reduce-scatter is not part of its source");
                return comm4j_reduce<ELEMENTS, GROUP>(named, (char *) to, (const char *) from, count * sizeof(T), COMM4J_OWN);
            }
            """;

    private static final String ELEMENTS_CODE = """
            struct NAME {
                static constexpr unsigned SHIFT = BITS;
                static __device__ __forceinline__ void reduce(
                        char *to, const char *from, size_t begin, size_t end, const comm4j_members &team, int how, unsigned index, unsigned threads, int wide) {
                    asm volatile("{ "
            ASSEMBLY            "}"
                            :
                            : "l"(__cvta_generic_to_global(to)), "l"(__cvta_generic_to_global(from)), "l"(begin), "l"(end),
                              "l"(team.pes == nullptr ? 0 : __cvta_generic_to_global(team.pes)),
                              "l"(__cvta_generic_to_global(nvshmemi_device_state_d.peer_heap_base_p2p)),
                              "l"(__cvta_generic_to_global(nvshmemi_device_state_d.heap_base)),
                              "l"(__cvta_generic_to_global(team.peers)),
                              "r"(team.me), "r"(team.size), "r"(how == COMM4J_SEND ? 1 : team.size), "r"(how), "r"(index), "r"(threads), "r"(wide)
                            : "memory");
                }
            };
            """;

    private NvshmemReductions() {}

    /** C++ behind that of {@link NvshmemCollectives}: those of these functions that are reductions. */
    static String source(Collection<String> called) {
        StringBuilder text = new StringBuilder();
        Set<String> elements = new LinkedHashSet<>();
        for (String function : called) {
            Matcher reduction = FUNCTION.matcher(function);
            if (!reduction.matches()) {
                continue;
            }
            Element element = Element.valueOf(reduction.group(1).toUpperCase(Locale.ROOT));
            String operation = reduction.group(2);
            String name = "comm4j_" + reduction.group(1) + "_" + operation;
            String group = "comm4j_"
                    + (reduction.group(4) == null ? "one" : reduction.group(4).substring(1));
            if (elements.isEmpty()) {
                text.append(CODE);
            }
            if (elements.add(name)) {
                text.append(ELEMENTS_CODE
                        .replace("NAME", name)
                        .replace("BITS", Integer.toString(element.bits()))
                        .replace("ASSEMBLY", quoted(assembly(element, operation))));
            }
            String to = reduction.group(3).equals("reduce") ? "comm4j_all_reduce" : "comm4j_reducescatter";
            text.append("""
                    extern "C" __device__ int FUNCTION(nvshmem_team_t team, TYPE *to, const TYPE *from, size_t count) {
                        return TO<ELEMENTS, GROUP>(team, to, from, count);
                    }
                    """.replace("FUNCTION", function)
                    .replace("TYPE", element.name)
                    .replace("TO", to)
                    .replace("ELEMENTS", name)
                    .replace("GROUP", group));
        }
        return text.toString();
    }

    /** As one string of C++, with comments between its lines. */
    private static String quoted(String assembly) {
        return assembly.lines()
                .filter(line -> !line.isEmpty())
                .map(line -> (line.startsWith("//") ? line : '"' + line + " \"") + "\n")
                .collect(Collectors.joining());
    }

    private static String assembly(Element element, String operation) {
        String text = LOOP.replace("REGISTER", "b" + element.registerBytes() * Byte.SIZE)
                .replace(
                        "NUMBERS",
                        IntStream.range(1, WORDS)
                                .mapToObj(k -> "add.u32 n" + k + ", n" + (k - 1) + ", %threads;")
                                .collect(Collectors.joining(" ")))
                .replace("WIDE_BYTES", Integer.toString(WORDS * 16))
                .replace("NARROW_BYTES", Integer.toString(ELEMENTS * element.bytes))
                .replace("SHIFT", Integer.toString(element.bits()))
                .replace("PE_OF_MEMBER", peOf("member"))
                .replace("PE_OF_BEHIND", peOf("pe"))
                .replace("LOAD_WIDE_R", moves(element, true, "ld", "r"))
                .replace("LOAD_WIDE_X", moves(element, true, "ld", "x"))
                .replace("LOAD_NARROW_R", moves(element, false, "ld", "r"))
                .replace("LOAD_NARROW_X", moves(element, false, "ld", "x"))
                .replace("STORE_WIDE_R", moves(element, true, "st", "r"))
                .replace("STORE_NARROW_R", moves(element, false, "st", "r"))
                .replace("COMBINE_WIDE", combined(element, operation, WORDS * 16 / element.registerBytes()))
                .replace("COMBINE_NARROW", combined(element, operation, ELEMENTS));
        int how = 0;
        for (String name : List.of("SEND", "SENT", "OWN", "ALL")) {
            text = text.replace(", " + name, ", " + how++);
        }
        for (int i = OPERANDS.size() - 1; i >= 0; i--) {
            text = text.replaceAll("%" + OPERANDS.get(i) + "\\b", "%" + i);
        }
        return text;
    }

    /** The team's list of its members' PEs, if it has one. */
    private static String peOf(String member) {
        return "setp.ne.u64 p, %pes, 0; mad.wide.u32 place, " + member + ", 4, %pes; @p ld.global.u32 pe, [place];";
    }

    /** Of the thread's words, or elements, those whose numbers are below the round's end. */
    private static String moves(Element element, boolean wide, String how, String registers) {
        int each = wide ? 16 / element.registerBytes() : 1;
        String type = !wide ? "u" + element.bytes * Byte.SIZE : each == 4 ? WORD : "v2.u64";
        return IntStream.range(0, wide ? WORDS : ELEMENTS)
                .mapToObj(k -> {
                    String list = IntStream.range(k * each, (k + 1) * each)
                            .mapToObj(i -> registers + i)
                            .collect(Collectors.joining(", "));
                    String value = wide ? "{" + list + "}" : list;
                    return "setp.lt.u32 p, n" + k + ", count; mad.wide.u32 place, n" + k + ", "
                            + (wide ? 16 : element.bytes) + ", at; @p " + how + ".global." + type + " "
                            + (how.equals("ld") ? value + ", [place];" : "[place], " + value + ";");
                })
                .collect(Collectors.joining("\n"));
    }

    private static String combined(Element element, String operation, int registers) {
        return IntStream.range(0, registers)
                .mapToObj(i -> element.combine(operation, "r" + i, "x" + i))
                .collect(Collectors.joining("\n"));
    }
}
