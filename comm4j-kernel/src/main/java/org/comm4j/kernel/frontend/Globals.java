// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Global;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Memory of the program that is not a variable: tables, strings, shared arrays. */
final class Globals {
    static final String DYNAMIC_SHARED = "dynamic_shared";
    private static final long WIDE = 16;

    private final List<Global> all = new ArrayList<>();
    private final Names names;
    private final Map<String, Global> strings = new HashMap<>();
    private @Nullable Global dynamic;

    Globals(Names names) {
        this.names = names;
    }

    List<Global> all() {
        return all;
    }

    private Value add(String name, Type.Space space, Type type, byte @Nullable [] content, long alignment) {
        Global global = new Global(names.unique(name), space, type, content, alignment);
        all.add(global);
        return new Value.AddressOf(global);
    }

    /** A table in constant memory; the same content is there once. */
    Value constant(String name, JavaType element, byte[] content) {
        Type type = new Type.Array(
                element.memory(), content.length / element.memory().bytes());
        for (Global known : all) {
            if (known.space() == Type.Space.CONSTANT
                    && known.type().equals(type)
                    && Arrays.equals(known.content(), content)) {
                return new Value.AddressOf(known);
            }
        }
        return add(name, Type.Space.CONSTANT, type, content, Math.max(type.alignment(), 1));
    }

    /** With the zero at its end that C wants. */
    Value string(String text) {
        Global known = strings.get(text);
        if (known == null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            byte[] content = Arrays.copyOf(bytes, bytes.length + 1);
            Value made = add("string", Type.Space.GLOBAL, new Type.Array(Scalar.I8, content.length), content, 1);
            known = ((Value.AddressOf) made).global();
            strings.put(text, known);
        }
        return new Value.AddressOf(known);
    }

    Value shared(String name, JavaType element, long length) {
        return add(name, Type.Space.SHARED, new Type.Array(element.memory(), length), null, WIDE);
    }

    /** What the launch has asked for; one for the whole program. */
    Value dynamicShared() {
        Global known = dynamic;
        if (known == null) {
            Value made = add(DYNAMIC_SHARED, Type.Space.SHARED, new Type.Array(Scalar.I8, 0), null, WIDE);
            known = ((Value.AddressOf) made).global();
            dynamic = known;
        }
        return new Value.AddressOf(known);
    }
}
