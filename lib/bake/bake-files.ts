// SPDX-License-Identifier: MIT

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkCallback, checkSignal, describe } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { rangeError, typeError } from '../base/errors';
import { followSignal } from '../base/follow-signal';
import { type BakeCache, checkCache } from '../cache/cache';
import { type FileBytes, viewOfInput } from '../gltf/file-bytes';
import { urlOf } from '../gltf/urls';
import { createLedger, interrupt, type Ledger, readProgress } from '../threads/ledger';
import { unpackError } from '../threads/pack-error';
import { spread } from '../threads/spread';
import { NoThread, openThreads } from '../threads/threads';
import type { BakeResult } from './bake';
import { type BakeOptions, type Recipe, recipeOf } from './plan/options';
import type { BakeAnswer, BakeWork } from './worker';
import { type ContainerOptions, containerOf } from './write/container';
import type { WrittenBake } from './write/write';

/** A file to bake, with its own options or folder. */
export interface BakeInput {
    /**
     * As for `bakeFile`. Bytes are copied to the thread. A `resolve` function cannot be sent there, nor can one in
     * `options.animations`.
     */
    readonly input: string | URL | FileBytes;
    /** Replaces the common `options` for this file. */
    readonly options?: BakeOptions;
    /** Replaces the common `out` for this file. */
    readonly out?: string;
}

/** Options of {@link bakeFiles}. */
export interface BakeFilesOptions extends ContainerOptions {
    /** Options for each file. Default: that of `bakeFile`. */
    options?: BakeOptions;
    /**
     * Folder to write to; results then have no arrays. Outputs of two files with the same name overwrite each other.
     */
    out?: string;
    /** Number of files baked at once, each in its own thread. Default: the number of processors. */
    concurrency?: number;
    /** From `openCache`. */
    cache?: BakeCache;
    /** Cancels all bakes. Its reason is thrown when the last thread has ended. */
    signal?: AbortSignal;
    /**
     * Called about ten times a second for each file that is being baked.
     *
     * @param index Number of the input, from 0.
     * @param done Frames evaluated so far.
     * @param total Frames in all.
     */
    onProgress?(index: number, done: number, total: number): void;
}

/** The result for one input. */
export interface BakedInput {
    /** Number of the input, from 0, in the order in which they were read. */
    readonly index: number;
    /** The input, as it was given. */
    readonly input: string | URL | FileBytes;
    /** The bake, or null if it failed. Without `outputs` and `files` if it was written to a folder. */
    readonly bake: BakeResult | null;
    /** Paths of the written files. */
    readonly written: readonly WrittenBake[];
    /** The error of `bakeFile` or `writeBake`, without its `cause`; null on success. */
    readonly error: Error | null;
}

/** An input of {@link bakeFiles}. */
export type BakeSource = string | URL | FileBytes | BakeInput;

const ROUTINE = 'bakeFiles';
const LOOK_MILLISECONDS = 100;

/**
 * Bakes many files in threads of its own. The calling thread is free meanwhile: it sends paths or bytes, and receives
 * arrays without copying them. A file that fails does not stop the others. The threads live until the iteration ends,
 * so a server that bakes should iterate once, over a queue.
 *
 * @param inputs Paths, URLs, bytes with a name, or one of these with its own options. An input is taken only when a
 * thread can start it soon and no result waits.
 * @param options Bake options, number of threads, output folder.
 * @returns Results in the order in which they finish. `index` identifies the input.
 * @throws On the first call of `next`: TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_COUNT_RANGE` for options. Later:
 * errors that `inputs` or `onProgress` throw; the signal's reason. An error of one input is the `error` of its result.
 * The same holds for a thread that ends early, usually because it ran out of memory or could not be started.
 * @example
 * for await (const { input, written, error } of bakeFiles(['hero.glb', 'orc.glb'], { out: 'baked', options: { fps: 60 } })) {
 *     console.log(input, error ? error.message : written);
 * }
 */
