// SPDX-License-Identifier: MIT

/** WebAssembly as the kernels use it. TypeScript declares it with the browsers' libraries alone. */

/** Compiled code: threads can share it. */
export interface Module {
    readonly __module: never;
}

export interface Memory {
    readonly buffer: ArrayBuffer;
    /** In pages of 64 KiB. The buffer is detached, and `buffer` another one. */
    grow(pages: number): number;
}

interface WebAssemblyLike {
    readonly Module: new (bytes: Uint8Array) => Module;
    readonly Memory: new (limits: { initial: number }) => Memory;
    readonly Instance: new (
        module: Module,
        imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    ) => { readonly exports: Readonly<Record<string, unknown>> };
    validate(bytes: Uint8Array): boolean;
}

/** Call it only where there is WebAssembly. */
export const webassembly = (): WebAssemblyLike =>
    (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
