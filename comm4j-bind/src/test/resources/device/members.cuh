// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace members {
struct Part {
    float a;
};

struct Whole {
    int v;

    /** Makes one of a part. */
    __device__ static Whole of(Part part) {
        return Whole{(int) part.a};
    }

    __device__ Part part(Part other) const {
        return Part{other.a + v};
    }

    __device__ friend Whole operator+(Whole x, Whole y) {
        return Whole{x.v + y.v};
    }
};

inline namespace v1 {
template <class T>
struct Box {
    T value;

    __device__ T get() const {
        return value;
    }
};

__device__ inline int within(int x) {
    return x;
}
}

template <class... T>
__device__ int count(int x) {
    return x + (int) sizeof...(T);
}

__device__ inline int scale(int x, int by = 2) {
    return x * by;
}

__device__ inline unsigned scale(unsigned x) {
    return x * 5;
}

#if __CUDA_ARCH__ >= 900
__device__ inline int newer(int x) {
    return x + 9;
}
#else
__device__ inline int older(int x) {
    return x + 8;
}
#endif

/* Between a macro and its arguments a comment in the style of C++ must not hide the rest. */
#define MEMBERS_SUM(x, y) ((x) + (y))
__device__ inline int sum(int x, int y) {
    return MEMBERS_SUM // comment
        (x, y);
}

class Hidden {
    struct Inner {
        int secret;
    };

  public:
    __device__ int open(int x) const {
        return x;
    }
};

__device__ int counter;
}
