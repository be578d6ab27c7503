// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test of a {@link Contract} that is run with each of these numbers of ranks that the engine can have and this build
 * runs.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0} ranks", allowZeroInvocations = true)
@ArgumentsSource(RankCounts.Provider.class)
@interface RankCounts {

    int[] value() default {1, 2, 3, 4, 5, 6, 7, 8};

    /** Leaves out what is too many. */
    final class Provider implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            int most = ((Contract) context.getRequiredTestInstance()).engine.mostRanks();
            int[] counts = context.getRequiredTestMethod()
                    .getAnnotation(RankCounts.class)
                    .value();
            int[] possible =
                    Arrays.stream(counts).filter(ranks -> ranks <= most).toArray();
            return Sizes.of(possible).stream().map(Arguments::of);
        }
    }
}
