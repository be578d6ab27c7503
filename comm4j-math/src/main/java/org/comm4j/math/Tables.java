// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What was made for keys, those used last; what has to go is closed. For one thread at a time. */
final class Tables implements AutoCloseable {
    private final int most;
    private final Map<Object, AutoCloseable> made = new LinkedHashMap<>(16, 0.75f, true);

    Tables(int most) {
        this.most = most;
    }

    @SuppressWarnings("unchecked")
    <T extends AutoCloseable> T of(Object key, Supplier<T> make) {
        AutoCloseable known = made.get(key);
        if (known == null) {
            if (made.size() >= most) {
                Iterator<AutoCloseable> oldest = made.values().iterator();
                close(oldest.next());
                oldest.remove();
            }
            known = make.get();
            made.put(key, known);
        }
        return (T) known;
    }

    private static void close(AutoCloseable table) {
        try {
            table.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        made.values().forEach(Tables::close);
        made.clear();
    }
}
