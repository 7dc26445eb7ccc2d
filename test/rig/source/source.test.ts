// SPDX-License-Identifier: MIT

import { MAX_DECODED_VALUES, type OwnBytes } from '../../../lib/gltf/limits';
import { findMorphs } from '../../../lib/rig/pack/morphs';
import { packRig } from '../../../lib/rig/pack/rig';
import { buildSkeleton } from '../../../lib/rig/skeleton';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';
import { joinMeshes, numbersIn } from '../../../lib/rig/source/mesh-geometry';
import { heldBytes, type RigSource } from '../../../lib/rig/source/source';
import { channel, node, rested, scene, skin } from '../scenes';

const OWN: OwnBytes = { stored: MAX_DECODED_VALUES + 1000, expanded: 0 };

/** Nodes that all use the same keys: far more numbers than the list has. */
function sharing(): RigSource {
    const keys = 2 ** 16;
    const times = Array.from({ length: keys }, (_, i) => i);
    const values = Array.from({ length: keys * 3 }, (_, i) => i % 7);
    const one = channel(0, 'translation', 'LINEAR', times, values);
    const count = Math.ceil(OWN.stored / (keys * 3)) + 1;
    const nodes = Array.from({ length: count }, () => node(-1));
    return scene(nodes, [], [{ name: '', channels: nodes.map((_, i) => ({ ...one, node: i })) }]);
}

function pack(source: RigSource, vertexNumbers = 0) {
    const wanted = new Uint8Array(source.nodes.length).fill(1);
    return packRig(source, buildSkeleton(source.nodes, wanted), findMorphs(source.nodes), vertexNumbers);
}

/** Primitives of the same vertices. */
function repeating(): RigSource {
    const vertices = 2 ** 16;
    const primitive = {
        positions: new Float32Array(vertices * 3),
        influences: 4,
        joints: new Uint16Array(vertices * 4),
        weights: new Float32Array(vertices * 4),
    };
    const primitives = Array(Math.ceil(OWN.stored / (vertices * 11)) + 1).fill(primitive);
    const source = scene([node(-1)], [skin([0])], []);
    return { ...source, skinnedMeshes: [{ node: 0, mesh: 0, skin: 0, primitives }] };
}

const invalid = (pointer: string, rule: string) => expect.objectContaining({ code: 'GLTF_INVALID', pointer, rule });

describe('the expansion of shared lists is limited, and the message states the limit', () => {
    test.each<[string, OwnBytes | undefined, number]>([
        ['unknown', undefined, MAX_DECODED_VALUES],
        ['a small file', { stored: 1000, expanded: 0 }, MAX_DECODED_VALUES],
        ['a large file', OWN, OWN.stored],
    ])('bytes: %s', (_, ownBytes, limit) => {
        expect(() => pack({ ...sharing(), ownBytes })).toThrow(
            invalid('/animations/0', `the keys of all channels need more than ${limit} values, the limit here`),
        );
        expect(() => joinMeshes({ ...repeating(), ownBytes })).toThrow(
            invalid('/meshes/0', `the vertices of all skinned meshes need more than ${limit} numbers, the limit here`),
        );
    });
});

test('keys and vertices share one limit', () => {
    const most = Math.ceil(MAX_DECODED_VALUES / 2 / (2 ** 16 * 11));
    const primitives = repeating().skinnedMeshes[0]!.primitives.slice(0, most);
    const geometries = joinMeshes({ ...repeating(), skinnedMeshes: [{ node: 0, mesh: 0, skin: 0, primitives }] });
    const held = numbersIn(geometries.values());
    expect(held).toBe(primitives.length * 2 ** 16 * 11);
    const source = sharing();
    const [animation] = source.animations;
    const channels = animation!.channels.slice(0, Math.floor(MAX_DECODED_VALUES / 2 / (2 ** 16 * 3)));
    const half = { ...source, animations: [{ name: '', channels }] };
    expect(pack(half).clips).toHaveLength(1);
    const rule = `the keys of all channels, with ${held} numbers of vertices, need more than ${MAX_DECODED_VALUES} values, the limit here`;
    expect(() => pack(half, held)).toThrow(invalid('/animations/0', rule));
});

test('a shared list counts once among the bytes of a source', () => {
    const [keys, vertices] = [2 ** 16, 2 ** 16];
    expect(heldBytes(sharing())).toEqual({ stored: keys * 4 * 4, expanded: 0 });
    expect(heldBytes(repeating())).toEqual({ stored: vertices * (12 + 8 + 16), expanded: 0 });
});

test('parts include their lists', () => {
    const vertex = { positions: [0, 0, 0], joints: [0, 0, 0, 0], weights: [1, 0, 0, 0] };
    const { ownBytes } = sourceOfParts({
        parents: [-1],
        rest: rested(1),
        skins: [{ joints: [0] }],
        clips: [{ channels: [{ node: 0, path: 'scale', times: [0, 1], values: [1, 1, 1, 2, 2, 2] }] }],
        meshes: [{ node: 0, skin: 0, ...vertex, targets: [{ positions: [1, 0, 0] }] }],
    });
    expect(ownBytes).toEqual({ stored: (2 + 6) * 4 + (12 + 8 + 16) + 12, expanded: 0 });
});