export async function* bakeFiles(
    inputs: Iterable<BakeSource> | AsyncIterable<BakeSource>,
    options: BakeFilesOptions = {},
): AsyncGenerator<BakedInput, void, undefined> {
    const recipe = checkArguments(inputs, options);
    const { concurrency = availableParallelism(), signal, onProgress } = options;
    signal?.throwIfAborted();
    const worker = join(__dirname, 'worker.js');
    const threads = openThreads<BakeWork, BakeAnswer>(worker, concurrency, { atOnce: false, ahead: 1 });
    const running = new Map<number, Ledger>();
    let count = 0;
    const lane = async (source: BakeSource): Promise<BakedInput> => {
        const index = count++;
        const ledger = createLedger();
        running.set(index, ledger);
        const { input, ...own }: BakeInput = isBakeInput(source) ? source : { input: source };
        const ended = { index, input, bake: null, written: [], error: null };
        try {
            if (threads === null) throw new NoThread('no thread could be started');
            const answer = await threads.run(workOf(input, own, options, recipe), ledger);
            if (answer === null) return ended; // nobody waits for it now
            return { ...ended, ...answer, error: answer.error && unpackError(answer.error) };
        } catch (error) {
            return { ...ended, error: error as Error };
        } finally {
            running.delete(index);
        }
    };
    const stop = () => {
        for (const ledger of running.values()) interrupt(ledger);
    };
    const control = followSignal(signal);
    const show = () => {
        try {
            for (const [index, ledger] of running) {
                const { done, total } = readProgress(ledger);
                if (total > 0) onProgress!(index, done, total);
            }
        } catch (error) {
            control.abort(error);
        }
    };
    const timer = onProgress && setInterval(show, LOOK_MILLISECONDS);
    try {
        const lanes = Array.from({ length: threads?.count ?? 1 }, () => (source: BakeSource) => lane(source));
        yield* spread(inputs, lanes, stop, control.signal);
    } finally {
        control.abort();
        clearInterval(timer);
        await threads?.close();
    }
}

function isBakeInput(source: BakeSource): source is BakeInput {
    return typeof source === 'object' && source !== null && 'input' in source;
}

/**
 * @param shared The recipe of inputs without options of their own.
 * @throws As `bakeFile` for an input of the wrong type.
 */
function workOf(
    input: BakeInput['input'],
    own: Omit<BakeInput, 'input'>,
    { container, cache, ...all }: BakeFilesOptions,
    shared: Recipe,
): BakeWork {
    const { out = all.out ?? null } = own;
    const recipe = own.options === undefined ? shared : recipeOf(ROUTINE, own.options);
    const animations = recipe.animations?.map((source, i) => plainSource(source, `options.animations[${i}]`));
    return {
        input: plainSource(input, 'input'),
        recipe: { ...recipe, animations },
        out,
        container,
        cache: cache === undefined ? null : { place: cache.place, options: cache.options },
    };
}

/** The part of an input that can be sent to a thread. */
function plainSource(source: BakeInput['input'], argument: string): string | FileBytes {
    const url = urlOf(source);
    if (url !== null) return url.href;
    if (typeof source === 'string') return source;
    const bytes = viewOfInput(ROUTINE, source as FileBytes, 'a path, a URL, or bytes and a name', argument);
    const { name, resolve } = source as FileBytes;
    if (resolve === undefined) return { bytes, name };
    const rule = `${argument}.resolve is a function, which cannot go to a thread: give the path or the URL of the file`;
    throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${rule}`);
}

function checkArguments(inputs: unknown, given: BakeFilesOptions): Recipe {
    const refuse = (rule: string, value: unknown) => {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${rule}, got ${describe(value)}`);
    };
    if (
        typeof inputs !== 'object' ||
        inputs === null ||
        ArrayBuffer.isView(inputs) ||
        !(Symbol.iterator in inputs || Symbol.asyncIterator in inputs)
    ) {
        refuse('inputs must be an iterable of files to bake', inputs);
    }
    const { options, out, concurrency, cache, signal, onProgress } = checkOptions(ROUTINE, given) as BakeFilesOptions;
    const recipe = recipeOf(ROUTINE, options ?? {});
    if (out !== undefined && typeof out !== 'string') refuse('options.out must be a path', out);
    containerOf(ROUTINE, given);
    checkCallback(ROUTINE, 'options.onProgress', onProgress);
    checkSignal(ROUTINE, signal);
    checkCache(ROUTINE, cache);
    if (concurrency === undefined || (Number.isInteger(concurrency) && concurrency > 0)) return recipe;
    if (typeof concurrency !== 'number') refuse('options.concurrency must be a number', concurrency);
    throw rangeError(
        'ERR_COUNT_RANGE',
        `${ROUTINE}: options.concurrency must be a whole number above 0, got ${concurrency}`,
    );
}
