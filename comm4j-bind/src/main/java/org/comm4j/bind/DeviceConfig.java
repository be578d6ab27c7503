// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.comm4j.bind.clang.Clang;

/**
 * Settings: what of a CUDA header becomes Java, and how. They are given on the command line or in a file with a line for each
 * setting, {@code KEY VALUE}, in which {@code #} starts a comment:
 *
 * <pre>
 * class org.example.Rng                  the Java class
 * arch sm_90                             the architecture of __CUDA_ARCH__, for which NVRTC tries the device code
 * clang /usr/bin/clang-19                the clang that reads the headers
 * header curand_kernel.h                 as in #include; several make one class
 * files curand_.*\.h                     files, by their names, whose declarations are wanted besides those of the headers themselves
 * include curand_.*                      names that are wanted; without any, all are
 * exclude .*_v2                          names that are not
 * strip curand_                          what Java names lack at their start
 * name curand_init = start               a Java name
 * define NAME=1                          a macro
 * type __half                            one more type that templates are instantiated with, besides int, long long, float, double
 * instantiate clamp&lt;float&gt;              a template of functions or of classes, with these arguments alone
 * intent modf.rest = return              a pointer or reference parameter: in, inout (as without), or return
 * opaque State                           a struct that only pointers go to
 * convergent .*_sync                     functions to which the threads of a warp or block come together
 * pure fabs                              functions that only compute their results
 * std c++20                              the version of C++
 * nvrtc --device-int128                  an option of NVRTC, also when a kernel is compiled
 * </pre>
 *
 * Names are patterns that match C++ names in full, with their namespaces or without.
 */
public final class DeviceConfig {
    /** What a pointer or reference parameter is for. */
    enum Intent {
        /** The function reads one value there: Java passes the value. */
        IN,
        /** Java passes a pointer. */
        INOUT,
        /** The function writes one value there: it is Java's result, or a part of it. */
        RETURN
    }

    static final List<String> DEFAULT_TYPES = List.of("int", "long long", "float", "double");

    String className = "";
    String clang = "";
    /** Whether NVRTC tries the wrappers, where it is found. */
    boolean tried = true;

    String architecture = "sm_90";
    String standard = "c++17";
    final List<String> headers = new ArrayList<>();
    final List<Pattern> files = new ArrayList<>();
    final List<Pattern> include = new ArrayList<>();
    final List<Pattern> exclude = new ArrayList<>();
    final List<Pattern> opaque = new ArrayList<>();
    final List<Pattern> convergent = new ArrayList<>();
    final List<Pattern> pure = new ArrayList<>();
    final List<String> strip = new ArrayList<>();
    final List<String> defines = new ArrayList<>();
    final List<String> nvrtc = new ArrayList<>();
    final List<String> instantiations = new ArrayList<>();
    /** What templates are instantiated with. */
    final List<String> types = new ArrayList<>(DEFAULT_TYPES);

    final Map<String, String> names = new LinkedHashMap<>();
    final Map<String, Intent> intents = new LinkedHashMap<>();

    /** Settings without any value. */
    public DeviceConfig() {}

