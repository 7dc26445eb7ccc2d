// SPDX-License-Identifier: MIT

/** Shared by baked animations and live crowds: meshes that show rows of textures, and picking. */

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { checkFloat32Array, lengthOf } from '../base/arguments';
import { rangeError } from '../base/errors';
import { attach, ownMesh, pickAsDrawn, placeUnder } from './meshes';
import type { Part, partsOf } from './model';
import type { Rows } from './rows';
import type { BabylonLike } from './types';

/** Babylon's attribute name for each thin instance's rows. */
const SETTINGS = 'bakedVertexAnimationSettingsInstanced';

/** The rows of a table, and which of them each instance shows. */
export interface Track {
    readonly rows: Rows;
    readonly manager: BABYLON.BakedVertexAnimationManager;
    readonly skeleton: BABYLON.Skeleton;
    /** `[instance][4]`: first row, last row, offset and rate, as Babylon's shader reads them. */
    readonly settings: Float32Array;
    /** For picking: the row in `rows.data` that an instance shows. */
    readonly shown: Uint32Array;
}

export interface Instances {
    readonly own: readonly BABYLON.Mesh[];
    readonly tracks: readonly Track[];
    /** Makes an instance show a row of the texture, or play from it. */
    show(track: Track, instance: number, row: number, last: number, offset: number, rate: number): void;
    /** Uploads what instances show. */
    update(track: number): void;
    /** Gives meshes the morph weights of a row. */
    setWeights(track: number, weights: ArrayLike<number>): void;
    /** Sets the transforms of all thin instances, but not their boxes. */
    place(matrices: Float32Array): void;
    dispose(): void;
}

/**
 * @param rows The rows of each table.
 * @param matrices Transforms of thin instances, all the identity; null without thin instances.
 * @param bound Sets the box of a mesh.
 */
export function instancesOf(
    babylon: BabylonLike,
    { parts, moving }: ReturnType<typeof partsOf>,
    rows: readonly Rows[],
    matrices: Float32Array | null,
    root: BABYLON.Node | null | undefined,
    bound: (mesh: BABYLON.Mesh) => void,
): Instances {
    const scene = rows[0]!.texture.getScene()!;
    for (const group of scene.animationGroups) {
        if (group.targetedAnimations.some(({ target }) => moving.has(target))) group.stop();
    }
    const count = matrices === null ? 1 : matrices.length / 16;
    for (let i = 0; matrices !== null && i < count; i++) babylon.Matrix.IdentityReadOnly.copyToArray(matrices, i * 16);
    const tracks = rows.map((own): Track & { picked: Float32Array } => {
        const manager = new babylon.BakedVertexAnimationManager(scene);
        manager.texture = own.texture;
        // Without bones. Its presence makes Babylon's shaders read joints and weights, and makes picking use `picked`.
        const skeleton = new babylon.Skeleton('baked', 'baked', scene);
        const picked = new Float32Array(own.rowFloats);
        skeleton.getTransformMatrices = () => picked;
        const settings = new Float32Array(count * 4);
        return { rows: own, manager, skeleton, picked, settings, shown: new Uint32Array(count) };
    });
    const own = parts.map(ownMesh);
    for (const [i, part] of parts.entries()) prepare(own[i]!, part);

    function prepare(mesh: BABYLON.Mesh, part: Part): void {
        const { rows: of, manager, skeleton, picked, settings, shown } = tracks[part.table]!;
        placeUnder(root, mesh, part.column < 0);
        if (part.column >= 0) attach(mesh, part);
        mesh.skeleton = skeleton;
        mesh.bakedVertexAnimationManager = manager;
        if (matrices !== null) {
            bound(mesh); // first, because Babylon keeps the box that it finds here
            mesh.thinInstanceEnablePicking = true;
            mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
            mesh.thinInstanceSetBuffer(SETTINGS, settings, 4, false);
        }
        bound(mesh);
        const pose = (instance: number) => {
            const row = shown[instance]! * of.rowFloats;
            picked.set(of.data.subarray(row, row + of.rowFloats));
        };
        pickAsDrawn(babylon.Matrix, mesh, matrices, pose, () => bound(mesh));
    }

    const instances: Instances = {
        own,
        tracks,
        show({ settings }, i, row, last, offset, rate) {
            settings[i * 4] = row;
            settings[i * 4 + 1] = last;
            settings[i * 4 + 2] = offset;
            settings[i * 4 + 3] = rate;
        },
        update(t) {
            const { manager, settings } = tracks[t]!;
            if (matrices === null) {
                manager.animationParameters.set(settings[0]!, settings[1]!, settings[2]!, settings[3]!);
                return;
            }
            for (let i = 0; i < own.length; i++) if (parts[i]!.table === t) own[i]!.thinInstanceBufferUpdated(SETTINGS);
        },
        setWeights(t, weights) {
            for (let p = 0; p < parts.length; p++) {
                const { table, firstWeight } = parts[p]!;
                if (table !== t || firstWeight === null) continue;
                const targets = own[p]!.morphTargetManager!;
                for (let i = 0; i < targets.numTargets; i++) targets.getTarget(i).influence = weights[firstWeight + i]!;
            }
        },
        place(given) {
            checkFloat32Array('place', 'matrices', given);
            const needs = matrices?.length ?? 0;
            if (lengthOf(given) !== needs) {
                const holds = `matrices holds ${lengthOf(given)} elements`;
                throw rangeError('ERR_BUFFER_LENGTH', `place: ${holds}, needs ${needs} (thin instances x 16)`);
            }
            matrices?.set(given);
            for (const mesh of own) mesh.thinInstanceBufferUpdated('matrix');
        },
        dispose() {
            for (const mesh of own) mesh.bakedVertexAnimationManager = null;
            for (const { manager, skeleton } of tracks) {
                manager.dispose(true);
                skeleton.dispose();
            }
        },
    };
    for (const [t, track] of tracks.entries()) {
        for (let i = 0; i < count; i++) {
            const row = track.rows.shared > 0 ? 0 : i;
            instances.show(track, i, row, row, 0, 0);
        }
        instances.update(t);
    }
    return instances;
}
