// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * PEs that die, or do not come, while kernels of others wait for them, and kernels that ask for what there is not: in
 * real processes.
 */
@Timeout(240)
abstract class DeviceFaultContract {
    private static final Pattern TOLD = Pattern.compile("\\[(\\d)] told after (\\d+) ms: (.*)");
    /** From death to message: how often a PE looks around, twice, and the time that busy machines take. */
    private static final int NOTICED_MILLIS = 8_000;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    final String place;
    final int pes;

    DeviceFaultContract(String place, int pes) {
        this.place = place;
        this.pes = pes;
    }

    /** Skips where it cannot run. */
    abstract void require();

    String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    int program(String fault, int culprit) {
        require();
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(DeviceProgram.gpuOptions())
                .java("-XX:TieredStopAtLevel=1", FaultProgram.class.getName(), place, fault, Integer.toString(culprit))
                .keepGoing(true)
                .timeout(Duration.ofMinutes(2))
                .output(output, output);
        DeviceProgram.environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
        DeviceProgram.environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
        DeviceProgram.environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        return launcher.run();
    }

    List<String> lines(String pattern) {
        return text().lines().filter(line -> line.matches(pattern)).toList();
    }

    /** All but the culprit were told in time, with these words, and ended. */
    void assertTold(int culprit, long atMostMillis, String... words) {
        List<Matcher> told =
                text().lines().map(TOLD::matcher).filter(Matcher::matches).toList();
        assertThat(told).as(text()).hasSize(pes - 1).allSatisfy(line -> {
            assertThat(line.group(1)).as(text()).isNotEqualTo(Integer.toString(culprit));
            assertThat(Long.parseLong(line.group(2))).as(text()).isLessThan(atMostMillis);
            assertThat(line.group(3)).as(text()).contains(words);
        });
        assertThat(lines(".*closed after \\d{1,4} ms")).as(text()).hasSizeGreaterThanOrEqualTo(pes - 1);
    }

    /** What messages call a wait that is in a kernel. */
    abstract String wait(String kernel, String function);

    @Test
    void aPeThatIsKilledIsNamedByThoseThatWaitInAKernel() {
        isNamed(1);
    }

    @Test
    @Tag("nightly")
    void theFirstPeThatIsKilledIsNamedByThoseThatWaitInAKernel() {
        isNamed(0);
    }

    private void isNamed(int victim) {
        int code = program("killed in a wait", victim);
        assertThat(code).as(text()).isEqualTo(137);
        assertTold(victim, NOTICED_MILLIS, wait("await", "signalWaitUntil"), "RankFailedException");
        assertThat(lines("\\[\\d] told.*(rank|PE) " + victim + "\\b.*"))
                .as(text())
                .hasSize(pes - 1);
        assertThat(lines(".*survived")).as(text()).hasSize(pes - 1);
    }

    @Test
    @Tag("nightly")
    void aPeThatIsKilledIsNamedByThoseThatMeetInAKernel() {
        int code = program("killed in a meeting", 1);
        assertThat(code).as(text()).isEqualTo(137);
        assertTold(1, NOTICED_MILLIS, wait("meet", "barrier"), "RankFailedException");
        assertThat(lines("\\[\\d] told.*(rank|PE) 1\\b.*")).as(text()).hasSize(pes - 1);
        assertThat(lines(".*survived")).as(text()).hasSize(pes - 1);
    }

    @Test
    void aKernelThatNotAllPesLaunchEndsWithTheLimit() {
        endsWithTheLimit("wait");
    }

    @Test
    @Tag("nightly")
    void aKernelThatNotAllPesMeetInEndsWithTheLimit() {
        endsWithTheLimit("meeting");
    }

    private void endsWithTheLimit(String where) {
        int code = program("absent from a " + where, 1);
        String wait = where.equals("wait") ? wait("await", "signalWaitUntil") : wait("meet", "barrier");
        assertTold(1, FaultProgram.LIMIT.toMillis() + NOTICED_MILLIS, wait, "CommTimeoutException");
        assertThat(code).as(text()).isZero();
        assertThat(lines(".*survived")).as(text()).hasSize(pes);
    }
}
