// SPDX-License-Identifier: MIT

/** The addon places the nodes of a clip as the twin does, and refuses what does not fit together. */

import { inputOfBytes } from '../../../lib/gltf/input';
import { readGltf } from '../../../lib/gltf/read';
import { nativePoses } from '../../../lib/reduce/model/choose-poses';
import { modelOf } from '../../../lib/reduce/model/model';
import { type EachPose, posesTwin } from '../../../lib/reduce/model/skeleton';
import { reduceRecipeOf } from '../../../lib/reduce/options';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative, WASM } from '../../support/implementations';
import { random } from '../../support/random';
import { randomRig } from '../rigs';

function all(eachPose: EachPose, times: readonly number[]): number[][] {
    const poses: number[][] = [];
    eachPose(times, (i, globals) => (poses[i] = [...globals]));
    return poses;
}

itNative('every instruction set gives the bits of the twin, also at more times than fit in one call', async () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativePoses.keys()]).toEqual(available.filter((name) => name !== WASM));
    const kinds = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
        const rig = randomRig(random(seed), { offUnit: [0, 0.01][seed % 2]! });
        const scene = await readGltf('rig.glb', { rigid: true }, inputOfBytes('rig.glb', rig.builder.toGlb()));
        const model = modelOf(scene, reduceRecipeOf('test', {}));
        for (const { channels } of scene.animations) {
            for (const { interpolation } of channels) kinds.add(interpolation);
            const keys = channels.flatMap(({ times }) => [...times]);
            const [first, last] = [Math.min(...keys) - 0.5, Math.max(...keys) + 0.5];
            const steps = seed === 0 ? 4000 : 40;
            const between = Array.from({ length: steps }, (_, i) => first + ((last - first) * i) / steps);
            const times = [...keys, ...between].sort((a, b) => a - b);
            const expected = all(posesTwin(model, channels), times);
            for (const native of nativePoses.values()) {
                expect(all(native(model, channels), times)).toEqual(expected);
            }
        }
    }
    expect([...kinds].sort()).toEqual(['CUBICSPLINE', 'LINEAR', 'STEP']);
});

itNative('the addon refuses lists that are too short and indices out of bounds', () => {
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { poseClip?(...args: unknown[]): unknown }[];
    };
    const list = (length: number) => new Float64Array(length).fill(0.5);
    // A child with a rotation of two keys, at three times.
    const curves = [13, 0, 2, 0];
    const good = [list(72), Int32Array.of(-1, 0), list(24), list(20), Int32Array.from(curves), list(10), list(3)];
    const other = (at: number, value: number) => [4, Int32Array.from(curves.with(at, value))] as const;
    const bad: (readonly [number, unknown])[] = [
        ...[0, 2, 3, 5].map((at) => [at, (good[at] as Float64Array).subarray(1)] as const),
        ...good.map((_, at) => [at, null] as const),
        [6, list(4)],
        // Memory of the result.
        ...[2, 3, 5, 6].map((at) => [at, (good[0] as Float64Array).subarray(40)] as const),
        ...[
            [-2, 0],
            [0, 0],
            [-1, 1],
        ].map((parents) => [1, Int32Array.from(parents)] as const),
        ...[other(0, 20), other(0, -1), other(0, 11), other(1, 3), other(1, 2), other(2, 0), other(2, 3), other(3, 1)],
    ];
    for (const { poseClip } of rigs) {
        if (poseClip === undefined) continue;
        expect(poseClip(...good)).toBeUndefined();
        for (const [at, value] of bad) {
            expect([at, value, poseClip(...good.with(at, value as never))]).toEqual([at, value, false]);
        }
    }
});
