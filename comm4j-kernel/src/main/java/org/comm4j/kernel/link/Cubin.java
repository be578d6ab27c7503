// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Machine code as the linker left it, an ELF file: which kernels it has, what they use, what is missing. */
public final class Cubin {
    /** The driver has these functions itself. */
    private static final Set<String> OF_THE_DRIVER = Set.of("vprintf", "__assertfail", "malloc", "free");

    // Attributes in .nv.info, and how their values are stored.
    private static final int FORMAT_BYTES = 4;
    private static final int FRAME_SIZE = 0x11;
    private static final int REGISTERS = 0x2f;

    private record Section(String name, int type, long offset, long size, int link) {}

    private record Symbol(String name, int type, int section, int other) {}

    /** From Hopper on, the first bytes of a block's shared memory are the system's. */
    private static final int RESERVED_SHARED = 1024;

    private static final int FUNCTION = 2;
    /** In a symbol's {@code st_other}. */
    private static final int KERNEL = 0x10;

    private final ByteBuffer elf;
    private final List<Section> sections = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();
    private final Map<Integer, Integer> frames = new HashMap<>();
    private final Map<Integer, Integer> registers = new HashMap<>();

    /** @throws IllegalArgumentException if it is no cubin */
    public Cubin(byte[] content) {
        elf = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < 64 || elf.getInt(0) != 0x464c457f) {
            throw new IllegalArgumentException("these " + content.length + " bytes are no cubin");
        }
        try {
            readSections();
            readSymbols();
            sections.stream()
                    .filter(section -> section.name().equals(".nv.info"))
                    .forEach(this::readInfo);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("this cubin of " + content.length + " bytes is damaged", e);
        }
    }

    private void readSections() {
        int start = (int) elf.getLong(40);
        int size = elf.getShort(58);
        int count = elf.getShort(60);
        int names = elf.getShort(62);
        int texts = (int) elf.getLong(start + names * size + 24);
        for (int i = 0; i < count; i++) {
            int at = start + i * size;
            sections.add(new Section(
                    string(texts + elf.getInt(at)),
                    elf.getInt(at + 4),
                    elf.getLong(at + 24),
                    elf.getLong(at + 32),
                    elf.getInt(at + 40)));
        }
    }

    private void readSymbols() {
        for (Section table : sections) {
            if (table.type() == 2) {
                int texts = (int) sections.get(table.link()).offset();
                for (int at = (int) table.offset(); at < table.offset() + table.size(); at += 24) {
                    symbols.add(new Symbol(
                            string(texts + elf.getInt(at)),
                            elf.get(at + 4) & 0xf,
                            Short.toUnsignedInt(elf.getShort(at + 6)),
                            Byte.toUnsignedInt(elf.get(at + 5))));
                }
            }
        }
    }

    private void readInfo(Section info) {
        int at = (int) info.offset();
        long end = info.offset() + info.size();
        while (at + 4 <= end) {
            int format = elf.get(at);
            int attribute = Byte.toUnsignedInt(elf.get(at + 1));
            int size = format == FORMAT_BYTES ? Short.toUnsignedInt(elf.getShort(at + 2)) : 0;
            if (size == 8 && attribute == FRAME_SIZE) {
                frames.put(elf.getInt(at + 4), elf.getInt(at + 8));
            } else if (size == 8 && attribute == REGISTERS) {
                registers.put(elf.getInt(at + 4), elf.getInt(at + 8));
            }
            at += 4 + (size + 3) / 4 * 4;
        }
    }

    private String string(int at) {
        int end = at;
        while (elf.get(end) != 0) {
            end++;
        }
        return new String(elf.array(), at, end - at, StandardCharsets.UTF_8);
    }

    private Section section(String name) {
        return sections.stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElse(new Section(name, 0, 0, 0, 0));
    }

    private int symbol(String name) {
        for (int i = 0; i < symbols.size(); i++) {
            if (symbols.get(i).name().equals(name) && symbols.get(i).type() == FUNCTION) {
                return i;
            }
        }
        return -1;
    }

    /** Whether it has a function of this name that is a kernel. */
    boolean hasKernel(String name) {
        int index = symbol(name);
        return index >= 0
                && (symbols.get(index).other() & KERNEL) != 0
                && section(".text." + name).size() > 0;
    }

    /** Functions and variables that are nowhere, the driver's own left out. */
    List<String> unresolved() {
        return symbols.stream()
                .filter(symbol -> symbol.section() == 0
                        && !symbol.name().isEmpty()
                        && !OF_THE_DRIVER.contains(symbol.name())
                        && !symbol.name().startsWith(".nv."))
                .map(Symbol::name)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Functions that were not inlined; those that NVIDIA's compilers make themselves, for divisions and powers, left
     * out.
     */
    public List<String> functions(String kernel) {
        String own = "$" + kernel + "$";
        return symbols.stream()
                .filter(symbol -> symbol.type() == FUNCTION && symbol.section() != 0)
                .map(Symbol::name)
                .filter(name -> !name.equals(kernel))
                .map(name -> name.startsWith(own) ? name.substring(own.length()) : name)
                .filter(name -> !name.startsWith("$") && !name.startsWith("__internal_"))
                .sorted()
                .toList();
    }

    /** Registers of a thread. */
    int registers(String kernel) {
        return registers.getOrDefault(symbol(kernel), 0);
    }

    /** Bytes of local memory of a thread: arrays that are no registers, and registers that did not fit. */
    int localBytes(String kernel) {
        return frames.getOrDefault(symbol(kernel), 0);
    }

    /** Bytes of shared memory that the kernel declares. */
    int sharedBytes(String kernel) {
        long all = section(".nv.shared." + kernel).size();
        boolean reserved = sections.stream().anyMatch(section -> section.name().equals(".nv.shared.reserved.0"));
        return (int) (reserved ? Math.max(all - RESERVED_SHARED, 0) : all);
    }

    /** Bytes of machine code. */
    int codeBytes(String kernel) {
        return (int) section(".text." + kernel).size();
    }

    /** For tests and for those who want to know: the names of all sections and symbols. */
    @Override
    public String toString() {
        return "Cubin" + sections.stream().map(s -> s.name() + ":" + s.size()).toList() + symbols;
    }
}
