// SPDX-License-Identifier: MIT

/** WebAssembly as the kernels use it. TypeScript declares it with the browsers' libraries alone. */

/** The kernels, compiled: a `WebAssembly.Module`, which `postMessage` can share with workers. */
export interface Module {
    /** Not there: it tells this type from others. */
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

/** Call it only where there is WebAssembly. */
export const webassembly = (): WebAssemblyLike =>
    (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
