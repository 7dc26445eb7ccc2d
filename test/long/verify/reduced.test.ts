// SPDX-License-Identifier: MIT

/** verifyReduced finds the same errors as three.js, for one moved key and for every second key left out. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, WebIO } from '@gltf-transform/core';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { transformed } from '../../../lib/verify/matrix';
import { chartReduced, verifyReduced } from '../../../lib/verify/reduced';
import { CHARACTER, describeModel, FOX, KNIGHT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { threePalettes } from '../../support/three-oracle';

const folder = scratchFolder();

/** Drops every second key, except the last. Splines stay. */
function halve(document: Document): void {
    for (const animation of document.getRoot().listAnimations()) {
        for (const sampler of animation.listSamplers()) {
            const [input, output] = [sampler.getInput()!, sampler.getOutput()!];
            const times = input.getArray()!;
            if (times.length < 4 || sampler.getInterpolation() === 'CUBICSPLINE') continue;
            const values = output.getArray()!;
            const width = values.length / times.length;
            const keep = [...times.keys()].filter((k) => k % 2 === 0 || k === times.length - 1);
            sampler.setInput(input.clone().setArray(Float32Array.from(keep, (k) => times[k]!)));
            const kept = keep.flatMap((k) => [...values.subarray(k * width, (k + 1) * width)]);
            sampler.setOutput(output.clone().setArray(Float32Array.from(kept)));
        }
    }
}

/** The max distance of the first skin's vertices in two files, by clip and time, without morph targets. Matrices by three.js. */
async function byThree(source: string, reduced: string, clips: { animation: number; times: readonly number[] }[]) {
    const document = await new WebIO().readBinary(readFileSync(source));
    const root = document.getRoot();
    const theSkin = root.listSkins()[0]!;
    const joints = theSkin.listJoints().length;
    const request = (file: string) => ({ file, skin: 0, clips });
    const [here, there] = threePalettes([request(source), request(reduced)], [joints, joints]);
    const primitives = root
        .listNodes()
        .flatMap((node) => (node.getSkin() === theSkin ? (node.getMesh()?.listPrimitives() ?? []) : []));
    const vertices = primitives.flatMap((primitive) => {
        const accessors = ['POSITION', 'JOINTS_0', 'WEIGHTS_0'].map((name) => primitive.getAttribute(name)!);
        return Array.from({ length: accessors[0]!.getCount() }, (_, v) =>
            accessors.map((one) => one.getElement(v, [])),
        );
    });
    const distance = (clip: number, t: number) => {
        const at = (t: number) => t * joints * 16;
        const apart = here![clip]!.subarray(at(t), at(t + 1)).map((x, i) => x - there![clip]![at(t) + i]!);
        let max = 0;
        for (const [p, of, w] of vertices) {
            const off = w!.map((weight, k) =>
                transformed(apart, of![k]! * 16, p![0]!, p![1]!, p![2]!).map((x) => weight * x),
            );
            max = Math.max(max, Math.hypot(...[0, 1, 2].map((row) => off.reduce((sum, x) => sum + x[row]!, 0))));
        }
        return max;
    };
    return clips.map(({ times }, clip) => times.map((_, t) => distance(clip, t)));
}

describeModel(KNIGHT, () => {
    test('one moved key in one of 76 clips: only this clip has an error', async () => {
        const io = new WebIO();
        const document = await io.readBinary(readFileSync(KNIGHT.path));
        const animation = document.getRoot().listAnimations()[40]!;
        const channel = animation
            .listChannels()
            .find((each) => each.getTargetPath() === 'translation' && each.getTargetNode()!.getName() === 'hips')!;
        const output = channel.getSampler()!.getOutput()!.clone();
        const [x, y, z] = output.getElement(3, [0, 0, 0]);
        channel.getSampler()!.setOutput(output.setElement(3, [x, y + 0.25, z]));
        const path = join(folder(), 'moved.glb');
        writeFileSync(path, await io.writeBinary(document));

        const { clips, problems, worst, extent } = await verifyReduced(KNIGHT.path, path);
        expect(problems).toEqual([]);
        expect(clips).toHaveLength(76);
        expect(clips.flatMap(({ ok, animation: number }) => (ok ? [] : number))).toEqual([40]);
        expect(worst).toMatchObject({ animation: 40, name: animation.getName() });
        expect(worst!.error).toBeCloseTo(0.25, 5);
        expect(worst!.time).toBeCloseTo(channel.getSampler()!.getInput()!.getArray()![3]!, 6);
        expect(Math.max(...clips.map(({ ok, error }) => (ok ? error : 0)))).toBeLessThan(1e-6 * extent);
    });
});

for (const model of [CHARACTER, FOX]) {
    describeModel(model, () => {
        test('every second key left out: three.js finds the same at the stated time and those of the chart, and never more', async () => {
            const half = join(folder(), 'half.glb');
            const document = await new WebIO().readBinary(readFileSync(model.path));
            halve(document);
            writeFileSync(half, await new WebIO().writeBinary(document));
            const { ok, clips, extent, times, charts } = await chartReduced(model.path, half, {}, 80);
            expect(ok).toBe(false);
            expect(times).toBeGreaterThan(clips.length * 10);
            const evaluator = await DoubleEvaluator.load(model.path);
            const asked = clips.map(({ animation, time }, i) => {
                const chart = charts[i]!;
                expect(chart.times).toContain(time);
                expect([chart.times[0], chart.times.at(-1)]).toEqual([0, evaluator.duration(animation)]);
                return { animation, times: [time, ...chart.times] };
            });
            const found = await byThree(model.path, half, asked);
            for (const [i, { error, ok: within }] of clips.entries()) {
                expect(within).toBe(error <= 0.001 * extent * (1 + 1e-6));
                const [stated, ...rest] = found[i]!;
                // The example has rigid meshes, too, and Fox none.
                if (model === FOX) expect(Math.abs(stated! - error)).toBeLessThan(1e-5 * extent);
                else expect(stated).toBeLessThan(error + 1e-5 * extent);
                expect(Math.max(...rest)).toBeLessThan(error * 1.001 + 1e-5 * extent);
                expect(Math.max(...charts[i]!.errors)).toBe(error);
                for (const [k, charted] of charts[i]!.errors.entries()) {
                    expect(rest[k]! - charted).toBeLessThan(1e-5 * extent);
                    if (model === FOX) expect(rest[k]! - charted).toBeGreaterThan(-1e-5 * extent);
                }
            }
        });
    });
}
