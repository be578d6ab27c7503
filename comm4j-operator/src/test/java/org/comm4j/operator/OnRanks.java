// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Numbers of ranks of a test: all by night, otherwise the first one, and two or three ranks, which of them depends on
 * the test's name.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(OnRanks.Numbers.class)
public @interface OnRanks {
    /** Returns all of them: one rank first, then two, three, and maybe more. */
    int[] value();

    /** What the annotation gives to the test. */
    final class Numbers implements ArgumentsProvider, AnnotationConsumer<OnRanks> {
        private int[] all = {};

        Numbers() {}

        @Override
        public void accept(OnRanks numbers) {
            all = numbers.value();
        }

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            int name = context.getRequiredTestMethod().getName().hashCode();
            int[] wanted = Nightly.isOn() ? all : new int[] {all[0], all[1 + Math.floorMod(name, 2)]};
            return Arrays.stream(wanted).mapToObj(Arguments::of);
        }
    }
}
