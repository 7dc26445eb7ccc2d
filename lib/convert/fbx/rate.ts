// SPDX-License-Identifier: MIT

import type { Fbx, FbxStack } from './types';

/**
 * Factors of the frame rate, and the number of samples up to which they apply. Linear keys of 16 samples a frame
 * are within 7e-5 of the extent between frames, those of 32 within 2e-5. A million samples take about 5 s.
 */
const RATES = [
    { factor: 64, upTo: 30_000 },
    { factor: 32, upTo: 100_000 },
    { factor: 16, upTo: 1_500_000 },
    { factor: 8, upTo: 1_500_000 },
    { factor: 4, upTo: 1_500_000 },
    { factor: 2, upTo: 1_500_000 },
    { factor: 1, upTo: 6_000_000 },
];

/** The loader takes at most 512 samples between two keys, and 100,000 of a node. */
const BETWEEN = 256;
const OF_NODE = 100_000;

/** How the clips of a file are sampled. */
export interface Sampling {
    /** The file with another frame rate, and with the stacks that the loader samples. */
    readonly fbx: Fbx;
    readonly stackOf: ReadonlyMap<FbxStack, FbxStack>;
    readonly rate: number;
    /** Clips with fewer than 8 samples a frame by the loader. */
    readonly coarse: readonly FbxStack[];
}

/**
 * Raises the frame rate of a file as far as its length allows, because the loader's keys are samples.
 *
 * @throws Error for a frame rate that is not positive, and clips with too many frames.
 */
export function sampledOften(fbx: Fbx): Sampling {
    const { animations, frameRate } = fbx;
    if (!(frameRate > 0 && frameRate < Infinity))
        throw new Error(`its frame rate is ${frameRate}; it must be greater than 0`);
    const count = (rate: number) => animations.reduce((sum, stack) => sum + samplesOf(stack, rate), 0);
    const chosen = RATES.find(({ factor, upTo }) => count(frameRate * factor) <= upTo);
    if (chosen === undefined) throw new Error('its clips have too many frames; export shorter ones');
    const rate = frameRate * chosen.factor;
    const stackOf = new Map(animations.map((stack) => [withTimes(stack, rate), stack]));
    const coarse = animations.filter(
        ({ startTime, stopTime }) => chosen.factor < 8 || (stopTime - startTime) * frameRate * 8 > OF_NODE,
    );
    return { fbx: { ...fbx, frameRate: rate, animations: [...stackOf.keys()] }, stackOf, rate, coarse };
}

function samplesOf({ startTime, stopTime, curveNodes }: FbxStack, rate: number): number {
    const nodes = new Set(curveNodes.map(({ targetModelId }) => targetModelId));
    return nodes.size * Math.min(OF_NODE, Math.max(1, (stopTime - startTime) * rate));
}

/** Adds keys of no property, between which the loader takes all samples. */
function withTimes(stack: FbxStack, rate: number): FbxStack {
    const { startTime, stopTime, curveNodes } = stack;
    const count = Math.min(Math.floor(((stopTime - startTime) * rate) / BETWEEN), OF_NODE / BETWEEN);
    if (!(count >= 1)) return stack;
    const none = { value: 0, interpolation: 'linear' as const, leftDx: 0, leftDy: 0, rightDx: 0, rightDy: 0 };
    const keys = Array.from({ length: count }, (_, i) => ({ ...none, time: startTime + ((i + 1) * BETWEEN) / rate }));
    const moved = curveNodes.filter(({ type }) => type !== 'DeformPercent').map(({ targetModelId }) => targetModelId);
    const times = [...new Set(moved)].map((targetModelId) => ({
        type: 'times',
        targetModelId,
        curves: [{ channel: 'times', keys }],
        layerIndex: 0,
    }));
    return { ...stack, curveNodes: [...curveNodes, ...times] };
}
