// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { renormalized } from '../../../lib/bake/plan/renormalize';
import { channel, node, scene, skin } from '../../rig/scenes';
import { rowOf } from '../baked-scenes';

const tenth = [0, 0, 0.06, 0.08];
const keys = [0, 0, 0, 5, ...tenth, 0, 0, 0, 0];
const times = [0, 1, 2];
const withChannels = (...channels: ReturnType<typeof channel>[]) =>
    scene([node(-1), node(0)], [skin([0, 1])], [{ name: '', channels }]);

test('LINEAR and STEP rotation keys get unit length; zeros and shared numbers stay', () => {
    const linear = channel(0, 'rotation', 'LINEAR', times, keys);
    const step = { ...channel(1, 'rotation', 'STEP', times, []), values: linear.values };
    const weights = { ...channel(0, 'weights', 'LINEAR', times, []), values: linear.values };
    const move = channel(0, 'translation', 'LINEAR', [0], [1, 2, 3]);
    const s = withChannels(linear, step, weights, move);
    const [turned, stepped, weighed, moved] = renormalized(s).animations[0]!.channels;
    expect([...turned!.values]).toEqual([0, 0, 0, 1, 0, 0, Math.fround(0.6), Math.fround(0.8), 0, 0, 0, 0]);
    expect(stepped!.values).toBe(turned!.values);
    expect(weighed).toBe(weights);
    expect(moved).toBe(move);
    expect([...linear.values]).toEqual(keys.map(Math.fround)); // the argument is not written to
});

test('splines stay', () => {
    const spline = channel(0, 'rotation', 'CUBICSPLINE', [0, 1], Array(24).fill(2));
    expect(renormalized(withChannels(spline)).animations[0]!.channels[0]).toBe(spline);
});

test('the warnings about these keys disappear, others stay', () => {
    const linear = { ...channel(0, 'rotation', 'LINEAR', times, keys), pointer: '/a' };
    const spline = { ...channel(1, 'rotation', 'CUBICSPLINE', [0, 1], Array(24).fill(2)), pointer: '/b' };
    const warning = (code: string, pointer: string) => ({ code, pointer, message: 'm' });
    const warnings = [
        warning('NON_UNIT_ROTATION', '/a'),
        warning('NON_UNIT_ROTATION', '/b'),
        warning('NON_UNIT_ROTATION', '/nodes/0/rotation'),
        warning('DUPLICATE_KEY_TIMES', '/a'),
    ];
    const left = renormalized({ ...withChannels(linear, spline), warnings }).warnings;
    expect(left).toEqual(warnings.slice(1));
});

test('a bake with this option turns without scale, and says so', async () => {
    const s = withChannels(channel(0, 'rotation', 'STEP', [0, 1], [...tenth, ...tenth]));
    const [as, unit] = [await bakeScene(s, { fps: 1 }), await bakeScene(s, { fps: 1, renormalize: true })];
    expect(as.outputs[0]!.manifest.recipe).not.toHaveProperty('renormalize', true);
    expect(unit.outputs[0]!.manifest.recipe.renormalize).toBe(true);
    // 1 - 2 z^2 and 2 z w: for the given keys, and at unit length.
    expect(rowOf(as.outputs[0]!, 'palette', 0)[0]).toBeCloseTo(1 - 2 * 0.06 * 0.06, 6);
    expect(rowOf(unit.outputs[0]!, 'palette', 0)[0]).toBeCloseTo(1 - 2 * 0.6 * 0.6, 6);
    expect(rowOf(unit.outputs[0]!, 'palette', 0)[1]).toBeCloseTo(2 * 0.6 * 0.8, 6);
});
