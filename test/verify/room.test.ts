// SPDX-License-Identifier: MIT

/** A small file cannot make verifyBake take much memory, and a large or an ordinary one is not refused for what it does not use. */

import { linkSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { verifyBake } from '../../lib/verify';
import { type GltfFile, readGltfFile } from '../../lib/verify/gltf-file';
import { checkHashed, createRoom } from '../../lib/verify/room';
import { clip, type GltfBuilder, type LooseJson, skinnedModel } from '../gltf/support/builder';
import { DRACO, DRACO_INSTALLED, encodeVertices } from '../gltf/support/draco';
import { scratchFolder } from '../support/temporary-folder';
import { claimSource } from './full-bake';

const folder = scratchFolder();
const FLOAT = 5126;
const symlinks = process.platform !== 'win32';
const itLinks = symlinks ? test : test.skip;

function written(model: GltfBuilder, name: string): string {
    const path = join(folder(), name);
    writeFileSync(path, model.toGlb());
    return path;
}

/** The plain model's bake, held against a file that has been changed. */
async function verified(change: (json: LooseJson, model: GltfBuilder) => void): Promise<string> {
    const good = written(skinnedModel(), 'good.glb');
    const [{ json: manifest } = { json: '' }] = await writeBake(await bakeFile(good, { fps: 4 }), folder());
    const model = skinnedModel();
    change(model.json, model);
    const before = process.resourceUsage().maxRSS;
    try {
        const changed = written(model, 'changed.glb');
        const { problems } = await verifyBake(changed, claimSource(manifest, changed));
        return problems.map(({ code }) => code).join();
    } catch (error) {
        const { code, pointer, rule } = error as { code: string; pointer: string; rule: string };
        return `${code} ${pointer} ${rule}`;
    } finally {
        expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(1024);
    }
}

function meshoptView({ bufferViews }: LooseJson, count: number): number {
    const extension = { buffer: 0, byteLength: 24, byteStride: 4, count, mode: 'ATTRIBUTES' };
    const view = { buffer: 0, byteLength: count * 4, extensions: { EXT_meshopt_compression: extension } };
    return bufferViews.push(view) - 1;
}

/** Tangents, values and times of so many keys, as nothing stores them. */
function zeros({ accessors }: LooseJson, count: number): { input: number; output: number } {
    const input = accessors.push({ componentType: FLOAT, type: 'SCALAR', count }) - 1;
    return { input, output: accessors.push({ componentType: FLOAT, type: 'VEC4', count }) - 1 };
}

const TOO_MUCH =
    /^GLTF_INVALID (\/\S+) the numbers of the file take more than \d+ bytes here, the limit for the \d+ that/;

test.each<[string, string, (json: LooseJson, model: GltfBuilder) => void]>([
    [
        'a meshopt stream of 24 bytes for 1 GiB of joints',
        '/bufferViews/N',
        (json) => {
            const bufferView = meshoptView(json, 2 ** 28);
            const accessor = { bufferView, componentType: 5121, type: 'VEC4', count: 3 };
            json.meshes[0].primitives[0].attributes.JOINTS_0 = json.accessors.push(accessor) - 1;
        },
    ],
    [
        'an accessor of a GiB that nothing stores',
        '/accessors/N',
        (json) => Object.assign(clip({ json } as GltfBuilder).samplers[0], zeros(json, 2 ** 25)),
    ],
    [
        'a thousand channels that share theirs',
        '/accessors/N',
        (json) => {
            const [animation] = json.animations;
            Object.assign(animation.samplers[0], zeros(json, 100_000));
            animation.channels = Array.from({ length: 1000 }, () => animation.channels[0]);
        },
    ],
    [
        'ten thousand nodes that share a mesh',
        '/accessors/N',
        (json) => {
            const { attributes } = json.meshes[0].primitives[0];
            const accessor = (type: string) => json.accessors.push({ componentType: FLOAT, type, count: 4000 }) - 1;
            attributes.POSITION = accessor('VEC3');
            attributes.JOINTS_0 = json.accessors.push({ componentType: 5121, type: 'VEC4', count: 4000 }) - 1;
            attributes.WEIGHTS_0 = accessor('VEC4');
            for (let i = 0; i < 10_000; i++) json.nodes.push({ mesh: 0, skin: 0 });
        },
    ],
])('%s: refused', async (_, pointer, change) => {
    const outcome = await verified(change);
    expect(outcome).toMatch(TOO_MUCH);
    const [, at] = TOO_MUCH.exec(outcome)!;
    expect(at!.replace(/^(\/accessors|\/bufferViews)\/\d+$/, '$1/N')).toBe(pointer);
});

(DRACO_INSTALLED ? test : test.skip)(
    `a Draco stream that differs from its accessors is refused${DRACO_INSTALLED ? '' : ' [skipped: needs draco3dgltf]'}`,
    async () => {
        const outcome = await verified((json, model) => {
            const bufferView = model.view(encodeVertices());
            const attributes = { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 };
            const [primitive] = json.meshes[0].primitives;
            primitive.extensions = { [DRACO]: { bufferView, attributes } };
            for (const semantic of Object.keys(attributes)) json.accessors[primitive.attributes[semantic]].count = 2;
        });
        expect(outcome).toMatch(/^GLTF_INVALID \/accessors\/\d+\/count the compressed data has 3 elements, not 2/);
    },
);

test('a large compressed view that no skin or clip uses is not expanded', async () => {
    expect(await verified((json) => meshoptView(json, 2 ** 28))).toBe('');
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

/** A .gltf whose buffers are these, all of one length. */
function withBuffers(names: readonly string[], byteLength: number): string {
    const path = join(mkdtempSync(join(folder(), 'buffers-')), 'many.gltf');
    const buffers = names.map((uri) => ({ uri, byteLength }));
    writeFileSync(path, JSON.stringify({ asset: { version: '2.0' }, buffers }));
    return path;
}

/** What of it `take` allows: so many numbers' bytes, and no more. */
function roomOf({ take }: GltfFile): number {
    let room = 0;
    for (let step = 2 ** 40; step >= 1; step /= 2) {
        try {
            take(step, '');
            room += step;
        } catch {
            take(-step, '');
        }
    }
    return room;
}

describe('a file that many buffers name', () => {
    const BYTES = 2 ** 20;

    function read(names: readonly string[], make = (_: string) => {}): GltfFile {
        const path = withBuffers(names, BYTES);
        writeFileSync(join(dirname(path), 'a.bin'), Buffer.alloc(BYTES, 7));
        make(dirname(path));
        return readGltfFile(path);
    }

    const alone = () => roomOf(read(['a.bin']));

    test('in several ways is read once and counts once', () => {
        const file = read(['a.bin', './a.bin', '././a.bin', '%61.bin', 'b/../a.bin']);
        expect(file.buffers.map((data) => data?.length)).toEqual(Array(5).fill(BYTES));
        expect(new Set(file.buffers.map((data) => data!.buffer)).size).toBe(1);
        expect(roomOf(file)).toBe(alone());
    });

    itLinks(`over links is read once and counts once${symlinks ? '' : ' [skipped: needs POSIX links]'}`, () => {
        const file = read(['a.bin', 'soft.bin', 'hard.bin', 'folder/a.bin'], (own) => {
            symlinkSync('a.bin', join(own, 'soft.bin'));
            linkSync(join(own, 'a.bin'), join(own, 'hard.bin'));
            symlinkSync('.', join(own, 'folder'));
        });
        expect(file.buffers.map((data) => data?.length)).toEqual(Array(4).fill(BYTES));
        expect(new Set(file.buffers.map((data) => data!.buffer)).size).toBe(1);
        expect(roomOf(file)).toBe(alone());
    });

    test('and another one of the same bytes are two', () => {
        const file = read(['a.bin', 'b.bin'], (own) => writeFileSync(join(own, 'b.bin'), Buffer.alloc(BYTES, 7)));
        expect(new Set(file.buffers.map((data) => data!.buffer)).size).toBe(2);
        expect(roomOf(file)).toBeGreaterThan(alone());
    });
});

describe('what the hash of a file goes over', () => {
    test('9000 buffers that name one file of 2 MB: refused at once', () => {
        const path = withBuffers(Array(9000).fill('a.bin'), 2e6);
        writeFileSync(join(dirname(path), 'a.bin'), Buffer.alloc(2e6));
        const before = process.cpuUsage();
        expect(() => readGltfFile(path)).toThrow(
            expect.objectContaining({
                code: 'GLTF_INVALID',
                pointer: '/buffers',
                rule: 'all buffers state 18000000000 bytes, the limit for the 2000000 that are stored is 1073741824',
            }),
        );
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1e6).toBeLessThan(2);
    });

    test.each([
        [0, 2 ** 30],
        [2 ** 28, 2 ** 30],
        [2 ** 28 + 1, 2 ** 30 + 4],
        [1e10, 4e10],
    ])('%d bytes: as many as these, or 1 GiB', (stored, most) => {
        checkHashed('a.glb', most, stored);
        expect(() => checkHashed('a.glb', most + 1, stored)).toThrow(`the limit for the ${stored} that are stored`);
    });
});

test('what a file stores it may also use', () => {
    const million = 2 ** 20;
    const small = createRoom('a.glb', 0);
    small(640 * million, '/accessors/0');
    expect(() => small(1, '/accessors/1')).toThrow('/accessors/1');
    const large = createRoom('a.glb', 100 * million);
    for (let i = 0; i < 20; i++) large(100 * million, '/accessors/0');
});
