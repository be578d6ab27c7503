// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * Calls of public methods with null for each parameter, in turn, that is not marked as nullable: the exception names
 * the parameter. The JVM's own message names a variable of the implementation at best.
 */
public final class NullArguments {
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(String.class, "text"),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(HostArray.class, HostArray.of(1f, 2f)),
            Map.entry(Buffer.class, HostArray.of(1f, 2f)),
            Map.entry(MemorySegment.class, Arena.global().allocate(64, 64)),
            Map.entry(Arena.class, Arena.global()),
            Map.entry(Runnable.class, (Runnable) () -> {}),
            Map.entry(byte[].class, new byte[2]),
            Map.entry(int[].class, new int[2]),
            Map.entry(long[].class, new long[1]),
            Map.entry(List.class, List.of()),
            Map.entry(Map.class, Map.of()),
            Map.entry(Object.class, "object"));

    private NullArguments() {}

    /**
     * Returns what is wrong with static methods and constructors.
     *
     * @param left names of methods that are not called
     * @param samples arguments for parameters of their types
     */
    public static List<String> ofType(Class<?> type, Set<String> left, Object... samples) {
        return wrong(
                type,
                null,
                samples,
                Stream.concat(
                        Stream.of(type.getConstructors()).filter(_ -> !Modifier.isAbstract(type.getModifiers())),
                        Stream.of(type.getDeclaredMethods()).filter(each -> Modifier.isStatic(each.getModifiers()))),
                left);
    }

    /**
     * Returns what is wrong with the methods of an object, as far as comm4j declares them; otherwise as {@link
     * #ofType}.
     */
    public static List<String> ofObject(Class<?> type, Object instance, Set<String> left, Object... samples) {
        return wrong(
                type,
                instance,
                samples,
                Stream.of(type.getMethods())
                        .filter(each -> !Modifier.isStatic(each.getModifiers()))
                        .filter(each -> each.getDeclaringClass().getName().startsWith("org.comm4j."))
                        .filter(each -> !each.getName().equals("equals")),
                left);
    }

    /**
     * Returns those of {@code some} whose call is wrong in {@code others}, too: calls with samples of different element
     * types.
     */
    public static List<String> inBoth(List<String> some, List<String> others) {
        Set<String> calls = others.stream().map(NullArguments::call).collect(Collectors.toSet());
        return some.stream().filter(each -> calls.contains(call(each))).toList();
    }

    private static String call(String problem) {
        return problem.substring(0, problem.indexOf(" = null: "));
    }

    private static List<String> wrong(
            Class<?> type,
            @Nullable Object instance,
            Object[] samples,
            Stream<? extends Executable> executables,
            Set<String> left) {
        List<String> wrong = new ArrayList<>();
        executables
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .filter(each -> !left.contains(each.getName()))
                .sorted(Comparator.comparing(Executable::toGenericString))
                .forEach(each -> {
                    AnnotatedType[] types = each.getAnnotatedParameterTypes();
                    for (int i = 0; i < each.getParameterCount(); i++) {
                        Parameter parameter = each.getParameters()[i];
                        if (!parameter.getType().isPrimitive() && !isNullable(types[i])) {
                            String problem = problem(each, instance, samples, i);
                            if (problem != null) {
                                wrong.add(type.getSimpleName() + "." + each.getName() + "("
                                        + String.join(
                                                ", ",
                                                Arrays.stream(each.getParameterTypes())
                                                        .map(Class::getSimpleName)
                                                        .toList())
                                        + ") with " + parameter.getName() + " = null: " + problem);
                            }
                        }
                    }
                });
        return wrong;
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private static @Nullable String problem(
            Executable executable, @Nullable Object instance, Object[] samples, int index) {
        Parameter[] parameters = executable.getParameters();
        @Nullable Object[] arguments = new Object[parameters.length];
        List<String> nulls = new ArrayList<>();
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = i == index ? null : sample(parameters[i].getType(), samples);
            if (arguments[i] == null) {
                nulls.add(parameters[i].getName() + " is null");
            }
        }
        try {
            executable.setAccessible(true);
            if (executable instanceof Method method) {
                method.invoke(instance, arguments);
            } else {
                ((Constructor<?>) executable).newInstance(arguments);
            }
            return "no exception";
        } catch (InvocationTargetException e) {
            String message = String.valueOf(e.getCause().getMessage());
            boolean told = nulls.stream().anyMatch(message::contains) || message.endsWith(" is null");
            boolean named = e.getCause() instanceof NullPointerException
                    && message.contains(": ")
                    && told
                    && !message.startsWith("Cannot ");
            return named ? null : String.valueOf(e.getCause());
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    private static @Nullable Object sample(Class<?> type, Object[] samples) {
        for (Object sample : samples) {
            if (type.isInstance(sample)) {
                return sample;
            }
        }
        if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type == DataType.class) {
            return DataType.FLOAT32;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        Object sample = SAMPLES.get(type);
        if (sample == null && type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (sample == null && type.isInterface() && type.getName().startsWith("java.util.function.")) {
            return Proxy.newProxyInstance(
                    NullArguments.class.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
        }
        return sample;
    }
}
