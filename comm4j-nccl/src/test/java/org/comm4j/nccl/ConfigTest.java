// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.NcclCollConfig;
import org.comm4j.ffi.nccl.NcclCommProperties;
import org.comm4j.ffi.nccl.NcclConfig;
import org.comm4j.ffi.nccl.NcclConfigExt;
import org.comm4j.ffi.nccl.NcclDevCommRequirements;
import org.comm4j.nccl.ConfigStruct.Field;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The structs as each version of NCCL expects them, and the tables of types. */
class ConfigTest {
    @BeforeAll
    static void beforeNcclIsLoaded() {
        Simulation.prepare();
    }

    private static MemorySegment write(CommConfig config, int version) {
        return config.write(version, Arena.ofAuto());
    }

    /** Sizes as C compilers have them, from the headers of these versions. */
    @ParameterizedTest
    @CsvSource({"22809, 80", "22902, 88", "23003, 96", "23007, 96", "23102, 112", "23203, 120"})
    void sizeByVersion(int version, int bytes) {
        assertThat(CommConfig.STRUCT.bytes(version)).isEqualTo(bytes);
        MemorySegment struct = write(CommConfig.DEFAULT, version);
        assertThat(struct.byteSize()).isEqualTo(bytes);
        assertThat(struct.get(JAVA_LONG, 0)).isEqualTo(bytes);
        assertThat(struct.get(JAVA_INT, 8)).isEqualTo(0xcafebeef);
        assertThat(struct.get(JAVA_INT, 12)).isEqualTo(version);
    }

    /** The headers from which the bindings were made say the same. */
    @ParameterizedTest
    @CsvSource({"22809", "23007", "23102", "23203"})
    void sizeInTheHeaders(int version) {
        assertThat(CommConfig.STRUCT.bytes(version)).isEqualTo((int) NcclConfig.bytes(version));
        assertThat(version < 22902 || CommProperties.bytes(version) == NcclCommProperties.bytes(version))
                .isTrue();
    }

    /** Nothing set: every number is NCCL's mark for that, every text NULL. */
    @ParameterizedTest
    @CsvSource({"22809", "23007", "23102", "23203"})
    void defaults(int version) {
        MemorySegment struct = write(CommConfig.DEFAULT, version);
        for (long at = 16; at < struct.byteSize(); at += 4) {
            boolean text = at >= NcclConfig.netName && at < NcclConfig.netName + 8
                    || at >= NcclConfig.commName && at < NcclConfig.commName + 8;
            boolean padding = at == 92 && version < 23005 || at == 116;
            assertThat(struct.get(JAVA_INT, at)).as("at %d", at).isEqualTo(text || padding ? 0 : Integer.MIN_VALUE);
        }
    }

    @Test
    void everyFieldIsWrittenWhereItBelongs() {
        CommConfig config = CommConfig.DEFAULT
                .blocking(false)
                .cgaClusterSize(2)
                .minCtas(3)
                .maxCtas(4)
                .netName("Socket")
                .splitShare(true)
                .trafficClass(5)
                .name("halo")
                .collnet(true)
                .ctaPolicy(CtaPolicy.ZERO)
                .shrinkShare(true)
                .nvlsCtas(6)
                .channelsPerNetPeer(7)
                .nvlinkCentricScheduling(true)
                .graphUsageMode(2)
                .rmaContexts(8)
                .maxP2pPeers(9)
                .graphStreamOrdering(false)
                .launchOrderImplicit(true)
                .rmaSignals(10)
                .rmaEagerInit(true)
                .hostCftMode(3)
                .nvlsHostMode(2);
        MemorySegment struct = write(config, 23203);
        int[] numbers = {0, 2, 3, 4, 1, 5, 1, 2, 1, 6, 7, 1, 2, 8, 9, 0, 1, 10, 1, 3, 2};
        long[] offsets = {16, 20, 24, 28, 40, 44, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112};
        for (int i = 0; i < numbers.length; i++) {
            assertThat(struct.get(JAVA_INT, offsets[i])).as("at %d", offsets[i]).isEqualTo(numbers[i]);
        }
        assertThat(text(struct, 32)).isEqualTo("Socket");
        assertThat(text(struct, 48)).isEqualTo("halo");
        assertThat(config.isBlocking()).isFalse();
        assertThat(CommConfig.DEFAULT.isBlocking()).isTrue();
        assertThat(config.toString()).contains("minCTAs 3").contains("commName halo");
    }

