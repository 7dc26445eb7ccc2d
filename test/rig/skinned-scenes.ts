// SPDX-License-Identifier: MIT

import type { GltfScene, MorphTarget, SkinnedPrimitive, SkinnedSurface } from '../../lib/gltf/scene';
import { randomScene } from './double-reference';
import { channel, node, scene } from './scenes';

export interface MeshShape {
    readonly vertices: number;
    readonly influences: number;
    readonly joints: number;
    readonly targets: number;
}

/** Vertices in random places: none, one or several influences, and targets that move some of them. */
export function randomPrimitive(
    random: () => number,
    { vertices, influences, joints, targets }: MeshShape,
): { primitive: SkinnedPrimitive; surface: SkinnedSurface } {
    const vectors = (size: number, chance = 1) =>
        Float32Array.from({ length: vertices }, () => random()).reduce(
            (list, pick, v) => {
                if (pick < chance) for (let c = 0; c < 3; c++) list[v * 3 + c] = (random() * 2 - 1) * size;
                return list;
            },
            new Float32Array(vertices * 3),
        );
    const weights = new Float32Array(vertices * influences);
    for (let v = 0; v < vertices; v++) {
        const own = Array.from({ length: influences }, () => (random() < 0.3 ? 0 : random()));
        const sum = own.reduce((a, b) => a + b, 0);
        const kind = random();
        // One influence; none; weights that do not add up to 1, which files should not have; or a sum of 1.
        if (kind < 0.2) weights[v * influences + Math.floor(random() * influences)] = 1;
        else if (kind > 0.25) weights.set(kind < 0.3 || sum === 0 ? own : own.map((w) => w / sum), v * influences);
    }
    const positions = vectors(2);
    positions[0] = -0;
    return {
        primitive: {
            positions,
            influences,
            joints: Uint16Array.from({ length: vertices * influences }, () => Math.floor(random() * joints)),
            weights,
        },
        surface: {
            index: 0,
            normals: vectors(1),
            targets: Array.from(
                { length: targets },
                (): MorphTarget => ({
                    positions: random() < 0.8 ? vectors(0.5, 0.6) : null,
                    normals: random() < 0.6 ? vectors(0.3, 0.6) : null,
                }),
            ),
        },
    };
}

/** The scene with one more node and its mesh for skin 0; each clip moves the morph weights. */
export function withMesh(
    s: GltfScene,
    random: () => number,
    parts: readonly { primitive: SkinnedPrimitive; surface: SkinnedSurface }[],
): GltfScene {
    const count = parts[0]!.surface.targets.length;
    const carrier = { ...node(-1), weights: Float32Array.from({ length: count }, () => random()) };
    const carrierIndex = s.nodes.length;
    const keys = () => Array.from({ length: count * 2 }, () => (random() < 0.3 ? 0 : random() * 2 - 0.5));
    const animations = s.animations.map(({ name, channels }) => ({
        name,
        channels:
            count === 0 ? channels : [...channels, channel(carrierIndex, 'weights', 'LINEAR', [0.5, 1.5], keys())],
    }));
    const made = scene([...s.nodes, carrier], [...s.skins], animations);
    const primitives = parts.map(({ primitive }) => primitive);
    const surfaces = parts.map(({ surface }, index) => ({ ...surface, index }));
    return { ...made, skinnedMeshes: [{ node: carrierIndex, mesh: 0, skin: 0, primitives, surfaces }] };
}

/** A random hierarchy, and a skinned mesh of up to three primitives. */
export function randomSkinnedScene(random: () => number): GltfScene {
    const s = randomScene(random);
    const targets = Math.floor(random() * 4);
    const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        randomPrimitive(random, {
            vertices: 1 + Math.floor(random() * 300),
            influences: random() < 0.6 ? 4 : 8,
            joints: s.skins[0]!.joints.length,
            targets,
        }),
    );
    return withMesh(s, random, parts);
}
