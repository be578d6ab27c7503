// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Says at the end which tests did not run and why; a reason is printed once for each class, with how often it applied.
 */
public final class SkipReporter implements TestExecutionListener {
    private final Map<String, LongAdder> skipped = new ConcurrentHashMap<>();

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        count(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.ABORTED) {
            count(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        skipped.forEach((what, times) ->
                System.out.println("Skipped " + what + (times.sum() == 1 ? "" : " (" + times + " times)")));
        skipped.clear();
    }

    private void count(TestIdentifier test, String reason) {
        String where = test.getSource()
                .map(source -> switch (source) {
                    case MethodSource method -> method.getJavaClass().getSimpleName();
                    case ClassSource type -> type.getJavaClass().getSimpleName();
                    default -> test.getDisplayName();
                })
                .orElse(test.getDisplayName());
        skipped.computeIfAbsent(where + ": " + reason, key -> new LongAdder()).increment();
    }
}
