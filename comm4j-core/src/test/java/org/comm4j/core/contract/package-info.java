// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * What every engine must do, as abstract test classes. A test class of an engine extends each of the {@code …Contract}
 * classes and gives it an {@link org.comm4j.core.contract.ContractEngine}, which runs a body on n ranks; everything
 * else is here.
 *
 * <p>Expected results come from {@link org.comm4j.core.contract.Reference}, plain loops over the elements. No rank
 * looks into another rank's memory: what the others sent is computed again from the seed, so that the same suite serves
 * ranks that are threads and ranks that are processes.
 */
package org.comm4j.core.contract;
