// SPDX-License-Identifier: MIT

/** Meshes of skins that share a palette after a scale and a translation match the live model. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import { bakeFile } from '../../lib/bake';
import { BakedTable } from '../../lib/table';
import { createBakedCrowd } from '../../lib/three';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { readGltfFile } from '../../lib/verify/gltf-file';
import { quantizedModel, ROUNDED } from '../support/quantized-model';
import { scratchFolder } from '../support/temporary-folder';
import { THREE } from './support/small-scene';

const folder = scratchFolder();
const EMIT = ['palette', 'morph', 'bounds'] as const;

/** The model from GLTFLoader. */
async function liveModel(path: string) {
    const evaluator = new DoubleEvaluator(await readGltfFile(path, false, true));
    const { json, numbers } = evaluator.file;
    const associations = new Map<unknown, unknown>();
    const bones = evaluator.joints(0).map((node) => {
        const bone = new THREE.Bone();
        bone.name = bone.userData.name = String(json.nodes![node]!.name);
        associations.set(bone, { nodes: node });
        return bone;
    });
    const scene = new THREE.Group().add(bones[0]!);
    bones[0]!.add(bones[1]!);
    const meshes = json.nodes!.flatMap(({ mesh, skin }, node) => {
        if (mesh === undefined) return [];
        const { attributes, targets } = json.meshes![mesh]!.primitives![0]!;
        const list = (accessor: number, size: number) =>
            new THREE.Float32BufferAttribute(Array.from(numbers.get(accessor)!), size);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', list(attributes.POSITION!, 3));
        geometry.setAttribute('skinIndex', list(attributes.JOINTS_0!, 4));
        geometry.setAttribute('skinWeight', list(attributes.WEIGHTS_0!, 4));
        geometry.morphAttributes.position = [list(targets![0]!.POSITION!, 3)];
        geometry.morphTargetsRelative = true;
        const live = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
        const binds = evaluator.inverseBindsOf(skin!);
        const inverses = bones.map((_, i) => new THREE.Matrix4().fromArray(binds, i * 16));
        live.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
        live.name = live.userData.name = '';
        associations.set(live, { nodes: node });
        scene.add(live);
        return [live];
    });
    return { evaluator, bones, meshes, model: { scene, parser: { associations, json } } };
}

async function bakedModel() {
    const path = quantizedModel(folder(), 'parts', ROUNDED);
    const [output] = (await bakeFile(path, { fps: 12, emit: EMIT })).outputs;
    return { ...(await liveModel(path)), ...output!, table: BakedTable.open(output!.json, output!.bin) };
}

test('vertices match those of the live model, with morph weights, and its geometry does not change', async () => {
    const { evaluator, bones, meshes, model, table, manifest } = await bakedModel();
    const before = meshes.map(({ geometry }) => geometry.attributes.position!.array.slice());
    const crowd = createBakedCrowd(THREE, table, model, 1);
    expect(meshes.map(({ geometry }) => geometry.attributes.position!.array)).toEqual(before);
    const palette = table.sample('palette', 0, Float64Array.of(0.5), new Float32Array(table.columns * 16));
    const globals = evaluator.jointGlobals(0, 0, 0.5);
    for (const [i, bone] of bones.entries()) bone.matrixWorld.fromArray(globals, i * 16);
    const [live, moved, sum] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const matrix = new THREE.Matrix4();
    const { rescaled } = manifest.skin!;
    for (const [part, mesh] of meshes.entries()) {
        const single = new THREE.Mesh(crowd.meshes[part]!.geometry);
        mesh.morphTargetInfluences = single.morphTargetInfluences = [0.5];
        const { skinIndex, skinWeight } = single.geometry.attributes;
        const off: number[] = [];
        for (let v = 0; v < skinIndex!.count; v++) {
            mesh.getVertexPosition(v, live);
            sum.setScalar(0);
            single.getVertexPosition(v, moved);
            for (let k = 0; k < 4; k++) {
                matrix.fromArray(palette, skinIndex!.getComponent(v, k) * 16);
                sum.addScaledVector(moved.clone().applyMatrix4(matrix), skinWeight!.getComponent(v, k));
            }
            off.push(sum.distanceTo(live));
        }
        // Their error by sharing, and rounding of float32.
        const error = rescaled!.find(({ skin }) => skin === part)?.error ?? 0;
        expect(Math.max(...off)).toBeLessThanOrEqual(error + 4e-7 * manifest.extent);
    }
});

test('by the skin of each mesh, which the scene without the file lacks', async () => {
    const { model, table, json, bin } = await bakedModel();
    expect(() => createBakedCrowd(THREE, table, model.scene, 1)).toThrow(
        expect.objectContaining({ code: 'ERR_AMBIGUOUS_NAME' }),
    );
    const manifest = JSON.parse(json);
    manifest.skin.rescaled.pop();
    expect(() => createBakedCrowd(THREE, BakedTable.open(manifest, bin), model, 1)).toThrow(
        expect.objectContaining({ code: 'ERR_MODEL_DIFFERS', message: expect.stringMatching(/skin 2/) }),
    );
});

test('morph targets that are positions, not displacements', async () => {
    const { meshes, model, table, manifest } = await bakedModel();
    const { scale, translation } = manifest.skin!.rescaled![0]!;
    const { geometry } = meshes[1]!;
    geometry.morphTargetsRelative = false;
    const crowd = createBakedCrowd(THREE, table, model, 1);
    const target = (from: Three.BufferGeometry) => from.morphAttributes.position![0]!;
    expect(target(crowd.meshes[1]!.geometry).getX(3)).toBe(
        Math.fround(scale * target(geometry).getX(3) + translation[0]!),
    );
});
