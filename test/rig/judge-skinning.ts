// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig/rig';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { geometryOf, readDocument, skinDouble } from './double-skinning';
import { posed } from './scenes';
import { threeVertices } from './three-skinning';

/** Max distance from three.js and from double precision, in extents. */
const LIMIT = 2e-5;

/** Compares vertices, normals and boxes of every skinned mesh in one clip with double precision and three.js. */
export async function judgeSkinning(path: string, clip: number, { three = true, weights = [] as number[][] } = {}) {
    const rig = await Rig.load(path);
    const evaluator = await DoubleEvaluator.load(path);
    const document = await readDocument(path);
    const duration = rig.clips[clip]!.duration;
    const times = Array.from({ length: 5 }, (_, i) => Math.fround(((i + 0.25) / 5) * duration));
    const poses = posed(rig, times, clip);
    const skinned = rig.meshes.flatMap(({ node, skin, vertexCount }, mesh) => {
        if (skin < 0) return [];
        const positions = new Float32Array(times.length * vertexCount * 3);
        const normals = rig.meshes[mesh]!.normals === null ? null : new Float32Array(positions.length);
        const boxes = new Float32Array(times.length * 6);
        rig.skinVertices(poses, skin, mesh, positions, normals);
        rig.bounds(poses, skin, mesh, boxes);
        return [{ node, skin, floats: vertexCount * 3, positions, normals, boxes }];
    });
    expect(skinned.length).toBeGreaterThan(0);
    const nodes = skinned.map(({ node }) => node);
    const geometries = new Map(nodes.map((node) => [node, geometryOf(document, node)]));
    const shown = three ? threeVertices({ file: path, nodes, animation: clip, times }) : null;
    if (shown !== null) {
        expect(shown.length).toBe(times.length * skinned.reduce((sum, { floats }) => sum + floats, 0));
    }
    const extent = Math.max(...skinned.flatMap(({ boxes }) => Array.from(boxes, Math.abs)));
    let at = 0;
    let worst = 0;
    let normalsCompared = 0;
    for (const [pose, time] of times.entries()) {
        for (const { node, skin, floats, positions, normals, boxes } of skinned) {
            const matrices = Array.from(evaluator.palette(skin, clip, time));
            const palette = Array.from(rig.skins[skin]!.joints, (_, i) => matrices.slice(i * 16, i * 16 + 16));
            const expected = skinDouble(geometries.get(node)!, palette, weights[pose] ?? []);
            const own = positions.subarray(pose * floats, (pose + 1) * floats);
            for (let i = 0; i < floats; i++) {
                worst = Math.max(worst, Math.abs(own[i]! - expected.positions[i]!) / extent);
                if (shown !== null) worst = Math.max(worst, Math.abs(own[i]! - shown[at + i]!) / extent);
                if (normals === null) continue;
                expect(Math.abs(normals[pose * floats + i]! - expected.normals[i]!)).toBeLessThan(1e-4);
                normalsCompared++;
            }
            for (let axis = 0; axis < 3; axis++) {
                const values = own.filter((_, i) => i % 3 === axis);
                expect(boxes[pose * 6 + axis]).toBe(Math.min(...values) + 0);
                expect(boxes[pose * 6 + 3 + axis]).toBe(Math.max(...values) + 0);
            }
            at += floats;
        }
    }
    expect(worst).toBeLessThan(LIMIT);
    return { rig, normalsCompared };
}
