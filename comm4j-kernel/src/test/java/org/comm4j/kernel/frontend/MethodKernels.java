// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Kernels that call every kind of method; the rules of the JVM say which one runs. */
@SuppressWarnings("all")
final class MethodKernels {
    interface First {
        default int one() {
            return 1;
        }
    }

    interface Second extends First {
        @Override
        default int one() {
            return 2;
        }
    }

    interface Third extends First {}

    record Diamond(int x) implements First, Third, Second {}

    interface Asked {
        int answer();

        int twice();
    }

    interface Answering extends Asked {
        @Override
        default int answer() {
            return 5;
        }
    }

    record Late(int x) implements Asked, Answering {
        @Override
        public int twice() {
            return 2 * x;
        }
    }

    /** Static methods of interfaces are not inherited, and neither are private ones overridden. */
    interface Coded {
        private int code() {
            return 1;
        }

        static int number() {
            return 10;
        }

        default int id() {
            return code() * number();
        }

        default int indirectly(int by) {
            IntUnaryOperator f = v -> v * code() + by;
            return f.applyAsInt(3);
        }
    }

    interface Recoded extends Coded {
        private int code() {
            return 100;
        }

        static int number() {
            return 20;
        }

        default int other() {
            return code() + number();
        }

        default int again(int by) {
            IntUnaryOperator f = v -> v + code() * by;
            return f.applyAsInt(7);
        }
    }

    record Square(int x) implements Recoded {
        public int code() {
            return 2;
        }

        static int number() {
            return 30;
        }

        int all() {
            return code() + number();
        }
    }

    record Above(int x) implements First {
        @Override
        public int one() {
            IntUnaryOperator f = v -> v + First.super.one();
            return First.super.one() * 7 + f.applyAsInt(x);
        }
    }

    /** Covariant results and type parameters: bridges call the method. */
    interface Scaled<T> {
        T scale(T by);

        default T twice(T by) {
            return scale(scale(by));
        }
    }

    record Size(int w, long h) implements Scaled<Size> {
        @Override
        public Size scale(Size by) {
            return new Size(w * by.w + 1, h + by.h);
        }
    }

    record Box<T>(Size inside, int extra) {
        <U extends Scaled<U>> U opened(U value, U by) {
            return extra > 3 ? value.twice(by) : value.scale(by);
        }
    }

    @Kernel
    static void interfaces(I64Ptr out, int a) {
        First first = new Diamond(a);
        out.set(0, new Diamond(a).one());
        out.set(1, first.one());
        out.set(2, new Late(a).answer());
        out.set(3, new Late(a).twice());
        Square square = new Square(a);
        out.set(4, square.id());
        out.set(5, square.indirectly(a));
        out.set(6, square.other());
        out.set(7, square.again(a));
        out.set(8, square.all());
        out.set(9, new Above(a).one());
        Scaled<Size> scaled = new Size(a, 3);
        out.set(10, scaled.scale(new Size(2, a)).w());
        Size size = scaled.twice(new Size(a, 1));
        out.set(11, size.w());
        out.set(12, size.h());
        Size opened = new Box<Float>(new Size(a, 9), a).opened(new Size(a, 9), size);
        out.set(13, opened.w());
        out.set(14, opened.h());
    }

    /** The function has the name of other methods. */
    interface Named {
        int run(int a);

        default int run(int a, int b) {
            return run(a) * hidden() + b;
        }

        default Named then(Named next) {
            return v -> next.run(run(v));
        }

        private int hidden() {
            return 3;
        }

        static int run(long a) {
            return (int) a + 1;
        }
    }

    interface Renamed extends Named {
        @Override
        default int run(int a, int b) {
            return Named.super.run(a, b) + 1000;
        }
    }

    static int apply(IntUnaryOperator f, int v) {
        return f.applyAsInt(v);
    }

    static int twice(IntUnaryOperator f, int v) {
        return f.applyAsInt(f.applyAsInt(v));
    }

    static int power(int base, @Constant int exponent) {
        return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }

