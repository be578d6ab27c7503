// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * OpenSHMEM. {@link org.comm4j.shmem.OpenShmem} is a process as a PE; its engine is the embedded one, which needs
 * nothing but the JDK, or a library found on the machine.
 */
package org.comm4j.shmem;
