// SPDX-License-Identifier: MIT

/** The decoders of meshopt and Draco are WebAssembly; without it their packages fail in ways that do not say so. */
export const hasWebAssembly = () => 'WebAssembly' in globalThis;

/** Why compressed data is not decoded there. */
export const NO_WEBASSEMBLY =
    'the decoder of this compression needs WebAssembly, which this process does not have (node --jitless switches it off)';
