// SPDX-License-Identifier: MIT

import { rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, rig, rowsIn } from './baked-creature';

test.each([undefined, 'xz+yaw', 'xyz+rotation'] as const)(
    'root is the motion that a rig finds (%s)',
    async (rootMotion) => {
        const output = await bakeOne({ emit: ['root'], rootMotion });
        const motion = rootMotion ?? 'xz+yaw';
        expect(output.manifest.recipe.root).toEqual({ mode: 'extract', motion, node: 2 });
        expect(output.manifest.arrays.root).toMatchObject({ layout: 'tr', shape: [51, 7], joint: 1 });
        const slot = rig.slotOf(2);
        const [poses, from] = [rig.createPoses(1), rig.createPoses(1)];
        let before = new Float32Array(7);
        for (const { row, clip, time } of rowsIn(output)) {
            rig.evaluate(from, clip, Float64Array.of(0));
            rig.evaluate(poses, clip, Float32Array.of(time));
            const expected = rig.extractRoot(poses, new Float32Array(7), { slot, from, motion });
            // Signs go on from frame to frame, where a pose by itself has w above 0.
            const dot = expected.slice(3).reduce((sum, x, c) => sum + x * before[3 + c]!, 0);
            const sign = time > 0 && dot < 0 ? -1 : 1;
            before = expected.map((x, c) => (c < 3 ? x : sign * x + 0));
            expect(rowOf(output, 'root', row)).toEqual([...before]);
            if (time === 0) expect([...before]).toEqual([0, 0, 0, 0, 0, 0, 1]);
        }
    },
);

test('a joint by name; a part of a clip begins where it is', async () => {
    const output = await bakeOne({
        emit: ['root'],
        rootJoint: 'head',
        rootMotion: 'xyz+rotation',
        from: 0.25,
        to: 0.75,
        clips: ['walk'],
    });
    expect(output.manifest.recipe.root!.node).toBe(CREATURE.nodes.findIndex(({ name }) => name === 'head'));
    expect(output.manifest.arrays.root!.joint).toBe(0);
    for (const { firstRow, frameCount } of output.manifest.clips) {
        expect(rowOf(output, 'root', firstRow)).toEqual([0, 0, 0, 0, 0, 0, 1]);
        if (frameCount > 1) expect(rowOf(output, 'root', firstRow + 1)).not.toEqual([0, 0, 0, 0, 0, 0, 1]);
    }
});
