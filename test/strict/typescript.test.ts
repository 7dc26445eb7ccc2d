// SPDX-License-Identifier: MIT

/** Properties of `strict/typescript` beyond the golden bits: the source of its coefficients, and two routines that agree. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { strictKernels } from '../../lib/lists/routines';
import { PQ8, PS9 } from '../../lib/strict/coefficients';
import { expectSameBits } from '../support/bytes';
import { jointQuatPair, random } from '../support/joint-data';

describe('coefficients', () => {
    const header = fs.readFileSync(path.join(__dirname, '../../native/kernels/coefficients.h'), 'utf8');
    it.each([
        ['PS9', PS9],
        ['PQ8', PQ8],
    ])('%s is the set that C++ has', (name, set) => {
        const [, rows] = new RegExp(`/// ${name}:[^]*?constexpr double [^=]*= \\{([^;]*)\\n\\};`).exec(header)!;
        const native = rows!
            .trim()
            .split('\n')
            .map((row) => row.match(/-?\d[\d.e-]*/g)!.map(Number));
        expect(set).toEqual(native);
    });
});

test('slerpQuatTimes is slerpQuatsPerQuat with the pair repeated', () => {
    const next = random(11);
    const edges = [-1, 0, -0, 2 ** -149, 0.5 + 2 ** -24, 1 - 2 ** -24, 1, 2, Infinity, -Infinity, Number.NaN];
    const t = Float32Array.from({ length: 100 }, (_, i) => edges[i] ?? next());
    const { joints, blendJoints } = jointQuatPair(next, 1);
    const repeated = (q: Float32Array) => Float32Array.from({ length: 400 }, (_, i) => q[i & 3]!);
    const [once, all] = [new Float32Array(400), new Float32Array(400)];
    strictKernels.slerpQuatTimes(once, joints, blendJoints, t, 100);
    strictKernels.slerpQuatsPerQuat(all, repeated(joints), repeated(blendJoints), t, 100);
    expectSameBits(once, all, 4, () => 'times');
});
