// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevCommRequirements;
import org.comm4j.ffi.nccl.NcclDevCommRequirementsV2_28_9;
import org.comm4j.ffi.nccl.NcclDevResourceRequirements;
import org.comm4j.ffi.nccl.NcclTeam;
import org.comm4j.ffi.nccl.NcclTeamRequirements;

/** What {@link WheelTest} runs: the file of an NCCL and its version. */
final class WheelProgram {
    private WheelProgram() {}

    public static void main(String[] args) {
        System.setProperty("org.comm4j.nccl.library", args[0]);
        assertThat(Nccl.version()).hasToString(args[1]);
        if (LibNccl.has("ncclParamBind")) {
            parameters();
        } else {
            needs("2.30.4", Nccl::parameters);
            needs("2.30.4", () -> Nccl.parameter("NCCL_DEBUG"));
            needs("2.30.4", Nccl::printParameters);
        }
        encryption();
        resources();
        System.out.println("all well with " + args[1]);
    }

    /** That it says which version it needs, and which one there is. */
    private static void needs(String version, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("needs NCCL " + version + " or newer; loaded: " + Nccl.version())
                .hasMessageContaining("libnccl");
    }

    private static void parameters() {
        Map<String, String> texts = Nccl.parameters();
        assertThat(texts).isNotEmpty();
        texts.forEach((key, text) -> {
            NcclParameter parameter = Nccl.parameter(key);
            System.out.println(parameter + " = " + text);
            assertThat(parameter.key()).isEqualTo(key);
            assertThat(parameter.text()).isEqualTo(text);
            check(parameter);
        });
        assertThatThrownBy(() -> Nccl.parameter("NCCL_NO_SUCH_THING"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no parameter NCCL_NO_SUCH_THING")
                .hasMessageContaining(texts.keySet().iterator().next());
        NcclParameter dump = Nccl.parameter("NCCL_PARAM_DUMP_ALL");
        assertThat(dump.type()).isEqualTo(NcclParameter.Type.OTHER);
        assertThat(dump.booleanValue()).isFalse();
        NcclParameter cache = Nccl.parameter("NCCL_NO_CACHE");
        assertThat(cache.type()).isEqualTo(NcclParameter.Type.TEXT);
        assertThat(cache.stringValue()).isEmpty();
        assertThat(cache.bytes()).containsExactly(0);
        Nccl.printParameters();
    }

    private static void check(NcclParameter parameter) {
        switch (parameter.type()) {
            case TEXT -> {
                String value = parameter.stringValue();
                assertThat(new String(parameter.bytes(), StandardCharsets.UTF_8))
                        .isEqualTo(value + '\0');
                assertThatThrownBy(parameter::longValue).isInstanceOf(IllegalStateException.class);
            }
            case OTHER -> {
                assertThat(parameter.bytes()).isNotEmpty();
                assertThatThrownBy(parameter::longValue).hasMessageContaining("no integer");
                assertThatThrownBy(parameter::stringValue).hasMessageContaining("no text");
            }
            default -> {
                int bytes = Integer.parseInt(
                                parameter.type().name().toLowerCase(Locale.ROOT).replaceAll("\\D", ""))
                        / 8;
                assertThat(parameter.bytes()).hasSize(bytes);
                long value = parameter.longValue();
                for (int i = 0; i < bytes; i++) {
                    assertThat(parameter.bytes()[i]).isEqualTo((byte) (value >> 8 * i));
                }
                assertThatThrownBy(parameter::booleanValue).hasMessageContaining("no truth value");
            }
        }
    }

    private static void encryption() {
        assertThatThrownBy(() -> Nccl.encryption("too short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 bytes");
        assertThatThrownBy(() -> Nccl.encryption("\0".repeat(40))).hasMessageContaining("zero");
        String key = "0123456789abcdef".repeat(2);
        if (LibNccl.has("ncclSetEncryption")) {
            Nccl.encryption(key);
            Nccl.encryption(null);
        } else {
            needs("2.32.3", () -> Nccl.encryption(key));
        }
    }

    /** What kernels need is asked of NCCL, and put into lists. */
    private static void resources() {
        assertThat(DeviceResource.lowLatencySlots(10, 12)).isEqualTo(20);
        RankTeam four = new RankTeam(4, 1, 1);
        DeviceResource memory = DeviceResource.of(1000, 256, 3, 5);
        DeviceResource barriers = DeviceResource.lsaBarriers(four, 2);
        DeviceResource network = DeviceResource.networkBarriers(four, 7);
        DeviceResource exchange = DeviceResource.lowLatencyAllToAll(6, 20);
        DeviceRequirements requirements = DeviceRequirements.NONE
                .resource(memory)
                .resource(barriers)
                .resource(network)
                .resource(exchange)
                .team(four, true);
        assertThatThrownBy(() -> requirements.resource(memory)).hasMessageContaining("there already");
        int version = Library.version();
        boolean old = version < 22900;
        try (Arena arena = Arena.ofConfined()) {
            DeviceRequirements.Written written = requirements.write(version, arena, NcclComm.NULL);
            MemorySegment first = at(
                    written.struct(),
                    old
                            ? NcclDevCommRequirementsV2_28_9.resourceRequirementsList
                            : NcclDevCommRequirements.resourceRequirementsList,
                    NcclDevResourceRequirements.BYTES);
            MemorySegment second = at(first, NcclDevResourceRequirements.next, NcclDevResourceRequirements.BYTES);
            MemorySegment third = at(second, NcclDevResourceRequirements.next, NcclDevResourceRequirements.BYTES);
            MemorySegment fourth = at(third, NcclDevResourceRequirements.next, NcclDevResourceRequirements.BYTES);
            assertThat(first.get(JAVA_LONG, NcclDevResourceRequirements.bufferSize))
                    .isEqualTo(1000);
            assertThat(first.get(JAVA_INT, NcclDevResourceRequirements.ginCounterCount))
                    .isEqualTo(5);
            assertThat(second.get(JAVA_LONG, NcclDevResourceRequirements.bufferSize))
                    .isEqualTo((3 * 2 + 2 * 4) * 4);
            assertThat(third.get(JAVA_INT, NcclDevResourceRequirements.ginSignalCount))
                    .isEqualTo(old ? 7 : 7 * 4);
            assertThat(fourth.get(JAVA_LONG, NcclDevResourceRequirements.bufferSize))
                    .isEqualTo(6 * (1 + 2 * 20) * 16);
            assertThat(fourth.get(JAVA_LONG, NcclDevResourceRequirements.next)).isZero();
            // As NCCL would when it makes the communicator for kernels.
            at(second, NcclDevResourceRequirements.outBufferHandle, 4).set(JAVA_INT, 0, 77);
            at(third, NcclDevResourceRequirements.outGinSignalStart, 4).set(JAVA_INT, 0, 78);
            at(first, NcclDevResourceRequirements.outGinCounterStart, 4).set(JAVA_INT, 0, 79);
            assertThat(written.resources().get(barriers).read().buffer()).isEqualTo(77);
            assertThat(written.resources().get(barriers).read().handle().toArray(JAVA_INT))
                    .containsExactly(77, 2);
            assertThat(written.resources().get(network).read().firstSignal()).isEqualTo(78);
            assertThat(written.resources().get(memory).read().firstCounter()).isEqualTo(79);
            assertThat(written.resources().get(memory).read().handle().byteSize())
                    .isZero();
            MemorySegment team = at(
                    written.struct(),
                    old
                            ? NcclDevCommRequirementsV2_28_9.teamRequirementsList
                            : NcclDevCommRequirements.teamRequirementsList,
                    NcclTeamRequirements.BYTES);
            assertThat(team.get(JAVA_INT, NcclTeamRequirements.team + NcclTeam.nRanks))
                    .isEqualTo(4);
            assertThat(team.get(JAVA_INT, NcclTeamRequirements.team + NcclTeam.rank))
                    .isEqualTo(1);
            assertThat(team.get(JAVA_INT, NcclTeamRequirements.multimem) & 0xff).isEqualTo(1);
        }
    }

    private static MemorySegment at(MemorySegment struct, long pointer, long bytes) {
        return NativeMemory.at(struct.get(JAVA_LONG, pointer), bytes);
    }
}
