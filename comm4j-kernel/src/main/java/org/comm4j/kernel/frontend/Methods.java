// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.capture.ClassBytes;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.jspecify.annotations.Nullable;

/**
 * Resolution and selection of methods by the rules of the JVM (JVMS 5.4.3.3, 5.4.3.4 and 5.4.6). A call names a class
 * and a method. The class of the receiver decides which method runs, unless the method is private or static.
 */
final class Methods {
    private final ClassBytes classes;

    Methods(ClassBytes classes) {
        this.classes = classes;
    }

    /** Returns the method that a class or interface declares itself. */
    @Nullable
    Target declared(Class<?> in, String name, MethodTypeDesc type) {
        ClassModel model = classes.model(in);
        if (model != null) {
            for (MethodModel method : model.methods()) {
                if (method.methodName().equalsString(name)
                        && method.methodType().equalsString(type.descriptorString())) {
                    return new Target(in, name, type, method);
                }
            }
        }
        return null;
    }

    /** Resolves what a call names: a method of the class itself, of a superclass or of an interface. */
    @Nullable
    Target resolve(Class<?> owner, String name, MethodTypeDesc type) {
        for (Class<?> in = owner; in != null; in = in.getSuperclass()) {
            Target found = declared(in, name, type);
            if (found != null) {
                return found;
            }
        }
        if (owner.isInterface()) {
            Target ofObject = declared(Object.class, name, type);
            if (ofObject != null && ofObject.is(Modifier.PUBLIC) && !ofObject.isStatic()) {
                return ofObject;
            }
        }
        List<Target> inherited = maximallySpecific(owner, name, type);
        List<Target> defaults =
                inherited.stream().filter(each -> !each.isAbstract()).toList();
        if (defaults.size() == 1) {
            return defaults.getFirst();
        }
        return inherited.isEmpty() ? null : inherited.getFirst();
    }

    /** Selects the method that runs on a receiver of a class; null if none has code. */
    @Nullable
    Target select(Class<?> receiver, Target resolved) {
        if (resolved.is(Modifier.PRIVATE)) {
            return resolved;
        }
        for (Class<?> in = receiver; in != null; in = in.getSuperclass()) {
            Target found = declared(in, resolved.name(), resolved.type());
            if (found != null && overrides(found, resolved)) {
                return found.isAbstract() ? null : found;
            }
        }
        List<Target> defaults = maximallySpecific(receiver, resolved.name(), resolved.type()).stream()
                .filter(each -> !each.isAbstract())
                .toList();
        return defaults.size() == 1 ? defaults.getFirst() : null;
    }

    /**
     * Returns the method that {@code invokespecial} runs. It belongs to the named class or interface, whatever the
     * receiver overrides.
     *
     * @param caller the class whose code has the call
     */
    @Nullable
    Target special(Class<?> caller, Class<?> owner, String name, MethodTypeDesc type) {
        Target resolved = resolve(owner, name, type);
        if (resolved == null) {
            return null;
        }
        Class<?> above = caller.getSuperclass();
        boolean isSuper = above != null && owner != caller && !owner.isInterface() && owner.isAssignableFrom(above);
        return select(isSuper ? above : owner, resolved);
    }

    private static boolean overrides(Target found, Target resolved) {
        if (found.owner() == resolved.owner()) {
            return true;
        }
        return !found.isStatic()
                && !found.is(Modifier.PRIVATE)
                && (resolved.is(Modifier.PUBLIC)
                        || resolved.is(Modifier.PROTECTED)
                        || found.owner().getPackage() == resolved.owner().getPackage());
    }

    /** Returns what the interfaces of a class declare, without what another of them overrides. */
    private List<Target> maximallySpecific(Class<?> of, String name, MethodTypeDesc type) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> in = of; in != null; in = in.getSuperclass()) {
            interfaces(in, interfaces);
        }
        List<Target> all = new ArrayList<>();
        for (Class<?> each : interfaces) {
            Target found = declared(each, name, type);
            if (found != null && !found.isStatic() && !found.is(Modifier.PRIVATE)) {
                all.add(found);
            }
        }
        return all.stream()
                .filter(each -> all.stream()
                        .noneMatch(other ->
                                other.owner() != each.owner() && each.owner().isAssignableFrom(other.owner())))
                .toList();
    }

    private static void interfaces(Class<?> of, Set<Class<?>> all) {
        if (of.isInterface()) {
            all.add(of);
        }
        for (Class<?> above : of.getInterfaces()) {
            interfaces(above, all);
        }
    }
}