    @Kernel
    static void nestedFunctions(I64Ptr out, int a) {
        Named named = v -> v * 2 + a;
        Renamed renamed = v -> v - a;
        out.set(0, named.run(3));
        out.set(1, named.run(3, a));
        out.set(2, renamed.run(3));
        out.set(3, renamed.run(3, a));
        out.set(4, named.then(renamed).then(v -> v ^ 5).run(a, 1));
        out.set(5, Named.run(5L));
        out.set(6, apply(v -> apply(w -> w + v, a), 3));
        out.set(7, twice(v -> apply(w -> twice(u -> u * v + w, a), v), 2));
        IntUnaryOperator f = v -> v + 1;
        out.set(
                8,
                f.andThen(v -> v * a)
                        .andThen(v -> v - 3)
                        .compose(v -> v + a)
                        .compose(v -> v ^ a)
                        .applyAsInt(a));
        out.set(9, power(a, 5));
    }

    interface Weighed {
        int FACTOR = 3;

        default int weight() {
            return 1;
        }
    }

    enum Kind implements Weighed {
        PLAIN(2),
        SECRET(3) {
            final int k = 70;

            final int own = Integer.parseInt("7");

            int secret() {
                return 8;
            }

            int only() {
                return own * 3;
            }

            @Override
            int shown() {
                return k + super.k + super.shown() + FACTOR + apply(v -> v + own * only() + shared(), 1);
            }

            @Override
            int changed(int n) {
                var self = this;
                for (int i = 0; i < n % 5; i++) {
                    self = this;
                }
                return self.own + self.only();
            }

            @Override
            public int weight() {
                return 9;
            }
        },
        ODD(4) {
            static final int k = 90;

            @Override
            int shown() {
                return k;
            }
        };

        final int k;

        Kind(int k) {
            this.k = k;
        }

        private int secret() {
            return 4;
        }

        int shared() {
            return apply(v -> v + secret() + k, 2);
        }

        int changed(int n) {
            return n;
        }

        int shown() {
            return secret() + k;
        }

        int ordinal(int by) {
            return ordinal() * by;
        }

        int compareTo(int by) {
            return by - k;
        }

        static Kind valueOf(int n) {
            return values()[n & 1];
        }
    }

    static int compared(Comparable<Kind> one, Kind other) {
        return one.compareTo(other);
    }

    @Kernel
    static void constantMethods(I64Ptr out, int a) {
        Kind kind = Kind.values()[(a & 0x7fffffff) % 3];
        out.set(0, kind.shown());
        out.set(1, Kind.SECRET.shown());
        out.set(2, Kind.SECRET.k);
        out.set(3, kind.k);
        out.set(4, kind.ordinal(7));
        out.set(5, kind.compareTo(7));
        out.set(6, kind.compareTo(Kind.ODD));
        out.set(7, Kind.valueOf(a).k);
        out.set(8, kind.weight());
        out.set(9, Kind.SECRET.secret());
        out.set(10, compared(kind, Kind.SECRET));
        out.set(11, kind.equals(Kind.PLAIN) ? 1 : 0);
        Weighed weighed = kind;
        out.set(12, weighed.weight());
        out.set(13, kind.changed(a));
        out.set(14, kind.shared());
    }

    sealed interface Shape permits Circle, Rectangle, Two, Fixed {}

    record Circle(int r) implements Shape {}

    record Rectangle(int w, long h) implements Shape {}

    record Two(Circle one, Rectangle other) implements Shape {}

    enum Fixed implements Shape {
        SMALL,
        MIDDLE,
        LARGE
    }

    static long area(Shape shape) {
        return switch (shape) {
            case Circle(int r) when r > 100 -> -r;
            case Circle c -> 3L * c.r() * c.r();
            case Rectangle(var w, var h) when w == 0 -> h;
            case Rectangle(int w, long h) when h < 0 -> w - h;
            case Rectangle(int w, long h) -> w * h;
            case Two(Circle(int r), Rectangle(int w, long h)) when r == w -> 1;
            case Two(Circle one, Rectangle other) -> area(one) + area(other);
            case Fixed.SMALL -> 11;
            case Fixed f when f == Fixed.LARGE -> 12;
            case Fixed f -> 13 + f.ordinal();
        };
    }

