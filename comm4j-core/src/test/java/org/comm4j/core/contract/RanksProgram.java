// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Halt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * One rank of {@link RanksRun}: executes suites, keeps step with the other ranks after each test, and writes down what
 * became of it.
 */
public final class RanksProgram implements TestExecutionListener {
    /** A line of the file says what is known of a test, or what is not to be started again. */
    static final char BEGUN = 'B';

    static final char STARTED = 'S';
    static final char PASSED = 'P';
    static final char FAILED = 'F';
    static final char SKIPPED = 'A';

    /** The system property with the tags of tests that are left out. */
    static final String EXCLUDED = "comm4j.test.excluded";

    /** What can be left out alone. */
    private static final Set<String> PARTS = Set.of("method", "test-template-invocation", "test-factory");

    /** A test has failed on some rank: the rest is for new processes. */
    private static final int ANEW = 3;

    private static @Nullable World joined;
    private static final List<Runnable> atEnd = new ArrayList<>();

    private final World world;
    private final Path file;
    private TestPlan plan;

    private RanksProgram(World world, Path folder) {
        this.world = world;
        this.file = folder.resolve("rank." + world.rank());
    }

    /** The world of this process's ranks. */
    public static World world() {
        return Objects.requireNonNull(joined, "not a process of RanksRun");
    }

    /**
     * Collective: runs {@code body} on the first ranks, with a communicator of theirs, by a split; the others wait for
     * them.
     */
    public static void onFirst(int ranks, Communicator everybody, RankBody body) throws Exception {
        try (Communicator comm = everybody.split(everybody.rank() < ranks ? 0 : -1, 0)) {
            if (comm != null) {
                body.run(comm);
            }
        }
        everybody.barrier();
    }

    /** Runs {@code action} on every rank after the last test. */
    public static void atEnd(Runnable action) {
        atEnd.add(action);
    }

    public static void main(String[] args) throws IOException {
        if (ServiceLoader.load(Extension.class).stream().noneMatch(each -> each.type() == Done.class)) {
            throw new IllegalStateException("META-INF/services does not name " + Done.class);
        }
        Path folder = Path.of(args[0]);
        Done.tests = Set.copyOf(Files.readAllLines(folder.resolve("done")));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(args)
                        .skip(1)
                        .map(name -> selectClass(name))
                        .toList())
                .filters(TagFilter.excludeTags(
                        System.getProperty(EXCLUDED, "none").split(",")))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .build();
        LauncherConfig plain = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        try (World world = World.join()) {
            joined = world;
            RanksProgram program = new RanksProgram(world, folder);
            LauncherFactory.create(plain).execute(request, program);
            atEnd.forEach(Runnable::run);
            world.barrier();
        } catch (RuntimeException e) {
            e.printStackTrace();
            System.out.flush();
            halt();
        }
        System.exit(0);
    }

    /**
     * Leaves out what other processes have begun: also a test's single parameters, which nobody knows before it runs.
     * JUnit finds it by its name in a resource.
     */
    public static final class Done implements ExecutionCondition {
        private static Set<String> tests = Set.of();

        public Done() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return tests.contains(context.getUniqueId())
                    ? ConditionEvaluationResult.disabled("it has run")
                    : ConditionEvaluationResult.enabled("");
        }
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            begun(test);
            System.out.println("## " + name(test));
            note(STARTED, test.getUniqueId(), name(test), "");
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (Done.tests.contains(test.getUniqueId())) {
            return;
        }
        begun(test);
        note(SKIPPED, test.getUniqueId(), name(test), reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (!test.isTest() && passed) {
            return;
        }
        char kind = passed ? PASSED : result.getStatus() == TestExecutionResult.Status.ABORTED ? SKIPPED : FAILED;
        begun(test);
        note(
                kind,
                test.getUniqueId(),
                name(test),
                result.getThrowable().map(e -> text(kind, e)).orElse(""));
        keepStep(kind == FAILED);
    }

    /** All ranks have come so far. If this one is in trouble, all end: the launcher sees to it. */
    private void keepStep(boolean failed) {
        try {
            if (!failed) {
                world.exchange("after a test", new byte[0]);
                return;
            }
            // Others may be about to fail, too, and have something to say.
            Thread.sleep(1000);
        } catch (RuntimeException e) {
            System.out.println("after a test: " + e);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
        System.out.flush();
        halt();
    }

    /** Whatever the GPU waits for. */
    private static void halt() {
        Halt.now(ANEW);
    }

    /** What a test is or belongs to that can be left out; for a class, which fails as a whole, the class. */
    private static String part(UniqueId test) {
        UniqueId id = UniqueId.root(
                test.getSegments().getFirst().getType(),
                test.getSegments().getFirst().getValue());
        for (UniqueId.Segment segment :
                test.getSegments().subList(1, test.getSegments().size())) {
            id = id.append(segment);
            if (PARTS.contains(segment.getType())) {
                break;
            }
        }
        return id.toString();
    }

    private void begun(TestIdentifier test) {
        note(BEGUN, part(test.getUniqueIdObject()), "", "");
    }

    private String name(TestIdentifier test) {
        String name = test.getDisplayName();
        for (var parent = plan.getParent(test); parent.isPresent(); parent = plan.getParent(parent.get())) {
            if (parent.get().getParentId().isPresent()) {
                name = parent.get().getDisplayName() + " " + name;
            }
        }
        return name;
    }

    private static String text(char kind, Throwable e) {
        if (kind == SKIPPED) {
            return String.valueOf(e.getMessage());
        }
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private void note(char kind, String id, String name, String text) {
        String line = kind + "\t" + id + "\t" + encoded(name) + "\t" + encoded(text) + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
