// SPDX-License-Identifier: MIT

import type { RigContents } from '../rig/contents';
import { typescriptRig, typescriptSkinning } from '../rig/kernels';
import type { RigImplementation, RigKernels, SkinningKernels } from '../rig/kernels/table';
import { type DocumentLike, rigSourceOfDocument } from '../rig/source/from-document';
import { type RigParts, sourceOfParts } from '../rig/source/from-parts';
import type { RigSource } from '../rig/source/source';
import { webassemblyRig } from '../rig/webassembly';
import { type LoadOptions, readRigOfPage, readSource, Rig as TypescriptRig } from '../typescript/rig';
import { defaultImplementation, inEither, ready, strictModule } from './webassembly';

const wasmRig = webassemblyRig('strict/wasm', () => strictModule()!);

/**
 * Poses keep the implementation that `createPoses` chose for them, and skinning the one that first had memory for it.
 */
const rigOfBrowsers: RigImplementation = {
    get name() {
        return defaultImplementation;
    },
    load(tables) {
        const typescript = typescriptRig.load(tables);
        let wasm: RigKernels | undefined;
        const inWasm = () => {
            wasm ??= wasmRig.load(tables);
            return wasm;
        };
        return {
            select: (slots) =>
                inEither(
                    () => inWasm().select(slots),
                    () => typescript.select(slots),
                ),
            allocate: (slots, floats) =>
                inEither(
                    () => inWasm().allocate!(slots, floats),
                    () => ({ kernels: typescript.select(slots), data: new Float32Array(floats) }),
                ),
        };
    },
    skinning: {
        load(tables) {
            const wasm = wasmRig.skinning!.load(tables);
            return {
                select(slots): SkinningKernels {
                    const fast = wasm.select(slots);
                    let slow: SkinningKernels | undefined;
                    const inTypescript = () => {
                        slow ??= typescriptSkinning.load(tables).select(slots);
                        return slow;
                    };
                    let loaded = false;
                    const run = (call: (kernels: SkinningKernels) => void) => {
                        if (loaded) return call(fast);
                        const first = () => {
                            call(fast);
                            loaded = true;
                        };
                        inEither(first, () => call(inTypescript()));
                    };
                    return {
                        skinVertices: (...args) => run((kernels) => kernels.skinVertices(...args)),
                        bounds: (...args) => run((kernels) => kernels.bounds(...args)),
                    };
                },
            };
        },
    },
};

/** The Rig of `poselane/typescript`, with WebAssembly for poses that are made after it is compiled. */
export class Rig extends TypescriptRig {
    /** @internal */
    constructor(source: RigSource | RigContents, wanted?: Uint8Array) {
        super(source, wanted, rigOfBrowsers);
    }

    static override async load(input: Uint8Array | ArrayBuffer, options: LoadOptions = {}): Promise<Rig> {
        // Compiling takes no longer than reading most files, and poses that are made immediately can then use
        // WebAssembly.
        const [source] = await Promise.all([readSource(input, options), ready()]);
        return new Rig(source);
    }

    static override async deserialize(input: string | URL | Uint8Array | ArrayBuffer): Promise<Rig> {
        const [contents] = await Promise.all([readRigOfPage(input), ready()]);
        return new Rig(contents);
    }

    static override fromDocument(document: DocumentLike): Rig {
        return new Rig(rigSourceOfDocument(document));
    }

    static override create(parts: RigParts): Rig {
        const source = sourceOfParts(parts);
        return new Rig(source, new Uint8Array(source.nodes.length).fill(1));
    }
}
