// SPDX-License-Identifier: MIT

/** Lines in the picture: skeletons, boxes, and the path of the root. */

import * as THREE from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { BakedTable } from '../../table';
import { hasRootMotion, rootPath } from './root-motion';

/** The objects of the model that a table's columns move. */
export interface Columns {
    /** Joints, then attachments, as in the table. */
    readonly objects: readonly THREE.Object3D[];
    /** Origin of each, in the input space of its matrix. */
    readonly origins: readonly THREE.Vector3[];
    /** For each, the column above it; -1 if there is none. */
    readonly parents: readonly number[];
}

export async function columnsOf({ parser }: GLTF, { manifest, joints, attachments }: BakedTable): Promise<Columns> {
    const skin = manifest.skin;
    const skeleton: THREE.Skeleton | null = skin && (await parser.getDependency('skin', skin.index));
    const binds = skeleton === null ? [] : skeleton.boneInverses.map((inverse) => inverse.clone().invert());
    const held = await Promise.all(attachments.map(({ node }) => parser.getDependency('node', node)));
    return {
        objects: [...(skeleton?.bones ?? []), ...held],
        origins: [...binds, ...held.map(() => new THREE.Matrix4())].map((m) =>
            new THREE.Vector3().setFromMatrixPosition(m),
        ),
        parents: [...joints, ...attachments].map(({ parent }) => parent),
    };
}

/** A skeleton: a line from each joint to the one above it. Visible through the model. */
export function createSkeleton({ parents }: Columns, color: number) {
    const lines = parents.flatMap((parent, column) => (parent < 0 ? [] : [column, parent]));
    const positions = new THREE.BufferAttribute(new Float32Array(parents.length * 3), 3);
    const geometry = new THREE.BufferGeometry().setAttribute('position', positions);
    const settings = { color, depthTest: false, transparent: true };
    const segments = new THREE.LineSegments(geometry.clone().setIndex(lines), new THREE.LineBasicMaterial(settings));
    segments.geometry.setAttribute('position', positions);
    const points = new THREE.Points(
        geometry,
        new THREE.PointsMaterial({ ...settings, size: 4, sizeAttenuation: false }),
    );
    const object = new THREE.Group().add(segments, points);
    for (const one of object.children) {
        one.frustumCulled = false;
        one.renderOrder = 10;
    }
    return {
        object,
        update(originOf: (column: number, target: THREE.Vector3) => void): void {
            for (let i = 0; i < parents.length; i++) {
                originOf(i, point);
                positions.setXYZ(i, point.x, point.y, point.z);
            }
            positions.needsUpdate = true;
        },
    };
}

const point = new THREE.Vector3();
const now = new Float64Array(1);

/** Returns a function for the origins of live joints. */
export function liveOrigins({ objects }: Columns): (column: number, target: THREE.Vector3) => void {
    return (column, target) => {
        objects[column]!.updateWorldMatrix(true, false);
        target.setFromMatrixPosition(objects[column]!.matrixWorld);
    };
}

/** Returns a function for the palette's matrices at a time; null without a palette. */
export function createPose(table: BakedTable) {
    const { rowFloats } = table.arrays.palette ?? {};
    if (rowFloats === undefined) return null;
    const row = new Float32Array(rowFloats);
    const matrices = new Float32Array(table.columns * 16);
    return {
        at(clip: number, seconds: number, nearest: boolean): void {
            now[0] = seconds;
            table.sample('palette', clip, now, row, { loop: 'clamp', between: nearest ? 'nearest' : 'linear' });
            table.toMatrices(row, matrices);
        },
        column: (index: number, target: THREE.Matrix4): THREE.Matrix4 => target.fromArray(matrices, index * 16),
    };
}

/** Skeleton, boxes and root path of a bake, to add to its side. */
export function createBakedHelpers(tables: readonly BakedTable[], columns: Columns[], color: number) {
    const parts = tables.map((table, i) => {
        const whole = new THREE.Box3Helper(new THREE.Box3(), color);
        const row = new THREE.Box3Helper(new THREE.Box3(), color);
        // Visible through the model too.
        const material = new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true });
        const path = new THREE.Line(new THREE.BufferGeometry(), material);
        path.frustumCulled = false;
        path.renderOrder = 10;
        const skeleton = createSkeleton(columns[i]!, color);
        return { table, whole, row, path, skeleton, pose: createPose(table), columns: columns[i]!, shown: -1 };
    });
    const matrix = new THREE.Matrix4();
    const corners = new Float32Array(6);
    const setBox = (box: THREE.Box3, list: ArrayLike<number>) => {
        box.min.fromArray(list as number[]);
        box.max.fromArray(list as number[], 3);
    };
    return {
        /** Objects that move with the rows, and objects that do not. */
        moving: parts.flatMap(({ skeleton, whole, row }) => [skeleton.object, whole, row]),
        still: parts.map(({ path }) => path),
        hasPath: tables.some(hasRootMotion),
        update(
            clip: number,
            seconds: number,
            nearest: boolean,
            wanted: { skeleton: boolean; boxes: boolean; root: boolean },
        ) {
            for (const part of parts) {
                const { table, whole, row, path, skeleton, pose, columns: own } = part;
                skeleton.object.visible = wanted.skeleton && pose !== null;
                whole.visible = wanted.boxes;
                row.visible = wanted.boxes && table.arrays.bounds !== undefined;
                path.visible = wanted.root && hasRootMotion(table);
                setBox(whole.box, table.clips[clip]!.bounds!);
                if (path.visible && clip !== part.shown) {
                    const joint = table.manifest.arrays.root!.joint;
                    pose?.at(clip, 0, false);
                    const start = (joint < 0 ? undefined : own.origins[joint]?.clone()) ?? new THREE.Vector3();
                    if (pose && joint >= 0) start.applyMatrix4(pose.column(joint, matrix));
                    path.geometry.dispose();
                    path.geometry = new THREE.BufferGeometry().setFromPoints(rootPath(table, clip, start));
                    part.shown = clip;
                }
                if (row.visible) {
                    now[0] = seconds;
                    setBox(
                        row.box,
                        table.sample('bounds', clip, now, corners, {
                            loop: 'clamp',
                            between: nearest ? 'nearest' : 'linear',
                        }),
                    );
                }
                if (!skeleton.object.visible || pose === null) continue;
                pose.at(clip, seconds, nearest);
                skeleton.update((column, target) =>
                    target.copy(own.origins[column]!).applyMatrix4(pose.column(column, matrix)),
                );
            }
        },
    };
}
