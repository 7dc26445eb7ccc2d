// SPDX-License-Identifier: MIT

/** Inputs of WebGPURenderer, with the same instances. Rendered images: test/long/browser/webgpu-backends.test.ts. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import type * as WebGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import { createBakedCrowd as createForWebGL } from '../../../lib/three';
import { createBakedCrowd } from '../../../lib/three/webgpu';
import { smallScene, smallTable, THREE } from '../support/small-scene';

const WEBGPU: typeof WebGPU = require('three/webgpu');
const crowdOf = (count: number) => createBakedCrowd(WEBGPU, smallTable(), smallScene(), count);
const materialOf = ({ material }: Three.Mesh) => material as WebGPU.NodeMaterial;

test('both modules of three.js have the same classes, so either can load models for the other', () => {
    expect(WEBGPU.Matrix4).toBe(THREE.Matrix4);
    expect(WEBGPU.TSL.positionLocal).toBeDefined();
});

test('each mesh has its own materials with a node that moves it, and its own program', () => {
    const small = smallScene();
    const { meshes } = createBakedCrowd(WEBGPU, smallTable(), small, 3);
    expect(meshes).toHaveLength(4);
    for (const mesh of meshes) {
        expect(materialOf(mesh)).not.toBe(small.hat.material);
        expect(materialOf(mesh).positionNode).toMatchObject({ isNode: true });
    }
    expect(new Set(meshes.map((mesh) => materialOf(mesh).customProgramCacheKey())).size).toBe(4);
    expect(small.hat.material).not.toHaveProperty('positionNode');
});

test('instance data takes no vertex buffer, and three.js does not place instances itself', () => {
    const small = smallScene();
    const { meshes } = createBakedCrowd(WEBGPU, smallTable(), small, 3);
    for (const mesh of meshes) {
        const { body } = small;
        expect(Object.keys(mesh.geometry.attributes)).toEqual(Object.keys(body.geometry.attributes));
        expect(mesh.instanceMatrix.isInstancedBufferAttribute).toBe(false);
    }
});

test('positions, culling, colors: as for WebGLRenderer', () => {
    const camera = new THREE.OrthographicCamera(-3, 3, 3, -3, 0, 100);
    camera.position.z = 50;
    const [crowd, other] = [crowdOf(6), createForWebGL(THREE, smallTable(), smallScene(), 6)];
    for (const one of [crowd, other]) {
        for (let i = 0; i < 6; i++) one.setMatrixAt(i, new THREE.Matrix4().makeTranslation(3 * (i - 4), 0, 0));
        one.setColorAt(5, new THREE.Color(0, 0, 1));
        one.pose(Uint16Array.of(0, 0, 0, 0, 1, 0), new Float64Array(6).fill(0.15));
    }
    const seen = crowd.cull(camera);
    expect(seen).toBe(other.cull(camera));
    expect([seen, crowd.meshes[0]!.count]).toEqual([3, 3]);
    const matrix = new THREE.Matrix4();
    for (let slot = 0; slot < seen; slot++) {
        const [mesh, theirs] = [crowd.meshes[0]!, other.meshes[0]!];
        expect(mesh.getMatrixAt(slot, matrix).elements).toEqual(theirs.getMatrixAt(slot, new THREE.Matrix4()).elements);
        const [color, its] = [mesh.instanceColor!, theirs.instanceColor!];
        expect([color.getX(slot), color.getZ(slot)]).toEqual([its.getX(slot), its.getZ(slot)]);
    }
    const box = new THREE.Box3();
    expect(crowd.boxAt(4, box)).toEqual(other.boxAt(4, new THREE.Box3()));
});

test('the first color creates new shaders', () => {
    const crowd = crowdOf(2);
    const [mesh] = crowd.meshes;
    const { version } = materialOf(mesh!);
    crowd.setColorAt(0, new THREE.Color(1, 0, 0));
    expect(materialOf(mesh!).version).toBeGreaterThan(version);
    const after = materialOf(mesh!).version;
    crowd.setColorAt(1, new THREE.Color(1, 0, 0));
    expect(materialOf(mesh!).version).toBe(after);
});

test('a material of a separate pass, for one of the meshes', () => {
    const { meshes, patch } = crowdOf(1);
    const material = new WEBGPU.MeshNormalNodeMaterial();
    patch(material, meshes[0]!);
    expect(material.positionNode).toMatchObject({ isNode: true });
    expect(() => patch(material, new THREE.InstancedMesh(undefined, undefined, 0))).toThrow(
        expect.objectContaining({ code: 'ERR_INDEX_RANGE' }),
    );
});