    @SuppressWarnings("restricted")
    private static String text(MemorySegment struct, long offset) {
        return struct.get(ADDRESS, offset).reinterpret(100).getString(0);
    }

    @Test
    void whatTheLibraryLacksIsRefused() {
        UnaryOperator<CommConfig> newest = c -> c.nvlsHostMode(1);
        assertThatThrownBy(() -> write(newest.apply(CommConfig.DEFAULT), 22809))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("nvlsHostMode")
                .hasMessageContaining("2.32.3");
        assertThatThrownBy(() -> write(CommConfig.DEFAULT.graphStreamOrdering(true), 23003))
                .hasMessageContaining("graphStreamOrdering needs NCCL 2.30.5");
        write(newest.apply(CommConfig.DEFAULT), 23203);
        // A version to come: what is known is written, with what is known of its size.
        assertThat(write(newest.apply(CommConfig.DEFAULT), 24000).byteSize()).isEqualTo(120);
    }

    /** Every field can be set for every version that has it, and no other one. */
    @ParameterizedTest
    @ValueSource(ints = {22809, 22902, 22907, 23003, 23005, 23007, 23102, 23203})
    void everyFieldInEveryVersion(int version) {
        for (ConfigStruct struct : List.of(CommConfig.STRUCT, CollConfig.STRUCT, DeviceRequirements.NOW)) {
            for (Field field : struct.fields()) {
                Object value = switch (field.kind()) {
                    case INT, BOOL -> 1;
                    case LONG -> 1L;
                    case TEXT -> "text";
                    case POINTER -> MemorySegment.ofAddress(4096);
                };
                if (field.since() > version) {
                    assertThatThrownBy(() -> struct.write(Map.of(field, value), version, Arena.ofAuto()))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining(
                                    field.name() + " needs NCCL " + NcclVersion.of(field.since()) + " or newer");
                } else {
                    MemorySegment with = struct.write(Map.of(field, value), version, Arena.ofAuto());
                    MemorySegment without = struct.write(Map.of(), version, Arena.ofAuto());
                    // One is what some fields are unless set.
                    assertThat(field.unset() == 1 || with.mismatch(without) / 4 == field.offset() / 4)
                            .as(field.name())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void numbersOutOfRange() {
        List<Supplier<Object>> wrong = List.of(
                () -> CommConfig.DEFAULT.minCtas(0),
                () -> CommConfig.DEFAULT.maxCtas(Integer.MIN_VALUE),
                () -> CommConfig.DEFAULT.cgaClusterSize(9),
                () -> CommConfig.DEFAULT.graphUsageMode(3),
                () -> CommConfig.DEFAULT.hostCftMode(0),
                () -> CommConfig.DEFAULT.maxP2pPeers(0),
                () -> CommConfig.DEFAULT.trafficClass(-1),
                () -> CommConfig.DEFAULT.ctaPolicy(),
                () -> CollConfig.DEFAULT.maxCtas(0),
                () -> CollConfig.DEFAULT.profilerTag(-1),
                () -> CollConfig.DEFAULT.vendorOption(0, 1, 1),
                () -> CollConfig.DEFAULT.vendorOption(1 << 24, 1, "text"),
                () -> CollConfig.DEFAULT.vendorOption(1, 1, MemorySegment.ofArray(new byte[1])),
                () -> DeviceRequirements.NONE.barriers(-1),
                () -> DeviceRequirements.NONE.networkConnection(4),
                () -> DeviceRequirements.NONE.networkStride(0),
                () -> DeviceRequirements.NONE.cft(4, 0),
                () -> DeviceRequirements.NONE.team(new RankTeam(2, 2, 1), false),
                () -> DeviceResource.of(1, 3, 0, 0),
                () -> DeviceResource.of(-1, 8, 0, 0),
                () -> DeviceResource.lsaBarriers(new RankTeam(0, 0, 1), 1),
                () -> DeviceResource.networkBarriers(new RankTeam(1, 0, 1), 0),
                () -> DeviceResource.lowLatencyAllToAll(1, 0),
                () -> DeviceResource.lowLatencySlots(-1, 1),
                () -> write(CommConfig.DEFAULT.minCtas(5).maxCtas(4), 22809),
                () -> CollConfig.DEFAULT.minCtas(5).maxCtas(4).write(23102, Arena.ofAuto()));
        for (Supplier<Object> each : wrong) {
            assertThatThrownBy(each::get).isInstanceOf(IllegalArgumentException.class);
        }
        // A lower bound alone, which NCCL itself would refuse.
        MemorySegment struct = write(CommConfig.DEFAULT.minCtas(5), 22809);
        assertThat(struct.get(JAVA_INT, NcclConfig.minCTAs)).isEqualTo(5);
        assertThat(struct.get(JAVA_INT, NcclConfig.maxCTAs)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void optionsOfOtherMakers() {
        MemorySegment raw = Arena.ofAuto().allocate(16);
        MemorySegment struct = CollConfig.DEFAULT
                .vendorOption(7, 1, 5)
                .vendorOption(7, 2, "five")
                .vendorOption(8, 1, raw)
                .vendorOption(7, 1, 6)
                .write(23102, Arena.ofAuto());
        List<String> options = new ArrayList<>();
        for (long at = struct.get(JAVA_LONG, NcclCollConfig.ext); at != 0; ) {
            MemorySegment option = NativeMemory.at(at, NcclConfigExt.BYTES);
            int vendor = option.get(JAVA_INT, NcclConfigExt.key_vendorId);
            int number = option.get(JAVA_INT, NcclConfigExt.key_optionId);
            String value = switch (10 * vendor + number) {
                case 71 -> "" + option.get(JAVA_INT, NcclConfigExt.val_i);
                case 72 -> NativeMemory.string(option.get(JAVA_LONG, NcclConfigExt.val_s));
                default -> option.get(JAVA_LONG, NcclConfigExt.val_raw) == raw.address() ? "raw" : "wrong";
            };
            options.add(vendor + "/" + number + " " + value);
            at = option.get(JAVA_LONG, NcclConfigExt.next);
        }
        assertThat(options).containsExactlyInAnyOrder("7/1 6", "7/2 five", "8/1 raw");
    }

    @ParameterizedTest
    @CsvSource({"23102, 64", "23203, 72"})
    void callConfiguration(int version, int bytes) {
        MemorySegment struct = CollConfig.DEFAULT
                .minCtas(1)
                .algorithms("tree,ring")
                .profilerTag(77)
                .write(version, Arena.ofAuto());
        assertThat(struct.byteSize()).isEqualTo(bytes);
        assertThat(struct.get(JAVA_INT, NcclCollConfig.minCTAs)).isEqualTo(1);
        assertThat(struct.get(JAVA_INT, NcclCollConfig.maxCTAs)).isEqualTo(Integer.MIN_VALUE);
        assertThat(struct.get(JAVA_INT, NcclCollConfig.forceAlgSelection)).isEqualTo(1);
        assertThat(struct.get(JAVA_LONG, NcclCollConfig.ext)).isZero();
        assertThat(struct.get(JAVA_LONG, NcclCollConfig.userProfilerTag)).isEqualTo(77);
        assertThat(text(struct, NcclCollConfig.algSelection)).isEqualTo("tree,ring");
    }

    @ParameterizedTest
    @CsvSource({"22902, 40", "22907, 56", "23007, 56", "23102, 144", "23203, 152", "24000, 152"})
    void propertiesByVersion(int version, int bytes) {
        assertThat(CommProperties.bytes(version)).isEqualTo(bytes);
        // NCCL refuses a struct newer than itself, and we know none newer than this.
        assertThat(CommProperties.version(version)).isEqualTo(Math.min(version, 23203));
    }

    @Test
    void unknownNetworkTypesAreNumbers() {
        MemorySegment struct = Arena.ofAuto().allocate(1024, 8);
        struct.set(JAVA_INT, NcclCommProperties.ginType, 99);
        struct.set(JAVA_INT, NcclCommProperties.railedGinType, 3);
        struct.set(JAVA_INT, NcclCommProperties.nRanks, 8);
        struct.set(JAVA_LONG, NcclCommProperties.commHash, 42);
        CommProperties properties = CommProperties.read(struct, 23203);
        assertThat(properties.ginType()).isEqualTo("99");
        assertThat(properties.railedGinType()).isEqualTo("GDAKI");
        assertThat(properties.size()).isEqualTo(8);
        assertThat(properties.hash()).isEqualTo(42);
        // The first version had one byte here.
        struct.set(JAVA_BYTE, 34, (byte) 2);
        assertThat(CommProperties.read(struct, 22902).ginType()).isEqualTo("PROXY");
        assertThat(CommProperties.read(struct, 22902).railedGinType()).isEqualTo("unknown");
    }

    /** What kernels need: the struct without a header of 2.28, and the later ones. */
    @ParameterizedTest
    @CsvSource({
        "22809, 56, 16",
        "22902, 72, 32",
        "22907, 88, 32",
        "23003, 96, 32",
        "23007, 96, 32",
        "23102, 120, 32",
        "23203, 120, 32",
        "24000, 120, 32"
    })
    void requirementsOfKernels(int version, int bytes, int multimemAt) {
        MemorySegment struct = DeviceRequirements.NONE
                .multimem(true)
                .barriers(3)
                .network(5, 6, 7)
                .write(version, Arena.ofAuto(), NcclComm.NULL)
                .struct();
        assertThat(struct.byteSize()).isEqualTo(bytes);
        assertThat(struct.get(JAVA_BYTE, multimemAt)).isEqualTo((byte) 1);
        assertThat(struct.get(JAVA_INT, multimemAt + 4)).isEqualTo(3);
        assertThat(struct.get(JAVA_INT, multimemAt + 28)).isEqualTo(5);
        MemorySegment nothing = DeviceRequirements.NONE
                .write(version, Arena.ofAuto(), NcclComm.NULL)
                .struct();
        assertThat(nothing.get(JAVA_INT, multimemAt + 28)).as("contexts").isEqualTo(4);
        if (version >= 22907) {
            // All ranks are reached unless the program says which; where there is nothing to reach them by, none.
            assertThat(struct.get(JAVA_INT, NcclDevCommRequirements.ginConnectionType))
                    .isEqualTo(1);
            assertThat(nothing.get(JAVA_INT, NcclDevCommRequirements.ginConnectionType))
                    .isZero();
            assertThat(DeviceRequirements.NONE
                            .networkConnection(2)
                            .resource(DeviceResource.of(0, 1, 1, 0))
                            .write(version, Arena.ofAuto(), NcclComm.NULL)
                            .struct()
                            .get(JAVA_INT, NcclDevCommRequirements.ginConnectionType))
                    .isEqualTo(2);
        }
        if (version >= 23007) {
            assertThat(nothing.get(JAVA_INT, 84)).as("traffic class").isEqualTo(Integer.MIN_VALUE);
            assertThat(nothing.get(JAVA_INT, 92)).as("signals").isEqualTo(0x0101);
        } else if (version < 22907) {
            assertThatThrownBy(() -> DeviceRequirements.NONE
                            .queueDepth(1)
                            .write(version, Arena.ofAuto(), NcclComm.NULL)
                            .struct())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("2.29.7");
        }
        // As the headers of these versions have it.
        assertThat(DeviceCommunicator.bytes(DeviceCommunicator.version(version)))
                .isEqualTo(version < 22907 ? 200 : version < 23003 ? 224 : version < 23102 ? 240 : 248);
    }

    @ParameterizedTest
    @EnumSource
    void typesHaveTheirSize(DataType type) {
        int[] bytes = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
        assertThat(bytes[Types.of(type)] * Types.units(type)).isEqualTo(type.bytes());
    }

    @Test
    void reductions() {
        assertThat(Types.reduces(ReduceOp.SUM, DataType.COMPLEX64)).isTrue();
        assertThat(Types.reduces(ReduceOp.AVG, DataType.COMPLEX128)).isTrue();
        assertThat(Types.reduces(ReduceOp.PROD, DataType.COMPLEX64)).isFalse();
        assertThat(Types.reduces(ReduceOp.MAX, DataType.COMPLEX64)).isFalse();
        assertThat(Types.reduces(ReduceOp.MAX, DataType.UINT64)).isTrue();
        assertThat(Types.reduces(ReduceOp.BAND, DataType.INT32)).isFalse();
        assertThat(Types.reduces(ReduceOp.SUM, DataType.INT16)).isFalse();
        assertThat(Types.reduces(ReduceOp.SUM, DataType.FLOAT8_E4M3)).isTrue();
        assertThat(Types.whyNot(ReduceOp.BXOR, DataType.INT32)).contains("BXOR");
        assertThat(Types.whyNot(ReduceOp.SUM, DataType.UINT16))
                .contains("UINT16")
                .contains("INT32");
        assertThat(Types.whyNot(ReduceOp.PROD, DataType.COMPLEX64)).contains("complex");
    }

    /** NCCL computes the memory of these in 32 bits, and makes too little of what is too much. */
    @Test
    void moreThanNcclCanCompute() {
        DeviceRequirements none = DeviceRequirements.NONE;
        assertThat(none.lsaBarriers(DeviceRequirements.MOST_BLOCKS).lsaBarriers())
                .isEqualTo(DeviceRequirements.MOST_BLOCKS);
        List<UnaryOperator<DeviceRequirements>> tooMany = List.of(
                r -> r.barriers(Integer.MAX_VALUE),
                r -> r.lsaBarriers(Integer.MAX_VALUE),
                r -> r.lsaBarriers(DeviceRequirements.MOST_BLOCKS + 1),
                r -> r.railBarriers(Integer.MAX_VALUE),
                r -> r.worldBarriers(Integer.MAX_VALUE),
                r -> r.cft(1, Integer.MAX_VALUE),
                r -> r.lowLatencyAllToAll(Integer.MAX_VALUE, 1),
                r -> r.lowLatencyAllToAll(1000, 1_000_000));
        tooMany.forEach(each -> assertThatThrownBy(() -> each.apply(none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("DeviceRequirements"));
        RankTeam team = new RankTeam(2, 0, 1);
        assertThatThrownBy(() -> DeviceResource.lsaBarriers(team, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 65536");
        assertThatThrownBy(() -> DeviceResource.networkBarriers(team, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeviceResource.lowLatencyAllToAll(1000, 1_000_000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeviceResource.lowLatencySlots(Integer.MAX_VALUE, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void versions() {
        assertThat(NcclVersion.of(22809)).isEqualTo(new NcclVersion(2, 28, 9)).hasToString("2.28.9");
        assertThat(NcclVersion.of(23203).code()).isEqualTo(23203);
        assertThat(NcclVersion.of(22902)).isGreaterThan(NcclVersion.of(22809));
    }
}
