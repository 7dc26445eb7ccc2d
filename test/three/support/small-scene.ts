// SPDX-License-Identifier: MIT

/** A scene as made by GLTFLoader, and handmade bakes of it. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import { BakedTable } from '../../../lib/table';
import { type SmallArray, smallBake } from '../../table/small-bake';

export const THREE: typeof Three = require('three');

/** A node of a file, with its name and index in the file. */
function named<T extends Three.Object3D>(object: T, name: string, nodes?: Map<unknown, unknown>): T {
    object.name = THREE.PropertyBinding.sanitizeNodeName(name);
    object.userData.name = name;
    nodes?.set(object, { nodes: nodes.size });
    return object;
}

/** A triangle; vertices 0 and 1 follow the first joint, 2 the second. */
function triangle(): Three.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3));
    geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], 4));
    geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 4));
    return geometry;
}

/** hip > (knee > The Hat, body); fan; floor. The first four move. */
export function smallScene() {
    const associations = new Map<unknown, unknown>();
    const material = new THREE.MeshBasicMaterial();
    const mesh = (name: string) => named(new THREE.Mesh(triangle(), material), name, associations);
    const hip = named(new THREE.Bone(), 'hip', associations);
    const knee = named(new THREE.Bone(), 'knee', associations);
    const body = named(new THREE.SkinnedMesh(triangle(), material), 'body', associations);
    const [hat, fan, floor] = [mesh('The Hat'), mesh('fan'), mesh('floor')];
    const scene = new THREE.Group().add(hip.add(knee.add(hat), body), fan, floor);
    body.bind(new THREE.Skeleton([hip, knee], [new THREE.Matrix4(), new THREE.Matrix4()]), new THREE.Matrix4());
    hat.position.set(0, 2, 0);
    floor.position.set(0, -1, 0);
    const nodes = Array.from(associations, () => ({}));
    Object.assign(nodes[2]!, { skin: 0 });
    return { scene, parser: { associations, json: { nodes } }, hip, knee, body, hat, fan, floor };
}

export interface Moves {
    /** The position for each row and column; default: 10 x row + column, 0, 0. */
    readonly at?: (row: number, column: number) => readonly [number, number, number];
    readonly attachments?: readonly { readonly node: number; readonly name: string; readonly parent: number }[];
    readonly joints?: readonly string[];
    readonly morph?: SmallArray & { readonly meshes: readonly object[] };
}

export const ATTACHMENTS = [
    { node: 3, name: 'The Hat', parent: 1 },
    { node: 4, name: 'fan', parent: -1 },
];

/** Two clips of three rows, a tenth of a second apart, with bounds of 1 and 2 around the origin. */
export function smallTable(moves: Moves = {}, change: (manifest: LooseManifest) => void = () => {}): BakedTable {
    const {
        at = (row, column) => [10 * row + column, 0, 0],
        attachments = ATTACHMENTS,
        joints = ['hip', 'knee'],
        morph,
    } = moves;
    const columns = joints.length + attachments.length;
    const data = new Float32Array(6 * columns * 16);
    for (let i = 0; i < 6 * columns; i++) {
        const matrix = new THREE.Matrix4().makeTranslation(...at(Math.floor(i / columns), i % columns));
        data.set(matrix.elements, i * 16);
    }
    const clip = { frameCount: 3, duration: 0.2 };
    const { manifest, bin } = smallBake(
        [1, 2].map((size) => ({ ...clip, name: `clip${size}`, bounds: [-size, -size, -size, size, size, size] })),
        { palette: { layout: 'mat4', shape: [columns, 16], data }, ...(morph === undefined ? {} : { morph }) },
    );
    if (morph !== undefined) manifest.arrays.morph.meshes = morph.meshes;
    manifest.skin.joints = joints.map((name, node) => ({ node, name, parent: node - 1 }));
    manifest.attachments = attachments.map((one, i) => ({ ...one, mesh: 0, column: joints.length + i }));
    change(manifest);
    return BakedTable.open(manifest, bin);
}

// biome-ignore lint/suspicious/noExplicitAny: tests make it invalid in many ways
export type LooseManifest = any;
