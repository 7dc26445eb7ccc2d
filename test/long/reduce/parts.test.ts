// SPDX-License-Identifier: MIT

import { reduceFile } from '../../../lib/reduce';
import { displacementOf, evaluatorOf } from '../../reduce/judge';
import { RigBuilder } from '../../reduce/rigs';

test('a clip worked in parts, because it is long: within the bound at the joins, loops closed', async () => {
    const count = 2000;
    const times = Array.from({ length: count }, (_, i) => i / 30);
    const values = times.flatMap((_, i) => {
        const phase = (i % (count - 1)) / (count - 1);
        const angle = 0.4 * Math.sin(2 * Math.PI * 40 * phase) * (phase < 0.5 ? 1 : 0.02);
        return [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    });
    // Parts: 2^18 times of nodes; most of these nodes are still.
    const rig = new RigBuilder();
    for (let node = 0; node < 3; node++) rig.node(node - 1, { translation: [0, 1, 0] });
    for (let node = 3; node < 150; node++) rig.mesh(rig.node(2), [0.1, 0.01 * node, 0]);
    rig.clip([0, 1, 2].map((node) => ({ node, path: 'rotation' as const, times, values })));
    const bytes = rig.done().builder.toGlb();
    const result = await reduceFile({ bytes, name: 'long.glb' }, { maxError: '1%' });
    expect(result.clips[0]!.kept).toBe(false);
    const evaluators = [await evaluatorOf(bytes), await evaluatorOf(result.bytes)] as const;
    // Two of the meshes, at every eighth key and halfway between two others.
    const some = { meshes: rig.meshes.slice(-2) };
    const looked = Float64Array.from({ length: count / 4 }, (_, i) => (i * 4) / 30 + (i % 2 === 0 ? 0 : 1 / 60));
    const { vertices } = displacementOf(some, evaluators, 0, looked);
    expect(vertices).toBeLessThanOrEqual(result.maxError * (1 + 1e-6));
    for (const { sampler } of evaluators[1].channelsOf(0)) {
        const { values, width } = sampler;
        expect(Array.from(values.slice(-width))).toEqual(Array.from(values.slice(0, width)));
    }
    const [before, after] = evaluators.map((one) =>
        one.channelsOf(0).reduce((sum, { sampler }) => sum + sampler.times.length, 0),
    );
    expect(after).toBeLessThan(0.5 * before!);
});
