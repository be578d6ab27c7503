// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.LeftOut;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Nvrtc;
import org.jspecify.annotations.Nullable;

/**
 * The wrappers of a header as NVRTC sees them, which has the last word: in its surroundings a header may lack what
 * clang saw. What it refuses is left out with its reason, and everything else stays. Without NVRTC nothing is refused.
 */
final class NvrtcCheck {
    private static final String UNIT = "comm4j_unit.cu";
    private static final Pattern ERROR = Pattern.compile("(?m)^(\\S+)\\((\\d+)\\): (?:catastrophic )?error: (.*)");
    private static final Pattern ASSERTED = Pattern.compile(
            "static_assert\\(sizeof\\(::(.*?)\\) ==.*|" + "static_assert\\(__INTADDR__\\(&\\(\\(::(.*?)\\*\\)0\\).*");
    /** Headers that a processor's C++ has, and NVRTC has not. */
    private static final Pattern STANDARD = Pattern.compile("cannot open source file \"([a-z_]+(?:\\.h)?)\"");

    /** With a hundred instances of CUB's templates in one program NVRTC 13.5 ends the process. */
    private static final int TOGETHER = 16;

    private final DeviceConfig config;
    private final String provenance;
    private final Set<Struct> structs;
    private final Collection<Enumeration> enums;
    private final List<LeftOut> leftOut;
    private final List<String> options;

    NvrtcCheck(
            DeviceConfig config,
            String provenance,
            Set<Struct> structs,
            Collection<Enumeration> enums,
            List<Path> includes,
            List<LeftOut> leftOut) {
        this.config = config;
        this.provenance = provenance;
        this.structs = new LinkedHashSet<>(structs);
        this.enums = enums;
        this.leftOut = leftOut;
        options = new ArrayList<>(config.nvrtcOptions());
        includes.stream().distinct().forEach(folder -> options.add("-I" + folder));
    }

    /** The structs whose layout NVRTC confirms. */
    Set<Struct> structs() {
        return structs;
    }

    /**
     * Returns the bindings that NVRTC compiles.
     *
     * @throws IllegalArgumentException if it refuses the header without any wrapper
     */
    List<DeviceBinding> accepted(List<DeviceBinding> bindings) {
        if (!config.tried || Nvrtc.problem() != null) {
            return bindings;
        }
        Set<DeviceBinding> all = new LinkedHashSet<>(bindings);
        List<DeviceBinding> fixed = bindings.stream()
                .filter(binding -> binding.callable().gaps() == null)
                .toList();
        Set<DeviceBinding> kept = new LinkedHashSet<>(acceptedTogether(fixed));
        Map<String, List<DeviceBinding>> instances = new LinkedHashMap<>();
        for (DeviceBinding binding : bindings) {
            if (binding.callable().gaps() != null) {
                // Those that give more of the arguments are of the same function.
                String function = binding.symbol().replaceFirst("_given\\d+", "");
                instances.computeIfAbsent(function, _ -> new ArrayList<>()).add(binding);
            }
        }
        List<List<DeviceBinding>> functions = List.copyOf(instances.values());
        for (int i = 0; i < functions.size(); i += TOGETHER) {
            List<List<DeviceBinding>> part = functions.subList(i, Math.min(i + TOGETHER, functions.size()));
            Set<DeviceBinding> accepted = new LinkedHashSet<>(
                    acceptedTogether(part.stream().map(List::getFirst).toList()));
            part.stream().filter(each -> accepted.contains(each.getFirst())).forEach(kept::addAll);
        }
        all.retainAll(kept);
        return List.copyOf(all);
    }

    private List<DeviceBinding> acceptedTogether(List<DeviceBinding> bindings) {
        List<DeviceBinding> rest = new ArrayList<>(bindings);
        while (true) {
            String shim = shim(rest);
            String log = errors(shim);
            if (log == null) {
                return rest;
            }
            if (dropStructs(shim, rest, log) || dropWrappers(shim, rest, log)) {
                continue;
            }
            // Its errors are not in a wrapper: in the header itself, or in what a wrapper makes of a template there.
            String bare = errors(shim(List.of()));
            if (bare != null) {
                throw new IllegalArgumentException("NVRTC refuses the header: " + bare + hint(bare));
            }
            Map<DeviceBinding, String> guilty = new LinkedHashMap<>();
            bisect(rest, log, guilty);
            if (guilty.isEmpty()) {
                throw new IllegalArgumentException(
                        "NVRTC refuses the wrappers together, and each one alone compiles: " + log);
            }
            guilty.forEach(this::leaveOut);
            rest.removeAll(guilty.keySet());
        }
    }

