// SPDX-License-Identifier: MIT

import type { GltfScene, SceneChannel } from '../../gltf/scene';

/**
 * The scene with normalized rotation keys in LINEAR and STEP channels, without warnings about them. Keys of length 0 stay, and so do
 * splines, whose tangents belong to their keys.
 */
export function renormalized(scene: GltfScene): GltfScene {
    const done = new Map<Float32Array, Float32Array>();
    const pointers = new Set<string>();
    const renormalizedChannel = (channel: SceneChannel): SceneChannel => {
        const { path, interpolation, values, pointer } = channel;
        if (path !== 'rotation' || interpolation === 'CUBICSPLINE') return channel;
        pointers.add(pointer);
        let unit = done.get(values);
        if (unit === undefined) {
            unit = unitRotations(values);
            done.set(values, unit);
        }
        return { ...channel, values: unit };
    };
    const animations = scene.animations.map(({ channels, ...others }) => ({
        ...others,
        channels: channels.map(renormalizedChannel),
    }));
    const warnings = scene.warnings.filter(
        ({ code, pointer }) => code !== 'NON_UNIT_ROTATION' || !pointers.has(pointer),
    );
    return { ...scene, animations, warnings };
}

function unitRotations(values: Float32Array): Float32Array {
    const unit = Float32Array.from(values);
    for (let q = 0; q < unit.length; q += 4) {
        const [x, y, z, w] = [unit[q]!, unit[q + 1]!, unit[q + 2]!, unit[q + 3]!];
        const length = Math.sqrt(x * x + y * y + z * z + w * w);
        if (length === 0) continue;
        unit[q] = x / length;
        unit[q + 1] = y / length;
        unit[q + 2] = z / length;
        unit[q + 3] = w / length;
    }
    return unit;
}
