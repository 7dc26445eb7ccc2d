// SPDX-License-Identifier: MIT

/** The part of WebAssembly that the kernels use. TypeScript declares it only in the libraries for browsers. */

/** The kernels, compiled: a `WebAssembly.Module`, which `postMessage` can share with workers. */
export interface Module {
    /** Not a real property: it distinguishes this type from others. */
    readonly __module: never;
}

export interface Memory {
    readonly buffer: ArrayBuffer;
    /** In pages of 64 KiB. The buffer is detached, and `buffer` another one. */
    grow(pages: number): number;
}

interface WebAssemblyLike {
    readonly Module: {
        new (bytes: Uint8Array): Module;
        customSections(module: Module, name: string): readonly ArrayBuffer[];
    };
    readonly Memory: new (limits: { initial: number }) => Memory;
    readonly Instance: new (
        module: Module,
        imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    ) => { readonly exports: Readonly<Record<string, unknown>> };
    validate(bytes: Uint8Array): boolean;
    compile(bytes: ArrayBuffer): Promise<Module>;
}

/** Call it only if WebAssembly is available. */
export const webassembly = (): WebAssemblyLike =>
    (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