    static int named(Fixed fixed, int n) {
        return switch (fixed) {
            case SMALL -> n;
            case Fixed f when n > 5 -> 50 + f.ordinal();
            case MIDDLE -> 2 * n;
            case LARGE -> 3 * n;
        };
    }

    static int which(Object o) {
        if (o instanceof Circle(int r) && r > 3) {
            return r;
        }
        if (!(o instanceof Shape)) {
            return o instanceof IntUnaryOperator f ? f.applyAsInt(5) : -1;
        }
        return o instanceof Fixed f ? f.ordinal() : o instanceof Rectangle r ? r.w() : -2;
    }

    @Kernel
    static void shapes(I64Ptr out, int a, Fixed fixed) {
        out.set(0, area(new Circle(a)));
        out.set(1, area(new Rectangle(a, 3L - a)));
        out.set(2, area(new Two(new Circle(a & 7), new Rectangle(5, a))));
        out.set(3, area(fixed));
        out.set(4, area(Fixed.MIDDLE));
        out.set(5, named(fixed, a));
        out.set(6, named(Fixed.LARGE, a));
        out.set(7, which(new Circle(a)));
        out.set(8, which(new Rectangle(a, a)));
        out.set(9, which(fixed));
        IntUnaryOperator f = v -> v + a;
        out.set(10, which(f));
        out.set(11, which(new Square(a)));
    }

    interface Tables {
        int[] TABLE = {7, 8};
        int SHADOWED = Integer.parseInt("1");
    }

    interface MoreTables extends Tables {
        int SHADOWED = Integer.parseInt("2");
    }

    interface NoTables extends MoreTables {}

    static class Base {
        static final int[] OWN = {4, 5};
        private static final int HIDDEN = Integer.parseInt("6");

        static int hidden() {
            return HIDDEN;
        }
    }

    static class Derived extends Base implements NoTables {
        static final int HIDDEN = Integer.parseInt("12");
    }

    record Inheriting(int x) implements NoTables {
        int seen() {
            return TABLE[x & 1] + SHADOWED;
        }
    }

    @Kernel
    static void inheritedFields(I64Ptr out, int a) {
        out.set(0, Derived.TABLE[a & 1]);
        out.set(1, Derived.SHADOWED);
        out.set(2, Derived.OWN[a & 1]);
        out.set(3, Derived.HIDDEN);
        out.set(4, Base.hidden());
        out.set(5, new Inheriting(a).seen());
        out.set(6, Tables.SHADOWED);
    }

    record Größe(int länge, long 高さ) {
        int größer(int ß) {
            return länge + ß;
        }
    }

    enum Farbe {
        GRÜN,
        ΒΑΘΎ
    }

    /** Returns a record and a constant of an enum whose names have letters of other alphabets. */
    static Object[] foreign(int n) {
        return new Object[] {new Größe(n, -n), Farbe.values()[n & 1]};
    }

    static final int[] ТАБЛИЦА = {1, 2, 3, 4};

    static int ТАБЛИЦА(int ι, int κ) {
        int λ = ТАБЛИЦА[ι & 3];
        int _1 = λ * κ;
        int $ = _1 - ι;
        return $ + _1;
    }

    @Kernel
    static void идентификаторы(I64Ptr out, int α, int β, int u03b1, int _u03b1, int $α, Größe größe, Farbe φ) {
        Größe made = new Größe(α, β);
        IntUnaryOperator ƒ = ξ -> ξ * α - β;
        out.set(0, α - 2L * β);
        out.set(1, u03b1 * 31L + _u03b1 * 7L + $α);
        out.set(2, größe.größer(made.länge()));
        out.set(3, größe.高さ() + made.高さ());
        out.set(4, ТАБЛИЦА(α, β));
        out.set(5, ƒ.applyAsInt(u03b1));
        out.set(
                6,
                switch (φ) {
                    case GRÜN -> 1;
                    case ΒΑΘΎ -> 2;
                });
    }
}
