// SPDX-License-Identifier: MIT

/**
 * Hostile arguments. fast-check draws and shrinks their description in plain data, which makes the same arguments twice:
 * for the tested call and for its twin.
 */

export { bytesNow } from './buffers';
export { type CallDraft, callDrafts } from './drafts';
export { type Kind, Sentinel } from './kinds';
export { type Making, makeCall } from './making';
