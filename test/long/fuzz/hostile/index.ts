// SPDX-License-Identifier: MIT

/**
 * Arguments as somebody without scruples would pass them. What fast-check draws and shrinks is a description in plain data, of
 * which the same arguments can be made twice: for what is tested and for its twin.
 */

export { bytesNow } from './buffers';
export { type CallDraft, callDrafts } from './drafts';
export { type Kind, Sentinel } from './kinds';
export { type Making, makeCall } from './making';
