// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Devices, streams, events, device arrays, graphs and kernels of the CUDA driver.
 *
 * <p>Every call checks its arguments and the state of its objects before it calls the driver, and makes the context
 * that it needs current on the calling thread by itself, so threads, virtual ones too, may call anything in any order,
 * and other libraries in the process may change the current context at any time between calls.
 *
 * <p>A method that takes a {@link org.comm4j.cuda.Stream} is stream-ordered: it returns at once, and the device works
 * in the order of the stream. A method of an array without one waits for the streams that use the array, and has
 * finished when it returns.
 *
 * <p>Objects are closed once, by hand or with their {@link org.comm4j.cuda.Device}; using one afterwards is an
 * {@link java.lang.IllegalStateException}. Nothing is freed by the garbage collector. Run with {@code
 * -Dorg.comm4j.leaks=true} to be told of objects that were forgotten, with the place that made them. Closing an object
 * while another thread is inside a call on it is the one misuse that cannot be caught.
 */
package org.comm4j.cuda;
