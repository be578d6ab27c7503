// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.comm4j.core.Communicator;
import org.comm4j.core.PersistentGroup;

/**
 * A communicator that counts the calls of its operations.
 *
 * @param communicator to make a backend of
 * @param calls by the name of the method; to be cleared at will
 */
public record CountingCommunicator(Communicator communicator, Map<String, Integer> calls) {
    /** What a communicator tells of itself. */
    private static final Set<String> FACTS = Set.of("rank", "size", "engine", "toString", "hashCode", "equals");

    /** Returns one that does what another one does. */
    public static CountingCommunicator of(Communicator inner) {
        Map<String, Integer> calls = new TreeMap<>();
        return new CountingCommunicator(proxy(Communicator.class, inner, calls), calls);
    }

    /** Operations that are prepared count when they are done, too. */
    private static <T> T proxy(Class<T> type, T inner, Map<String, Integer> calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    if (!FACTS.contains(method.getName())) {
                        calls.merge(method.getName(), 1, Integer::sum);
                    }
                    try {
                        Object result = method.invoke(inner, arguments);
                        return result instanceof PersistentGroup group
                                ? proxy(PersistentGroup.class, group, calls)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