    /**
     * Adds the settings of a file.
     *
     * @throws IllegalArgumentException if a line is wrong; the message names file and line
     */
    public void read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceAll("(^|\\s)#.*", "").strip();
            if (!line.isEmpty()) {
                String[] words = line.split("\\s+", 2);
                try {
                    set(words[0], words.length == 2 ? words[1] : "");
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /**
     * Adds a setting.
     *
     * @throws IllegalArgumentException if there is no such setting, or the value is none for it
     */
    public void set(String key, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(key + " needs a value");
        }
        switch (key) {
            case "arch" -> {
                if (!value.matches("sm_\\d+[af]?")) {
                    throw new IllegalArgumentException("arch " + value + ": sm_80, sm_90 and sm_100 are examples");
                }
                architecture = value;
            }
            case "class" -> {
                if (!value.matches("([a-z_]\\w*\\.)+[A-Z]\\w*")) {
                    throw new IllegalArgumentException(
                            "class " + value + ": a Java class with its package is needed, such as org.example.Curand");
                }
                className = value;
            }
            case "header" -> headers.add(value);
            case "files" -> files.add(pattern(key, value));
            case "include" -> include.add(pattern(key, value));
            case "exclude" -> exclude.add(pattern(key, value));
            case "opaque" -> opaque.add(pattern(key, value));
            case "convergent" -> convergent.add(pattern(key, value));
            case "pure" -> pure.add(pattern(key, value));
            case "strip" -> strip.add(value);
            case "clang" -> {
                if (!Files.isExecutable(Path.of(value))) {
                    throw new IllegalArgumentException("clang " + value + ": there is no such program");
                }
                clang = value;
            }
            case "type" -> types.add(value);
            case "define" -> defines.add(value);
            case "nvrtc" -> nvrtc.add(value);
            case "std" -> {
                if (!value.matches("c\\+\\+\\d\\d")) {
                    throw new IllegalArgumentException("std " + value + ": c++17 and c++20 are examples");
                }
                standard = value;
            }
            case "instantiate" -> {
                if (!value.matches("[\\w:]+\\s*<.+>")) {
                    throw new IllegalArgumentException(
                            "instantiate " + value + ": a template with its arguments is needed, such as clamp<float>");
                }
                instantiations.add(value);
            }
            case "name" -> {
                String[] sides = sides(key, value);
                if (!sides[1].matches("[A-Za-z_]\\w*")) {
                    throw new IllegalArgumentException("name " + value + ": " + sides[1] + " is no Java name");
                }
                names.put(sides[0], sides[1]);
            }
            case "intent" -> {
                String[] sides = sides(key, value);
                if (!sides[0].matches(".+\\.\\w+") || !sides[1].matches("in|inout|return")) {
                    throw new IllegalArgumentException(
                            "intent " + value + ": FUNCTION.PARAMETER = in, inout or return is needed");
                }
                intents.put(sides[0], Intent.valueOf(sides[1].toUpperCase(Locale.ROOT)));
            }
            default ->
                throw new IllegalArgumentException("there is no setting '" + key
                        + "'; there are class, arch, clang, header, files, include, exclude,"
                        + " strip, name, define, type, instantiate, intent, opaque,"
                        + " convergent, pure, std, nvrtc");
        }
    }

    private static String[] sides(String key, String value) {
        String[] sides = value.split("\\s*=\\s*", 2);
        if (sides.length != 2) {
            throw new IllegalArgumentException(key + " " + value + ": an = is missing");
        }
        return sides;
    }

    private static Pattern pattern(String key, String value) {
        try {
            return Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(key + " " + value + ": " + e.getDescription(), e);
        }
    }

    /** The clang that reads the headers. */
    String clang() {
        return clang.isEmpty() ? Clang.command() : clang;
    }

    /** What NVRTC gets besides folders of headers. */
    List<String> nvrtcOptions() {
        List<String> options = new ArrayList<>(List.of("-std=" + standard));
        options.addAll(nvrtc);
        return options;
    }

    static boolean matches(List<Pattern> patterns, String qualified) {
        String simple = qualified.substring(qualified.lastIndexOf(':') + 1);
        return patterns.stream()
                .anyMatch(pattern -> pattern.matcher(qualified).matches()
                        || pattern.matcher(simple).matches());
    }

    boolean isWanted(String qualified) {
        return (include.isEmpty() || matches(include, qualified)) && !matches(exclude, qualified);
    }

    /** The intent of a parameter of a function; one from the configuration or {@code INOUT}. */
    Intent intent(String function, String parameter) {
        String simple = function.substring(function.lastIndexOf(':') + 1);
        Intent intent = intents.get(function + "." + parameter);
        return intent != null ? intent : intents.getOrDefault(simple + "." + parameter, Intent.INOUT);
    }

    boolean isInstantiated(String template) {
        return instantiations.stream()
                .anyMatch(each ->
                        each.replaceAll("\\s*<.*", "").replaceAll("^::", "").equals(template));
    }
}
