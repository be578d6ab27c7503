// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.capture.Content;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.Provenance;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.Sha256;
import org.comm4j.kernel.loops.LoopStore;
import org.jspecify.annotations.Nullable;

/**
 * Entries of the disk cache with what earlier processes have made of a kernel for processors. A process whose kernels
 * are there has neither to read nor to write bytecode, for which it would load a thousand classes and run a compiler
 * that is not compiled itself. An entry is good as long as all classes that were looked at have the same content.
 */
final class CodeCache implements LoopStore {
    /** Raised when the same classes give something else. */
    private static final String VERSION = "kernel for processors 1";

    /**
     * The properties of a kernel besides its loops.
     *
     * @param maxThreads of a block; 0 if it does not say
     * @param names of its parameters
     * @param outline as of its loops; null if it has none
     * @param notLooped why it has none; null if it has, or is not to have any
     */
    record Facts(
            boolean waits,
            boolean ends,
            boolean cooperative,
            int maxThreads,
            List<String> names,
            byte @Nullable [] outline,
            @Nullable String notLooped) {}

    private final DiskCache cache;
    private final KernelSource source;
    private final String key;
    /** The beginning of keys of its loops; null as long as nothing is known that was kept. */
    private @Nullable String loops;
    /** Whether it is known that nothing can be kept. */
    private boolean refused;

    private CodeCache(DiskCache cache, KernelSource source, String key) {
        this.cache = cache;
        this.source = source;
        this.key = key;
    }

    /** Returns the entries of a kernel; null if nothing is kept of such a one. */
    static @Nullable CodeCache of(DiskCache cache, KernelSource source, CpuOptions options) {
        String compiler = cache.isNone() ? null : Content.ofWhole(CodeCache.class, cache);
        if (compiler == null) {
            return null;
        }
        List<byte[]> name = Provenance.name(
                source,
                cache,
                VERSION,
                compiler,
                options.mode().name(),
                String.valueOf(options.isShuffled()),
                String.valueOf(options.timeout().isZero()),
                String.valueOf(source.method().getDeclaringClass().desiredAssertionStatus()));
        return name == null ? null : new CodeCache(cache, source, DiskCache.key(name));
    }

    /** Returns what was kept, if it is still good. */
    @Nullable
    Facts recall() {
        byte[] kept = cache.get(key);
        if (kept == null) {
            return null;
        }
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept));
            for (int left = in.readInt(); left > 0; left--) {
                if (!Provenance.isSame(source, in.readUTF(), cache)) {
                    return null;
                }
            }
            refused = in.readBoolean();
            if (refused) {
                return null;
            }
            boolean waits = in.readBoolean();
            boolean ends = in.readBoolean();
            boolean cooperative = in.readBoolean();
            int maxThreads = in.readInt();
            List<String> names = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                names.add(in.readUTF());
            }
            byte[] outline = in.readNBytes(in.readInt());
            String notLooped = in.readUTF();
            loops = loops(kept);
            return new Facts(
                    waits,
                    ends,
                    cooperative,
                    maxThreads,
                    names,
                    outline.length == 0 ? null : outline,
                    notLooped.isEmpty() ? null : notLooped);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException damaged) {
            return null;
        }
    }

    /** Returns whether an earlier process has found out that nothing can be kept. */
    boolean isRefused() {
        return refused;
    }

    /**
     * Keeps it for other processes, if that can be done.
     *
     * @param facts null if they may be others in another process, although the classes are the same
     * @param classes all that were looked at
     */
    void keep(@Nullable Facts facts, Set<Class<?>> classes) {
        List<String> lines = Provenance.classes(source, classes, cache);
        if (lines == null || !Content.isUnchanged(CodeCache.class)) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(lines.size());
            for (String line : lines) {
                out.writeUTF(line);
            }
            out.writeBoolean(facts == null);
            if (facts != null) {
                write(facts, out);
            }
        } catch (IOException e) {
            return; // a name of more than 64 KiB
        }
        byte[] content = bytes.toByteArray();
        cache.put(key, content);
        loops = facts == null ? null : loops(content);
    }

    private static void write(Facts facts, DataOutputStream out) throws IOException {
        out.writeBoolean(facts.waits);
        out.writeBoolean(facts.ends);
        out.writeBoolean(facts.cooperative);
        out.writeInt(facts.maxThreads);
        out.writeInt(facts.names.size());
        for (String name : facts.names) {
            out.writeUTF(name);
        }
        byte[] outline = facts.outline == null ? new byte[0] : facts.outline;
        out.writeInt(outline.length);
        out.write(outline);
        out.writeUTF(facts.notLooped == null ? "" : facts.notLooped);
    }

    /** Waits until no other process makes the same. */
    DiskCache.Turn turn() {
        return cache.turn(key);
    }

    @Override
    public LoopStore.Turn turn(String name) {
        return loops == null ? LoopStore.NONE.turn(name) : cache.turn(loops.concat(name))::close;
    }

    /** Loops belong to what was kept of the kernel, and so to the content of its classes. */
    private String loops(byte[] kept) {
        return String.join(" ", key, Sha256.hex(kept), "");
    }

    @Override
    public byte @Nullable [] get(String name) {
        return loops == null ? null : cache.get(loops.concat(name));
    }

    @Override
    public void put(String name, byte[] content) {
        if (loops != null) {
            cache.put(loops.concat(name), content);
        }
    }
}
