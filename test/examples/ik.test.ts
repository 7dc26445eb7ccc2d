// SPDX-License-Identifier: MIT

/** examples/ik.mjs: afterward feet are on the ground and gazes meet the ball. */

import { join } from 'node:path';
import { runNode } from '../support/processes';

test('feet on uneven ground, and a gaze at a ball', () => {
    const { stdout } = runNode([join(__dirname, '../../examples/ik.mjs')]);
    const [animated, solved] = stdout
        .trim()
        .split('\n')
        .map((line) => Array.from(line.matchAll(/([\d.]+) (?:m|rad) /g), ([, number]) => Number(number)));
    for (const off of animated!) expect(off).toBeGreaterThan(0.05);
    expect(solved).toEqual([0, 0]);
});
