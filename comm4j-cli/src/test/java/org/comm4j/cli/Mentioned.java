// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types in the signatures that a public type shows to its users; annotations do not count. */
final class Mentioned {
    private final Set<Class<?>> classes = new LinkedHashSet<>();
    private final Set<Type> seen = new HashSet<>();

    private Mentioned() {}

    static Set<Class<?>> by(Class<?> type) {
        Mentioned mentioned = new Mentioned();
        mentioned.add(type.getGenericSuperclass());
        mentioned.addAll(type.getGenericInterfaces());
        mentioned.addAll(type.getTypeParameters());
        for (Field field : type.getDeclaredFields()) {
            if (isShown(field.getModifiers())) {
                mentioned.add(field.getGenericType());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            mentioned.executable(constructor);
        }
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic() && isShown(method.getModifiers())) {
                mentioned.add(method.getGenericReturnType());
                mentioned.executable(method);
            }
        }
        return mentioned.classes;
    }

    /** Whether users can name the type: it and what it is nested in are public or protected. */
    static boolean isPublic(Class<?> type) {
        return isShown(type.getModifiers())
                && (type.getEnclosingClass() == null || type.isMemberClass() && isPublic(type.getEnclosingClass()));
    }

    private static boolean isShown(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private void executable(Executable executable) {
        if (isShown(executable.getModifiers())) {
            addAll(executable.getGenericParameterTypes());
            addAll(executable.getGenericExceptionTypes());
            addAll(executable.getTypeParameters());
        }
    }

    private void addAll(Type[] types) {
        for (Type type : types) {
            add(type);
        }
    }

    private void add(@Nullable Type type) {
        if (type == null || !seen.add(type)) {
            return;
        }
        switch (type) {
            case Class<?> plain when plain.isArray() -> add(plain.getComponentType());
            case Class<?> plain -> {
                if (!plain.isPrimitive()) {
                    classes.add(plain);
                }
            }
            case ParameterizedType generic -> {
                add(generic.getRawType());
                addAll(generic.getActualTypeArguments());
            }
            case GenericArrayType array -> add(array.getGenericComponentType());
            case WildcardType wildcard -> {
                addAll(wildcard.getUpperBounds());
                addAll(wildcard.getLowerBounds());
            }
            case TypeVariable<?> variable -> addAll(variable.getBounds());
            default -> throw new AssertionError(type);
        }
    }
}
