// SPDX-License-Identifier: MIT

/** examples/layers.mjs: with layers the hands stay outside the body; a difference to a T-pose moves them into it. */

import { join } from 'node:path';
import { KNIGHT, testModel } from '../../support/models';
import { runNode } from '../../support/processes';

testModel(KNIGHT, 'a hit reaction and an aim offset over a walk', () => {
    const { stdout } = runNode([join(__dirname, '../../../examples/layers.mjs'), KNIGHT.path]);
    const [walk, ...layers] = stdout.trim().split('\n');
    const meters = (line: string) => Array.from(line.matchAll(/([\d.]+) m/g), ([, number]) => Number(number));
    expect(layers.map((line) => line.split(':')[0])).toEqual(['hit reaction', 'aim offset']);
    const [own] = meters(walk!);
    for (const [layered, doubled] of layers.map(meters)) {
        expect(layered).toBeGreaterThan(0.9 * own!);
        expect(doubled).toBeLessThan(0.6 * own!);
    }
});
