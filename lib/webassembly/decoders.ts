// SPDX-License-Identifier: MIT

/** Whether WebAssembly is available. Kernels and the decoders of meshopt and Draco need it. */
export const hasWebAssembly = () => 'WebAssembly' in globalThis;
