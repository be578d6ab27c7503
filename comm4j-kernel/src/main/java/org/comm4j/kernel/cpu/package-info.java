// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Kernels on the CPU. Threads that never wait for each other are a loop in a class that is made for the kernel; others
 * are virtual threads, of which one at a time runs in a {@link org.comm4j.kernel.cpu.CooperativeScheduler}, so that the
 * order is always the same and a barrier that cannot open is noticed.
 */
package org.comm4j.kernel.cpu;
