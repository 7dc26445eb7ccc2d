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

/** The same path from lib/verify, dist/verify and dist/cli. */
const WORKER = join(__dirname, '../../dist/verify/three-worker.js');

/** Number of poses in a request. */
const TOGETHER = 16;
/** Timeout of a request, milliseconds. Some data makes loops in three.js endless. */
const TIMEOUT = 60_000;

/** A second judge: global matrices of joints and attachments by three.js. */
export interface ThreeJudge {
    /** Starts a clip with ascending times. */
    start(animation: number, times: ArrayLike<number>): void;
    /**
     * Overwrites the global matrices of joints and attachments with those of three.js, column-major.
     *
     * @param frame Index of one of the times. Each call must use the next one.
     * @param base The matrix from the scene to the wanted space; null for the scene.
     * @throws InputError `EXTENSION_UNSUPPORTED` if three.js is not installed or cannot load the file; the signal's
     * reason.
     */
    pose(frame: number, globals: Float64Array, base: Float64Array | null): Promise<void>;
    /** Ends the thread. */
    close(): Promise<unknown>;
}

/**
 * Opens a file with three.js (an optional package) and its GLTFLoader, in a thread, because its loops may never end.
 */
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
    // Own output streams, because the loader prints names of the file.
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

/** Maximum deviation of a rotation key from unit length at which three.js agrees. */
const UNIT = 1e-6;

/**
 * Reasons why three.js may differ from the specification; empty if both must agree.
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

/** Whether the columns are orthogonal and none is zero. */
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
