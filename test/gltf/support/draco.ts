// SPDX-License-Identifier: MIT

import { onceFor } from '../../support/once';
import { outputOfNode } from '../../support/processes';
import { type GltfBuilder, MODEL, skinnedModel } from './builder';

export const DRACO = 'KHR_draco_mesh_compression';

/** The accessors of the vertices. */
export const VERTICES = [MODEL.position, MODEL.joints, MODEL.weights];

// Encodes the vertices of the model: attributes 0, 1, 2 are POSITION, JOINTS_0, WEIGHTS_0. Runs in another process,
// because jest cannot load the encoder's module.
const SCRIPT = `
    const joints = JSON.parse(process.argv[1]);
    const draco = require('draco3dgltf');
    draco.createEncoderModule().then((m) => {
        const builder = new m.MeshBuilder(), mesh = new m.Mesh();
        builder.AddFacesToMesh(mesh, 1, new Uint32Array([0, 1, 2]));
        builder.AddFloatAttribute(mesh, m.POSITION, 3, 3, new Float32Array([0, 0, 0, 0, 1, 0, 0.5, 2, 0]));
        builder.AddUInt32Attribute(mesh, m.GENERIC, 3, 4, new Uint32Array(joints));
        builder.AddFloatAttribute(mesh, m.GENERIC, 3, 4, new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]));
        const encoder = new m.Encoder(), out = new m.DracoInt8Array();
        encoder.SetEncodingMethod(m.MESH_SEQUENTIAL_ENCODING);
        const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
        const bytes = Uint8Array.from({ length }, (_, i) => out.GetValue(i));
        process.stdout.write(Buffer.from(bytes).toString('base64'));
    });`;

const encode = onceFor((joints: string) => outputOfNode(['-e', SCRIPT, joints], { cwd: __dirname }));

/** The vertices of {@link skinnedModel}, or others with its joints. */
export function encodeVertices(joints = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]): Uint8Array {
    return Buffer.from(encode(JSON.stringify(joints)), 'base64');
}

/** {@link skinnedModel} with its vertices in Draco's `data`, and also uncompressed if there is a fallback. */
export function dracoModel(data: Uint8Array, fallback: boolean): GltfBuilder {
    const model = skinnedModel();
    const attributes = { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 };
    const extension = { bufferView: model.view(data), attributes };
    model.json.meshes[0].primitives[0].extensions = { [DRACO]: extension };
    model.json.extensionsUsed = [DRACO];
    if (!fallback) for (const index of VERTICES) delete model.json.accessors[index].bufferView;
    return model;
}
