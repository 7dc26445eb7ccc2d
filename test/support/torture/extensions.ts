// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GltfBuilder, HALF, lift, MODEL, skinnedModel } from '../../gltf/support/builder';
import { dracoModel, encodeVertices } from '../../gltf/support/draco';
import { compressedView } from '../../gltf/support/meshopt';
import { type Figure, inRow, type RowlessScene, type TortureScene } from './scene';

/** The hip rises by 2 m at 0.75 s; the knee, 1 m up and bound there, turns half way round by 1 s. */
const FIGURES: readonly Figure[] = [
    { time: 0.5, joint: 0, point: [1, 0, 0], to: [1, 0, 0] },
    { time: 0.75, joint: 0, point: [1, 0, 0], to: [1, 2, 0] },
    { time: 0.5, joint: 1, point: [0, 2, 0], to: [-1, 1, 0], near: true },
    { time: 1, joint: 1, point: [0, 2, 0], to: [0, 2, 0], near: true },
];

function written(folder: string, name: string, model: GltfBuilder): string {
    model.json.scene = 0;
    model.json.scenes = [{ nodes: [MODEL.root] }];
    const path = join(folder, `${name}.glb`);
    writeFileSync(path, model.toGlb());
    return path;
}

const meshopt = (['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const).map(
    (extension): RowlessScene => ({
        name: extension,
        about: `${extension}: keys and inverse bind matrices are decoded`,
        figures: FIGURES,
        write(folder) {
            const model = skinnedModel();
            const turns = new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
            const binds = new Float32Array([...lift(0), ...lift(-1)]);
            const keys = compressedView(model, turns, { extension, count: 3, stride: 16 });
            const matrices = compressedView(model, binds, { extension, count: 2, stride: 64 });
            model.json.accessors[MODEL.rotations].bufferView = keys;
            model.json.accessors[MODEL.inverseBind].bufferView = matrices;
            return {
                path: written(folder, extension, model),
                plain: written(folder, `${extension}-plain`, skinnedModel()),
            };
        },
    }),
);

const draco: RowlessScene = {
    name: 'KHR_draco_mesh_compression',
    about: 'KHR_draco_mesh_compression: vertices are decoded, and the pose is as without',
    figures: FIGURES,
    write: (folder) => ({
        path: written(folder, 'draco', dracoModel(encodeVertices(), false)),
        plain: written(folder, 'draco-plain', skinnedModel()),
    }),
};

const quantized: RowlessScene = {
    name: 'KHR_mesh_quantization',
    about: 'KHR_mesh_quantization: positions in eighths of a meter, which the inverse bind matrices undo',
    figures: FIGURES.map(({ point, ...figure }): Figure => {
        const [x, y, z] = point!;
        return { ...figure, point: [x * 8, y * 8, z * 8] };
    }),
    write(folder) {
        const model = skinnedModel();
        const { accessors, meshes, skins } = model.json;
        const positions = new Int16Array([0, 0, 0, 0, 0, 8, 0, 0, 4, 16, 0, 0]);
        const bufferView = model.view(positions, { byteStride: 8 });
        const position = { bufferView, componentType: 5122, type: 'VEC3', count: 3, min: [0, 0, 0], max: [4, 16, 0] };
        meshes[0].primitives[0].attributes.POSITION = accessors.push(position) - 1;
        const binds = [0, -1].flatMap((y) => lift(y).map((x, i) => (i < 12 ? x / 8 : x)));
        skins[0].inverseBindMatrices = model.accessor(new Float32Array(binds), 'MAT4');
        model.json.extensionsUsed = model.json.extensionsRequired = ['KHR_mesh_quantization'];
        return { path: written(folder, 'quantized', model) };
    },
};

export const EXTENSION_SCENES: readonly TortureScene[] = [
    ...inRow(
        'EXT_meshopt_compression, KHR_meshopt_compression, Draco, KHR_mesh_quantization',
        ...meshopt,
        draco,
        quantized,
    ),
];
