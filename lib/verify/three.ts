// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { InputError } from '../base/errors';
import { unlessAborted } from '../base/follow-signal';
import { readWhole } from './clips-file';
import type { DoubleEvaluator } from './evaluator';
import type { Columns } from './gltf';
import { multiply } from './matrix';
import type { ThreeAnswer, ThreeFile, ThreeRequest } from './three-worker';

/** From lib/verify, dist/verify and dist/cli alike. */
const WORKER = join(__dirname, '../../dist/verify/three-worker.js');

/** Poses that are asked for at once. */
const TOGETHER = 16;
/** For how long three.js may work on them, milliseconds. It has loops that never end for some data. */
const TIMEOUT = 60_000;

/** Nodes posed by three.js: a second judge, of the global matrices of joints and attachments. */
export interface ThreeJudge {
    /** Starts a clip, at ascending times. */
    start(animation: number, times: ArrayLike<number>): void;
    /**
     * Writes the matrices of joints and attachments, column-major, over those of their nodes.
     *
     * @param frame One of the times; each follows the one before.
     * @param base What takes the scene to the space that is wanted, null for the scene.
     * @throws InputError `EXTENSION_UNSUPPORTED` where three.js is not installed, or cannot load the file; the signal's reason.
     */
    pose(frame: number, globals: Float64Array, base: Float64Array | null): Promise<void>;
    /** Ends the thread. */
    close(): Promise<unknown>;
}

/** Opens a file with three.js (an optional package) and its GLTFLoader, in a thread, because its loops may never end. */
export async function loadThree(
    evaluator: DoubleEvaluator,
    { skins, nodes, joints }: Columns,
    signal: AbortSignal | undefined,
): Promise<ThreeJudge> {
    const { file } = evaluator;
    const { bytes, keys } = await readWhole(evaluator);
    const data: ThreeFile = {
        bytes,
        buffers: [...file.buffers, keys],
        skin: skins[0] ?? null,
        attached: nodes.slice(joints),
    };
    // Its own outputs: the loader prints what it does not know, with names of the file.
    const worker = new Worker(WORKER, { workerData: data, stdout: true, stderr: true });
    const refuse = (rule: string): never => {
        throw new InputError('EXTENSION_UNSUPPORTED', file.path, '', rule);
    };
    const ask = async (request: ThreeRequest): Promise<Float64Array> => {
        let timer: NodeJS.Timeout | undefined;
        const answer = new Promise<ThreeAnswer>((resolve) => {
            worker.once('message', resolve);
            worker.once('error', (error) => resolve({ rule: `three.js cannot pose it: ${error.message}` }));
            timer = setTimeout(() => resolve({ rule: 'three.js does not end' }), TIMEOUT);
        });
        worker.postMessage(request);
        try {
            const found = await unlessAborted(answer, signal);
            return 'rule' in found ? refuse(found.rule) : found.matrices;
        } finally {
            clearTimeout(timer);
            worker.removeAllListeners('message').removeAllListeners('error');
            worker.on('error', () => {}); // of a thread that is idle
        }
    };
    await ask({ animation: 0, times: [], isFirst: false }).catch(async (error) => {
        await worker.terminate();
        throw error;
    });
    let clip: { readonly animation: number; readonly times: ArrayLike<number> };
    let matrices: Float64Array = new Float64Array(0);
    return {
        start(animation, times) {
            clip = { animation, times };
        },
        async pose(frame, globals, base) {
            const place = frame % TOGETHER;
            if (place === 0) {
                const times = Array.from(clip.times).slice(frame, frame + TOGETHER);
                matrices = await ask({ animation: clip.animation, times, isFirst: frame === 0 });
            }
            for (const [column, node] of nodes.entries()) {
                const at = (place * nodes.length + column) * 16;
                if (base === null) globals.set(matrices.subarray(at, at + 16), node * 16);
                else multiply(globals, node * 16, base, 0, matrices, at);
            }
        },
        close: () => worker.terminate(),
    };
}

/** How far a rotation key may be from unit length for three.js to agree. */
const UNIT = 1e-6;

/**
 * Why three.js may show something else than the specification asks for; nothing where both have to agree.
 *
 * @param chain The nodes that place the skin.
 */
export function threeDifferences(evaluator: DoubleEvaluator, chain: Int32Array, animation: number): string[] {
    const wanted = new Set(chain);
    const reasons = new Set<string>();
    for (const { node, path, byPointer, sampler } of evaluator.channelsOf(animation)) {
        if (!wanted.has(node) || path === 'weights') continue;
        const { times, values, interpolation, rotation } = sampler;
        if (byPointer) reasons.add('it does not know KHR_animation_pointer');
        if (times.some((time, k) => k > 0 && time === times[k - 1])) reasons.add('keys at the same time');
        const cubic = interpolation === 'CUBICSPLINE';
        for (let at = cubic ? 4 : 0; rotation && at < values.length; at += cubic ? 12 : 4) {
            const length = Math.hypot(values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
            if (Math.abs(length - 1) > UNIT) reasons.add('rotation keys that are not of unit length');
        }
    }
    for (const node of chain) {
        const matrix = evaluator.matrixOf(node);
        if (matrix !== null && !isDecomposable(matrix))
            reasons.add('it takes matrices apart, and one has shear or no volume');
    }
    return [...reasons];
}

/** Whether the columns are at right angles and none is zero. */
function isDecomposable(m: readonly number[]): boolean {
    const columns = [0, 4, 8].map((c) => [m[c]!, m[c + 1]!, m[c + 2]!] as const);
    const lengths = columns.map((column) => Math.hypot(...column));
    if (lengths.some((length) => length === 0)) return false;
    return [0, 1, 2].every((c) => {
        const [a, b] = [columns[c]!, columns[(c + 1) % 3]!];
        const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        return Math.abs(dot) <= UNIT * lengths[c]! * lengths[(c + 1) % 3]!;
    });
}
