// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * How ranks find each other and exchange small values before any engine runs.
 *
 * <p>{@link org.comm4j.core.rendezvous.Hub} is the whole of it in memory: who is here, what was published, who waits
 * for whom. {@link org.comm4j.core.rendezvous.HubServer} and {@link org.comm4j.core.rendezvous.HubClient} put TCP
 * between it and the ranks, in the messages of {@link org.comm4j.core.rendezvous.Message}. {@link
 * org.comm4j.core.rendezvous.Job} reads from the environment who this process is, {@link
 * org.comm4j.core.rendezvous.Meeting} brings the two together.
 */
package org.comm4j.core.rendezvous;