    private String shim(List<DeviceBinding> bindings) {
        return DeviceShim.write(config, provenance, bindings, structs, enums) + DeviceShim.tried(bindings);
    }

    /** Compiles; returns the messages, or null if there was no error. */
    private @Nullable String errors(String shim) {
        try {
            Nvrtc.compileLto(shim, UNIT, config.architecture, options.toArray(String[]::new));
            return null;
        } catch (CudaException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void leaveOut(DeviceBinding binding, String reason) {
        leftOut.add(new LeftOut(
                binding.callable().qualified() + " " + binding.callable().type(),
                binding.callable().place(),
                "NVRTC: " + reason));
    }

    /** Drops structs whose layout NVRTC cannot see or sees otherwise, and what takes or returns them by value. */
    private boolean dropStructs(String shim, List<DeviceBinding> rest, String log) {
        List<String> lines = shim.lines().toList();
        Map<String, String> wrong = new LinkedHashMap<>();
        for (Matcher error = ERROR.matcher(log); error.find(); ) {
            int line = Integer.parseInt(error.group(2));
            if (error.group(1).endsWith(UNIT) && line >= 1 && line <= lines.size()) {
                Matcher asserted = ASSERTED.matcher(lines.get(line - 1));
                if (asserted.matches()) {
                    wrong.putIfAbsent(
                            asserted.group(1) == null ? asserted.group(2) : asserted.group(1), error.group(3));
                }
            }
        }
        List<Struct> dropped = structs.stream()
                .filter(struct -> wrong.containsKey(struct.cpp()))
                .toList();
        for (Struct struct : dropped) {
            String reason = "the layout of " + struct.cpp() + ": " + wrong.get(struct.cpp());
            leftOut.add(new LeftOut(struct.cpp(), struct.aggregate().place(), "NVRTC: " + reason));
            rest.stream().filter(binding -> binding.mentions(struct)).forEach(binding -> leaveOut(binding, reason));
            rest.removeIf(binding -> binding.mentions(struct));
            structs.remove(struct);
        }
        return !dropped.isEmpty();
    }

    private boolean dropWrappers(String shim, List<DeviceBinding> rest, String log) {
        List<String> lines = shim.lines().toList();
        Map<DeviceBinding, String> refused = new LinkedHashMap<>();
        for (Matcher error = ERROR.matcher(log); error.find(); ) {
            if (!error.group(1).endsWith(UNIT)) {
                continue;
            }
            for (int i = Math.min(Integer.parseInt(error.group(2)), lines.size()) - 1; i >= 0; i--) {
                String line = lines.get(i);
                if (line.startsWith("extern \"C\"") || line.startsWith("comm4j_")) {
                    String reason = error.group(3);
                    rest.stream()
                            .filter(binding -> line.contains(" " + binding.symbol() + "(")
                                    || line.startsWith(binding.symbol() + "("))
                            .forEach(binding -> refused.putIfAbsent(binding, reason));
                    break;
                }
            }
        }
        refused.forEach(this::leaveOut);
        return rest.removeAll(refused.keySet());
    }

    /** Finds those that do not compile alone, by halves. */
    private void bisect(List<DeviceBinding> suspects, String log, Map<DeviceBinding, String> guilty) {
        if (suspects.size() == 1) {
            Matcher error = ERROR.matcher(log);
            guilty.put(suspects.getFirst(), error.find() ? error.group(1) + ": " + error.group(3) : log);
            return;
        }
        int half = suspects.size() / 2;
        for (List<DeviceBinding> part : List.of(suspects.subList(0, half), suspects.subList(half, suspects.size()))) {
            String errors = errors(shim(part));
            if (errors != null) {
                bisect(part, errors, guilty);
            }
        }
    }

    private static String hint(String log) {
        Matcher header = STANDARD.matcher(log);
        if (header.find()) {
            return "\nNVRTC has no headers of the C and C++ libraries; CCCL's take their place: #include <cuda/std/"
                    + header.group(1)
                            .replaceFirst("^std(int|def)\\.h$", "cstd$1")
                            .replaceFirst("\\.h$", "")
                    + "> where __CUDACC_RTC__ is defined. Host libraries such as zlib have no device functions;"
                    + " jextract makes their bindings.";
        }
        if (log.contains("--device-int128")) {
            return "\n--nvrtc --device-int128 turns it on";
        }
        return "";
    }
}
