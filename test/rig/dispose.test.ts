// SPDX-License-Identifier: MIT

/** Disposed rigs and poses throw a typed error. */

import { typescriptRig } from '../../lib/rig/kernels';
import type { RigImplementation } from '../../lib/rig/kernels/table';
import { RigBase } from '../../lib/rig/rig-base';
import { checkedScene } from '../../lib/rig/source/checked-scene';
import { random } from '../support/random';
import { randomScene } from './double-reference';
import { describeRigs } from './native-tiers';

const gone = expect.objectContaining({ code: 'ERR_DISPOSED' });
const times = Float64Array.of(0.25, 0.5);

function disposes(implementation: RigImplementation): void {
    const made = () => new RigBase(checkedScene(randomScene(random(2)), 'test.glb'), undefined, implementation);

    test('disposed poses are rejected; other poses and their data stay', () => {
        const rig = made();
        const [poses, others] = [rig.createPoses(2), rig.createPoses(2)];
        const { data } = poses;
        rig.evaluate(others, 0, times);
        rig.evaluate(poses, 0, times);
        const before = others.data.slice();
        poses.dispose();
        poses.dispose();
        expect(() => rig.evaluate(poses, 0, times)).toThrow(gone);
        expect(() => rig.blend(others, others, poses, 0.5)).toThrow(gone);
        expect(() => poses.data).toThrow(gone);
        expect(() => poses.count).toThrow(gone);
        expect(() => {
            poses.count = 1;
        }).toThrow(gone);
        expect(others.data).toEqual(before);
        expect(data).toEqual(before);
        rig.toGlobal(others);
    });

    test('a disposed rig no longer works, and still describes its content', () => {
        const rig = made();
        const poses = rig.createPoses(2);
        rig.dispose();
        rig.dispose();
        expect(() => rig.createPoses(1)).toThrow(gone);
        expect(() => rig.evaluate(poses, 0, times)).toThrow(gone);
        expect(() => rig.toGlobal(poses)).toThrow(gone);
        expect(() => rig.subtreeMask(0)).toThrow(gone);
        expect(() => rig.rootDelta(new Float32Array(7), 0, 0, 1, { slot: 0 })).toThrow(gone);
        expect(rig.slots.length).toBeGreaterThan(0);
        expect(poses.data.length).toBe(poses.blockFloats);
    });
}

describe('strict/typescript', () => disposes(typescriptRig));
describeRigs(disposes);
