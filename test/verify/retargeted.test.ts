// SPDX-License-Identifier: MIT

/** The measures of retargeted clips, for clips with one known fault each. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { measureRetarget, type RetargetMeasureName, traceOf } from '../../lib/verify/retargeted';
import { about, NAMES, STRIDE, writeHumanoid } from '../support/humanoids';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
/** Thigh and shin. */
const LEG = 0.87;
/** Height from the toes to the head, in the bind pose. */
const HEIGHT = 0.08 + LEG + 0.65 - 0.02;

interface Channel {
    readonly target: { readonly node: number; readonly path: string };
    readonly sampler: number;
}
interface Json {
    readonly nodes: readonly { readonly name: string; rotation: number[] }[];
    readonly animations: [{ channels: Channel[]; samplers: { input: number; output: number }[] }];
    readonly buffers: [{ uri: string }];
    readonly bufferViews: readonly { readonly byteOffset: number }[];
    readonly accessors: readonly { readonly bufferView: number; readonly count: number }[];
}

/** The measures of the step by a file that `change` changes, compared with the file itself. */
async function measured(change: (json: Json, values: (node: string, path: string) => Float32Array) => void) {
    const path = writeHumanoid(folder(), 'step', { step: 1 });
    const json: Json = JSON.parse(readFileSync(path, 'utf8'));
    const bytes = Buffer.from(json.buffers[0].uri.split(',')[1]!, 'base64');
    const aligned = new Uint8Array(bytes);
    change(json, (name, property) => {
        const [{ channels, samplers }] = json.animations;
        const { sampler } = channels.find(
            ({ target }) => json.nodes[target.node]!.name === name && target.path === property,
        )!;
        const { bufferView, count } = json.accessors[samplers[sampler]!.output]!;
        return new Float32Array(
            aligned.buffer,
            json.bufferViews[bufferView]!.byteOffset,
            count * (property === 'rotation' ? 4 : 3),
        );
    });
    json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(aligned.buffer).toString('base64')}`;
    const changed = join(folder(), 'changed.gltf');
    writeFileSync(changed, JSON.stringify(json));
    const [source, target] = await Promise.all([path, changed].map((file) => DoubleEvaluator.load(file)));
    const pairs = pairsOf(json);
    return measureRetarget({ evaluator: source!, animation: 0 }, { evaluator: target!, animation: 0 }, pairs);
}

function pairsOf(json: Pick<Json, 'nodes'>) {
    const { middle, side } = NAMES.kaykit!;
    const named: [string, string][] = Object.entries(middle);
    for (const one of ['left', 'right'] as const)
        for (const limb of ['upperArm', 'lowerArm', 'hand', 'upperLeg', 'lowerLeg', 'foot'])
            named.push([`${one}${limb[0]!.toUpperCase()}${limb.slice(1)}`, side(one, limb)]);
    const nodeOf = (name: string) => json.nodes.findIndex((node) => node.name === name);
    return new Map(named.map(([role, name]) => [role, [nodeOf(name), nodeOf(name)] as const]));
}

const FAULTS: readonly [string, Parameters<typeof measured>[0], Partial<Record<RetargetMeasureName, number>>][] = [
    ['none', () => {}, {}],
    [
        'an upper arm with an error of 20 degrees',
        ({ nodes }) => {
            nodes.find(({ name }) => name === 'upperarm.l')!.rotation = about('z', 20);
        },
        { arms: 20 },
    ],
    [
        'a head with an error of 30 degrees',
        ({ nodes }) => {
            nodes.find(({ name }) => name === 'head')!.rotation = about('y', 30);
        },
        { turn: 30 },
    ],
    [
        'everything 3 cm too low',
        (_, values) => {
            const hips = values('hips', 'translation');
            for (let i = 1; i < hips.length; i += 3) hips[i]! -= 0.03;
        },
        { low: 0.03 / HEIGHT },
    ],
    [
        'a step that is a tenth too long',
        (_, values) => {
            const hips = values('hips', 'translation');
            for (let i = 2; i < hips.length; i += 3) hips[i]! *= 1.1;
        },
        // A foot stands for half of the way, and is lifted by 3% of the leg at 0.532 of it.
        { slide: (0.1 * 0.5 * STRIDE * LEG) / HEIGHT, stance: (0.1 * 0.532 * STRIDE * LEG) / HEIGHT },
    ],
];

test.each(FAULTS)('%s', async (_, change, wanted) => {
    const found = await measured(change);
    for (const [name, { value }] of Object.entries(found)) {
        const expected = wanted[name as RetargetMeasureName] ?? 0;
        // Feet stand for half of the clip, within one sample.
        const near = Math.abs(value - expected) <= 0.05 * expected + 1e-6;
        expect({ name, value, near }).toEqual({ name, value, near: true });
    }
});

test('a clip with more poses than a picture needs has fewer samples, up to its end', async () => {
    const path = writeHumanoid(folder(), 'step', { step: 1 });
    const evaluator = await DoubleEvaluator.load(path);
    const pairs = pairsOf(JSON.parse(readFileSync(path, 'utf8')));
    const { times } = traceOf(evaluator, { source: evaluator.file, from: 0, animation: 0, pairs }, 1e6);
    expect(times.length).toBeLessThanOrEqual(2000);
    expect(times.at(-1)).toBeCloseTo(evaluator.duration(0), 2);
});
