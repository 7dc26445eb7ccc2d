// SPDX-License-Identifier: MIT

/** verifyBake needs little memory for every small file, and accepts files with large unused parts. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../../lib/bake';
import { verifyBake } from '../../../lib/verify';
import { type GltfBuilder, type LooseJson, skinnedModel } from '../../gltf/support/builder';
import { scratchFolder } from '../../support/temporary-folder';
import { claimSource } from '../../verify/full-bake';

const folder = scratchFolder();
const FLOAT = 5126;

function written(model: GltfBuilder, name: string): string {
    const path = join(folder(), name);
    writeFileSync(path, model.toGlb());
    return path;
}

/** Verifies the plain model's bake against a changed file. */
async function verified(change: (json: LooseJson) => void): Promise<string> {
    const good = written(skinnedModel(), 'good.glb');
    const [{ json: manifest } = { json: '' }] = await writeBake(await bakeFile(good, { fps: 4 }), folder());
    const model = skinnedModel();
    change(model.json);
    const before = process.resourceUsage().maxRSS;
    try {
        const changed = written(model, 'changed.glb');
        const { problems } = await verifyBake(changed, await claimSource(manifest, changed));
        return problems.map(({ code }) => code).join();
    } catch (error) {
        const { code, pointer, rule } = error as { code: string; pointer: string; rule: string };
        return `${code} ${pointer} ${rule}`;
    } finally {
        expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(1024);
    }
}

test('primitives that share accessors in every combination: refused', async () => {
    const outcome = await verified((json) => {
        const [primitive] = json.meshes[0].primitives;
        const accessor = (componentType: number, type: string) =>
            json.accessors.push({ componentType, type, count: 4000 }) - 1;
        const weights = Array.from({ length: 50 }, () => accessor(FLOAT, 'VEC4'));
        const joints = Array.from({ length: 50 }, () => accessor(5121, 'VEC4'));
        const POSITION = accessor(FLOAT, 'VEC3');
        for (const WEIGHTS_0 of weights) {
            for (const JOINTS_0 of joints) {
                json.meshes[0].primitives.push({ ...primitive, attributes: { POSITION, JOINTS_0, WEIGHTS_0 } });
            }
        }
    });
    expect(outcome).toMatch(
        /^GLTF_INVALID \/meshes\/0\/primitives\/\d+ the vertices have more than \d+ influences, the limit here/,
    );
});

test.each<[string, (json: LooseJson) => void]>([
    [
        'a thousand channels that share their keys',
        (json) => {
            const [animation] = json.animations;
            // Accessors without a buffer view are zeros.
            const zeros = (type: string) => json.accessors.push({ componentType: FLOAT, type, count: 100_000 }) - 1;
            Object.assign(animation.samplers[0], { input: zeros('SCALAR'), output: zeros('VEC4') });
            const first = json.nodes.length;
            for (let i = 0; i < 1000; i++) json.nodes.push({});
            animation.channels = Array.from({ length: 1000 }, (_, i) => {
                return { sampler: 0, target: { node: first + i, path: 'rotation' } };
            });
        },
    ],
    [
        'ten thousand nodes that share a mesh',
        (json) => {
            const { attributes } = json.meshes[0].primitives[0];
            const accessor = (type: string) => json.accessors.push({ componentType: FLOAT, type, count: 4000 }) - 1;
            attributes.POSITION = accessor('VEC3');
            attributes.JOINTS_0 = json.accessors.push({ componentType: 5121, type: 'VEC4', count: 4000 }) - 1;
            attributes.WEIGHTS_0 = accessor('VEC4');
            for (let i = 0; i < 10_000; i++) json.nodes.push({ mesh: 0, skin: 0 });
        },
    ],
])('%s: judged', async (_, change) => {
    expect(await verified(change)).toMatch(/_DIFFERS/);
});

test('a large compressed view that no skin or clip uses is not expanded', async () => {
    const count = 2 ** 28;
    const extension = { buffer: 0, byteLength: 24, byteStride: 4, count, mode: 'ATTRIBUTES' };
    const view = { buffer: 0, byteLength: count * 4, extensions: { EXT_meshopt_compression: extension } };
    expect(await verified((json) => void json.bufferViews.push(view))).toBe('');
});

test('a chain of 60,000 nodes, all of them joints, is judged in seconds', async () => {
    const before = process.cpuUsage();
    const outcome = await verified((json) => {
        json.nodes = Array.from({ length: 60_000 }, (_, i) => (i < 59_999 ? { children: [i + 1] } : {}));
        json.skins = [{ joints: json.nodes.map((_: unknown, i: number) => i) }];
    });
    expect(outcome).toContain('SKIN_DIFFERS');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
});
