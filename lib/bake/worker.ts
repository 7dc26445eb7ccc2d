// SPDX-License-Identifier: MIT

/** Code of the threads of `bakeFiles`. */

import { type CachePlace, sharedCache } from '../cache/cache';
import type { FileBytes } from '../gltf/file-bytes';
import { type PackedError, packError } from '../threads/pack-error';
import { serve } from '../threads/serve';
import type { BakeResult } from './bake';
import { bakeChecked } from './bake-file';
import type { Recipe } from './plan/options';
import type { BakeContainer } from './write/container';
import { type WrittenBake, writeBake } from './write/write';

/** A file to bake, as data that can be sent to a thread. */
export interface BakeWork {
    readonly input: string | FileBytes;
    readonly recipe: Recipe;
    readonly out: string | null;
    readonly container: BakeContainer | undefined;
    readonly cache: CachePlace | null;
}

export interface BakeAnswer {
    /** Without the bytes if they were written. */
    readonly bake: BakeResult | null;
    readonly written: readonly WrittenBake[];
    readonly error: PackedError | null;
}

export default serve<BakeWork, BakeAnswer>(
    async ({ input, recipe, out, container, cache }, hooks) => {
        try {
            const bake = await bakeChecked(
                input,
                recipe,
                cache === null ? hooks : { ...hooks, cache: sharedCache(cache) },
            );
            if (out === null) return moved({ bake, written: [], error: null }, bake);
            const written = await writeBake(bake, out, { container, signal: hooks.signal });
            return { bake: { ...bake, outputs: [], files: [] }, written, error: null };
        } catch (error) {
            return { bake: null, written: [], error: packError(error) };
        }
    },
    () => new Error('interrupted'),
);

/** Transfers arrays. Small ones share memory with others and are copied. */
function moved(answer: BakeAnswer, { outputs, files }: BakeResult): BakeAnswer {
    const { move, transferableSymbol, valueSymbol } = require('piscina') as typeof import('piscina');
    const views = [...outputs.map(({ bin }) => bin), ...files.map(({ bytes }) => bytes)];
    const whole = views.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
    const buffers = new Set(whole.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer));
    return move({ [transferableSymbol]: [...buffers], [valueSymbol]: answer } as never) as unknown as BakeAnswer;
}
