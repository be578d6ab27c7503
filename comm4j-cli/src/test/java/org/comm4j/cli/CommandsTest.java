// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.bench.prk.ResearchKernel;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The parallel commands as a user meets them: processes, their output and exit codes. */
class CommandsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    private Running start(Map<String, String> environment, String... words) throws IOException {
        ProcessBuilder builder = Running.comm4j(List.of(), List.of(words)).directory(ROOT.toFile());
        builder.environment().putAll(environment);
        return Running.start(builder, folder);
    }

    private static Outcome end(Running running) throws IOException, InterruptedException {
        return running.end(Duration.ofMinutes(2));
    }

    /**
     * A command as such takes half a second of a processor: most of these tests need the processes of the ranks alone.
     */
    private static Outcome comm4j(String... words) {
        return Running.here(List.of(words));
    }

    // ---- prk ----

    @Test
    void prkValidates() throws Exception {
        validates("transpose 2 66 16");
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({
        "random 4 10 --lookahead 16",
        "refcount 1000 10 --dependent",
        "stencil 2 50 --radius 3",
        "p2p 2 40 50",
        "nstream 2 1000 4",
        "dgemm 2 50 16",
        "reduce 3 1000",
        "synch_global 10 60",
        "sparse 2 4 2",
        "branch 4 100 vector_stop"
    })
    void allOfPrkValidates(String words) throws Exception {
        validates(words);
    }

    private void validates(String words) throws IOException {
        Path json = folder.resolve("prk.json");
        Outcome outcome = comm4j(("prk " + words + " -n 2 --warmup-time 1 --json " + json).split(" "));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines())
                .startsWith("Parallel Research Kernels version 2020")
                .contains("Solution validates");
        assertThat(outcome.lines().getLast()).startsWith("Rate (");
        assertThat(outcome.err()).isEmpty();
        assertThat(Files.readString(json))
                .contains(
                        "\"program\": \"comm4j prk\"",
                        "\"kernel\": \"" + words.split(" ")[0] + "\"",
                        "\"right\": true");
    }

    /** Each kernel with the parameters that it has without any. */
    @Test
    void prksDocumentShowsEveryKernel() throws Exception {
        CommandLine comm4j = Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        Matcher commands = Pattern.compile("^\\| `\\./comm4j (prk [^`]*)`", Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve("docs/prk.md")));
        List<String> kernels = new ArrayList<>();
        while (commands.find()) {
            String[] words = commands.group(1).split(" ");
            kernels.add(words[1]);
            assertThat(kernel(comm4j, words)).isEqualTo(kernel(comm4j, "prk", words[1]));
        }
        kernels.add("all");
        assertThat(comm4j.getSubcommands().get("prk").getSubcommands().keySet()).containsExactlyElementsOf(kernels);
    }

    private static ResearchKernel kernel(CommandLine comm4j, String... words) {
        return ((PrkCommand.KernelCommand) comm4j.parseArgs(words)
                        .subcommand()
                        .subcommand()
                        .commandSpec()
                        .userObject())
                .kernel();
    }

    // ---- wrong command lines ----

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "jacobi -n 0 | 2 | at least 1 rank",
                "jacobi --nx 2 | 1 | nx is 2, but a grid needs at least 3 columns",
                "jacobi --nx abc | 2 | 'abc' is not an int",
                "jacobi --ny 5 -n 4 | 1 | too few for 4 ranks",
                "jacobi --iters 0 | 1 | at least 1 is needed",
                "jacobi --nccheck 0 | 1 | at least 1 is needed",
                "jacobi --blocking 0 | 1 | a sweep does 1 to 16 iterations",
                "jacobi --blocking 99 | 1 | a sweep does 1 to 16 iterations",
                "jacobi --ny 20 -n 4 --blocking 8 | 1 | use fewer ranks, a larger ny or less blocking",
                "jacobi --persistent --blocking 3 | 1 | a kernel's pass has 1, 2, 4 or 8 iterations",
                "jacobi --persistent --ny 20 -n 4 --blocking 8 | 1 | use fewer ranks, a larger ny or less blocking",
                "jacobi --persistent --overlap | 2 | --persistent: there is one kernel",
                "jacobi --persistent --graph | 2 | --overlap and --graph are for many",
                "jacobi --nx 1000000 --ny 1000000 -n 1 | 1 | use a smaller grid",
                "jacobi --ny 99999999 -n 2 | 1 | each of 2 ranks would hold 49999999 rows",
                "jacobi --png /no/such/folder/x.png | 2 | there is no folder /no/such/folder",
                "jacobi --png / | 2 | is a folder, not a file",
                "jacobi --engine nothing | 2 | there is no engine 'nothing'",
                "jacobi --engine shmem --persistent | 2 | --persistent: kernels reach other GPUs with --engine nvshmem",
                "run -n 1000000 Hello.java | 1 | start at most",
                "run -n 2 nothing.java | 1 | there is no file nothing.java",
                "run -n 2 | 2 | PROGRAM",
                "run -n 0 Hello.java | 2 | -n 0: at least 1 rank is needed",
                "run -n 2 --timeout 0 Hello.java | 2 | --timeout 0: at least 1 second",
                "jacobi --tol NaN | 2 | --tol NaN: a norm is at least 0",
                "jacobi --tol -1 | 2 | --tol -1.0: a norm is at least 0",
                "run nothing.java | 1 | there is no file nothing.java",
                "run --engine hots Hello.java | 2 | did you mean host?",
                "jacbi | 2 | did you mean jacobi?",
                "run -n 2 --engine nothing Hello.java | 2 | there is no engine 'nothing' here; known: host",
                "prk reduce --png a.png 3 | 2 | Unknown option: '--png'",
                "prk reduce --png=a.png x | 2 | Unknown option: '--png'",
                "prk reduce --ranks 2 x | 2 | 'x' is not an int",
                "nonsense | 2 | there is no command 'nonsense'; there are run, jacobi, bench",
                "prk | 2 | Missing KERNEL: one of transpose, stencil, p2p",
                "prk foo | 2 | there is no kernel 'foo'; there are transpose, stencil, p2p",
                "bench shmem reduce -o max | 2 | -o max: reduce measures sum",
                "prk transpose x | 2 | 'x' is not an int",
                "prk transpose 0 | 2 | transpose: the number of iterations is 0, but must be at least 1",
                "prk transpose -n 0 | 2 | at least 1 PE is needed",
                "prk transpose 1 3 -n 4 | 2 | use a larger order or fewer PEs",
                "prk random -n 3 | 2 | use a power of two",
                "prk branch 2 8 heavy | 2 | there are vector_go, vector_stop, no_vector, ins_heavy",
                "prk refcount --mutex x | 2 | there are spin, lock, atomic, none",
                "prk p2p 1 8 8 0 | 2 | p2p: the group factor is 0, but must be at least 1",
                "prk nstream --engine foo | 2 | there is no engine 'foo'; there are auto, embedded, native, mpi,"
                        + " nvshmem",
                "prk dgemm --engine nvshmem | 2 | kernels for GPUs are nstream, transpose, stencil",
                "prk transpose --alltoall --engine nvshmem | 2 | the kernel for GPUs reads the others' memory",
                "prk nstream --engine native -n 2 | 2 | oshrun starts the PEs: oshrun -n 2",
                "prk nstream --json /no/such/folder/x.json | 2 | there is no folder /no/such/folder",
                "prk all --png / | 2 | is a folder, not a file",
                "bench peers foo | 2 | operation 'foo' is not one of all_reduce",
                "bench peers -d foo | 2 | there are no kernels for type 'foo'; there are for",
                "bench peers -b 8X | 2 | '8X' is not a size in bytes",
                "bench peers --rounds 0 | 2 | 0 rounds: at least 1 is needed",
                "bench peers --ways foo | 2 | there is no way 'foo'; there are nccl",
                "bench peers --ways auto/foo=1 | 2 | there is no setting 'foo'; there are [word-bytes",
                "bench peers --ways auto/type=foo | 2 | there are no kernels for type 'foo'",
            })
    void aWrongCommandLineIsOneClearLine(String words, int code, String message) {
        StringWriter said = new StringWriter();
        int end = Main.execute(new PrintWriter(new StringWriter()), new PrintWriter(said, true), words.split(" "));
        String err = said.toString();
        assertThat(err).contains(message).doesNotContain("\tat ", "Exception");
        assertThat(err.lines().toList())
                .filteredOn(line -> !line.startsWith("Try '"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("comm4j: ");
        assertThat(end).isEqualTo(code);
    }

    // ---- run ----

    @Test
    @Tag("nightly")
    void twoLaunchesAtOnceDoNotDisturbEachOther() throws Exception {
        String[] words = {"jacobi", "--nx", "301", "--ny", "157", "--iters", "250", "-n", "2"};
        Running one = start(Map.of(), words);
        Running other = start(Map.of(), words);
        Outcome first = end(one);
        Outcome second = end(other);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(JacobiCommandTest.norms(first)).hasSize(3).isEqualTo(JacobiCommandTest.norms(second));
    }

    @Test
    void anEngineThatCannotRunHereStartsNoRank() {
        assumeTrue(Cuda.problem() != null, "there is a GPU");
        Outcome outcome = comm4j("run", "-n", "2", "--engine", "nvshmem", "Hello.java");
        assertThat(outcome.err()).startsWith("comm4j: engine nvshmem: no ").hasLineCount(1);
        assertThat(outcome.code()).isEqualTo(1);
    }

    /** Ranks of an MPI library's launcher, each of which compiles for itself. */
    @Test
    void runOnHostsStartsByMpi() throws Exception {
        assumeTrue(!Mpiexec.all(System.getenv()).isEmpty(), "there is no launcher of an MPI library");
        Path hello = Files.writeString(folder.resolve("Hello.java"), """
            import org.comm4j.core.*;

            void main(String[] args) {
                try (World world = World.join(); Communicator comm = world.communicator()) {
                    IO.println(args[0] + " " + comm.rank() + " of " + comm.size() + " " + comm.engine());
                    comm.barrier();
                }
            }
            """);
        Outcome outcome = end(
                start(Map.of(), "run", "-n", "2", "--hosts", "localhost:2", "--engine", "host", hello.toString(), "a"));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).containsExactlyInAnyOrder("[0] a 0 of 2 host", "[1] a 1 of 2 host");
    }

    @Test
    void runStartsASourceFile() throws Exception {
        Path hello = Files.writeString(folder.resolve("Hello.java"), """
            import org.comm4j.core.*;

            void main(String[] args) {
                try (World world = World.join();
                        Communicator comm = world.communicator()) {
                    Buffer x = comm.allocate(DataType.FLOAT32, 1 << 20);
                    x.fill(comm.rank() + 1);
                    comm.allReduce(x, x, ReduceOp.SUM);
                    IO.println(args[0] + " " + comm.rank() + " of " + comm.size() + ": "
                            + x.slice(0, 1).toHost().getFloat(0));
                }
            }
            """);
        Outcome outcome = comm4j("run", "-n", "2", hello.toString(), "rank");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines()).containsExactlyInAnyOrder("[0] rank 0 of 2: 3.0", "[1] rank 1 of 2: 3.0");
    }

    /** With the locale that {@code ./comm4j} gives to Java where the user's is C; this process may have that one. */
    @Test
    void namesAndOutputMayHaveUmlauts() throws Exception {
        ProcessBuilder comm4j = Running.comm4j(List.of(), List.of("run", "-n", "1"));
        List<String> words = new ArrayList<>(List.of("bash", "-c", """
            set -e
            name=$(printf 'Gr\\303\\266\\303\\237e')
            mkdir "$name"
            cd "$name"
            echo "void main() { IO.println(\\"$name\\"); }" >"$name.java"
            exec "$@" "$name.java"
            """, "bash"));
        words.addAll(comm4j.command());
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        Outcome outcome = end(Running.start(builder, folder));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines()).containsExactly("Gr\u00f6\u00dfe");
    }

    @Test
    void runExitsWithTheCodeOfTheFailingRank() throws Exception {
        Path failing = Files.writeString(folder.resolve("Failing.java"), """
            import org.comm4j.core.*;

            void main() throws InterruptedException {
                World world = World.join();
                if (world.rank() == 1) {
                    System.exit(7);
                }
                Thread.sleep(60_000);
            }
            """);
        long start = System.nanoTime();
        Outcome outcome = comm4j("run", "-n", "2", failing.toString());
        assertThat(outcome.code()).isEqualTo(7);
        assertThat(outcome.err()).contains("rank 1", "exited with code 7");
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
}
