// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The components of a class of records, in their order. */
public final class Components {
    private static final ClassValue<Components> OF = new ClassValue<>() {
        @Override
        protected Components computeValue(Class<?> type) {
            return new Components(type);
        }
    };

    private static final Object[] NOTHING = {};

    private final List<String> names;
    private final List<Method> accessors;
    private final boolean isReadable;

    private Components(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        this.names = Stream.of(components).map(RecordComponent::getName).toList();
        this.accessors = Stream.of(components).map(RecordComponent::getAccessor).toList();
        this.isReadable = accessors.stream().allMatch(Method::trySetAccessible);
    }

    public static Components of(Record value) {
        return OF.get(value.getClass());
    }

    public int count() {
        return accessors.size();
    }

    public String name(int component) {
        return names.get(component);
    }

    /**
     * Reads a component.
     *
     * @param where the record, as messages call it; asked only for them, as launches take no time for words
     * @throws IllegalArgumentException if it cannot be read
     * @throws NullPointerException if it is null
     */
    public Object value(Record of, int component, Supplier<String> where) {
        if (!isReadable) {
            throw new IllegalArgumentException(where.get() + ": "
                    + of.getClass().getName() + " cannot be read; open its package to org.comm4j.kernel");
        }
        try {
            Object value = accessors.get(component).invoke(of, NOTHING);
            if (value == null) {
                throw new NullPointerException(where.get() + ": " + name(component) + " is null");
            }
            return value;
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalArgumentException(where.get() + ": " + name(component) + " cannot be read", e);
        }
    }
}
