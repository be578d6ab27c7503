// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * What {@link org.comm4j.core.Pgas} promises, whatever the engine: one suite for the embedded engine, OpenSHMEM
 * libraries and NVSHMEM.
 */
package org.comm4j.core.contract.pgas;
