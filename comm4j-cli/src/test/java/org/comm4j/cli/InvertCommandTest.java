// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.comm4j.apps.Picture;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inversions as a user meets them: options, output, pictures, and ranks that are processes. */
class InvertCommandTest {
    private static final String POSTSTACK = "poststack --ny 3 --nx 20 --nt 40 --iterations 10 --type FLOAT64";
    private static final String LSM = "lsm --nx 20 --nz 12 --sources 3 --receivers 4 --iterations 10 --type FLOAT64";

    @TempDir
    private Path folder;

    private static Outcome invert(String words, String... more) {
        List<String> all = new ArrayList<>(List.of(("invert " + words).split(" ")));
        all.addAll(List.of(more));
        return Running.here(all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        poststack --nt=7           | 20 x 120 x 7 samples: at least 1 trace
        poststack --ny=0           | 0 x 120 x 200 samples: at least 1 trace
        poststack --iterations=0   | --iterations 0: at least 1
        poststack --damp=-1        | --damp -1.0: a finite number, at least 0
        poststack --laplacian=NaN  | --laplacian NaN: a finite number
        poststack --noise=Infinity | --noise Infinity: a finite number
        poststack --dt=0           | --dt 0.0: a finite number, more than 0
        poststack --frequency=125  | --frequency 125.0: at least 0.25 and less than 125.0 Hz
        poststack --type=INT8      | --type INT8: FLOAT32 or FLOAT64
        poststack --every=3        | --every 3: at least 1, and --png names the files
        poststack --png=/nowhere/a.png | there is no folder
        poststack --png=a.gif      | pictures are PNG files
        poststack --model=none.npy | --model none.npy: there is no such file
        poststack --model=pom.xml  | --model pom.xml: it is no .npy file
        poststack --model=a --nx=3 | the model's file has its own sizes
        poststack --nx=many        | 'many'
        poststack -n 0             | -n 0: at least 1 rank
        poststack --tv --laplacian=1 | --laplacian and --tv: one or the other
        poststack --tv=-1          | --tv -1.0: a finite number, at least 0
        poststack --tv --damp=1    | --damp 1.0: total variation has none
        poststack --tv --solver=x  | --solver x: admm or primal-dual
        poststack --solver=admm    | --solver admm: it is of --tv
        reflectivity --sparsity=1  | --sparsity 1.0: at least 0 and less than 1
        reflectivity --damp=1      | --damp 1.0: FISTA has none
        reflectivity --nt=7        | 20 x 120 x 7 samples: at least 1 trace
        reflectivity --frequency=0 | --frequency 0.0: at least 0.25
        poststack --engine=smoke   | there is no engine 'smoke'
        poststack --ny=2000000000  | GiB; take smaller sizes
        lsm --sources=9999 --receivers=9999 --nx=9 --nz=9 --nt=9999 | GiB; take smaller sizes
        lsm --nx=3                 | 3 x 80 points: at least 4
        lsm --sources=0            | --sources 0: at least 1
        lsm --receivers=-1         | --receivers -1: at least 1
        lsm --nt=1                 | --nt 1: at least 2
        lsm --dx=0                 | --dx 0.0: a finite number, more than 0
        lsm --velocity=-5          | --velocity -5.0: a finite number, more than 0
        lsm --velocity=1e-9        | --nt says how many
        lsm --angle=91             | --angle 91.0: more than 0 and at most 90
        lsm --aperture=-1          | --aperture -1.0: a finite number, at least 0
        lsm --sources=100000 --receivers=100000 | take fewer of them
        lsm --model=none.npy       | --model none.npy: there is no such file
        """)
    void whatIsWrongIsRefusedInALine(String words, String message) {
        Outcome outcome = invert(words);
        assertThat(outcome.err()).startsWith("comm4j: ").contains(message).contains("--help");
        assertThat(outcome.err().lines()).hasSize(2);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void whichInversionIsToBeSaid() {
        Outcome outcome = Running.here(List.of("invert"));
        assertThat(outcome.err()).startsWith("comm4j: Missing COMMAND: one of poststack, reflectivity, lsm");
        assertThat(outcome.code()).isEqualTo(2);
    }

    /** The line with the results, but for the time. */
    private static String result(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome.lines().getLast().replaceFirst("^\\[0] ", "").replaceFirst(" in .*", "");
    }

    /** By night; the migration has processes for a change, too. */
    @Test
    void processesFindWhatOneRankDoes() throws IOException {
        Path png = folder.resolve("a.png");
        Outcome one = invert(POSTSTACK, "-n", "1", "--png", png.toString(), "--every", "5");
        assertThat(one.lines()).hasSize(3).first().asString().contains("3 x 20 x 40 samples, FLOAT64, 1 rank, CPU");
        assertThat(one.lines().getLast())
                .matches("misfit \\S+, model error \\S+ \\(at the start \\S+\\);"
                        + " 10 iterations in \\S+ s, \\S+ a second");
        assertThat(one.out()).doesNotContain("\r", "\033");
        assertThat(one.err()).isEmpty();
        for (String name : List.of("a.png", "a-0005.png", "a-0010.png")) {
            BufferedImage image = ImageIO.read(folder.resolve(name).toFile());
            assertThat(image.getWidth()).isEqualTo(5 * Picture.PANEL);
            assertThat(image.getHeight()).isEqualTo(Picture.PICTURE_HEIGHT);
        }
        if (Nightly.isOn()) {
            assertThat(result(invert(POSTSTACK, "-n", "2"))).isEqualTo(result(one));
        }
    }

    /** Started by "comm4j run". */
    @Test
    void processesMigrateWhatOneRankDoes() {
        String one = result(invert(LSM, "-n", "1"));
        Path png = folder.resolve("lsm.png");
        Outcome launched = Running.here(List.of(("run -n 2 invert " + LSM + " --png " + png).split(" ")));
        assertThat(result(launched)).isEqualTo(one);
        assertThat(png).isNotEmptyFile();
    }

    @Test
    void processesFindSpikesAndBlocksAsOneRankDoes() throws IOException {
        for (String words : Nightly.variants(
                0,
                List.of(
                        "reflectivity --ny 3 --nx 20 --nt 40 --iterations 10 --type FLOAT64",
                        POSTSTACK + " --tv 0.002 --solver admm"))) {
            Path png = folder.resolve("b.png");
            String one = result(invert(words, "-n", "1", "--png", png.toString()));
            assertThat(ImageIO.read(png.toFile()).getHeight()).isEqualTo(Picture.PICTURE_HEIGHT);
            if (Nightly.isOn()) {
                assertThat(result(invert(words, "-n", "2"))).isEqualTo(one);
            }
        }
    }

    private Path npy(String type, ByteOrder order, String shape, double... values) throws IOException {
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
        ByteBuffer bytes =
                ByteBuffer.allocate(10 + header.length() + 8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93).put("NUMPY".getBytes(ISO_8859_1)).put((byte) 1).put((byte) 0);
        bytes.putShort((short) header.length()).put(header.getBytes(ISO_8859_1)).order(order);
        for (double value : values) {
            bytes.putDouble(value);
        }
        Path file = folder.resolve("model.npy");
        Files.write(file, bytes.array());
        return file;
    }

    @Test
    void modelsOfFiles() throws IOException {
        double[] values = new double[60];
        for (int i = 0; i < values.length; i++) {
            values[i] = 5 + i * i % 7;
        }
        Path file = npy("<f8", ByteOrder.LITTLE_ENDIAN, "5, 12", values);
        for (String words : List.of("poststack", "lsm --sources 2 --receivers 2")) {
            assertThat(result(invert(words, "-n", "1", "--iterations", "3", "--model", file.toString())))
                    .endsWith("3 iterations");
        }
        npy(">f8", ByteOrder.BIG_ENDIAN, "5, 12", values);
        Outcome outcome = invert("poststack", "--model", file.toString());
        assertThat(outcome.err())
                .contains("--model " + file + ": its elements are >f8; little-endian")
                .hasLineCount(2);
        npy("<f8", ByteOrder.LITTLE_ENDIAN, "5, 13", values);
        outcome = invert("lsm", "-n", "1", "--model", file.toString());
        assertThat(outcome.err())
                .startsWith("comm4j: ")
                .contains("it ends after")
                .hasLineCount(1);
        assertThat(outcome.code()).isEqualTo(1);
        npy("<f8", ByteOrder.LITTLE_ENDIAN, "60,", values);
        assertThat(invert("lsm", "--model", file.toString()).err())
                .contains("it has 1 dimensions")
                .hasLineCount(2);
        values[3] = 0;
        npy("<f8", ByteOrder.LITTLE_ENDIAN, "5, 12", values);
        outcome = invert("lsm", "-n", "1", "--model", file.toString());
        assertThat(outcome.err())
                .contains("the impedance 0.0 is not a finite positive number")
                .hasLineCount(1);
    }
}
