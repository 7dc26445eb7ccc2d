// SPDX-License-Identifier: MIT

/** The two sides of the picture: the live model and its bake, or the model with fewer keys; or two bakes. */

import * as THREE from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { BakedTable } from '../../table';
import { type BakedCrowd, createBakedCrowd } from '../../three';
import type { Bake, Entry } from './bakes';
import { reasonOf, say } from './dom';
import { moveRows } from './root-motion';

export interface Side {
    readonly label: string;
    readonly group: THREE.Group;
    /** In the group: the space of the bake. */
    readonly space: THREE.Object3D;
    /** In that space: objects that move with the character. */
    readonly moving: THREE.Object3D;
    /** Shows a clip at a time. Returns false if it has no such clip. */
    pose(entry: Entry, seconds: number, nearest: boolean): boolean;
}

/** Live skinning by three.js. */
export function createLive({ scene, animations }: GLTF, bake: Bake, label: string): Side {
    const mixer = new THREE.AnimationMixer(scene);
    let playing: THREE.AnimationAction | undefined;
    scene.traverse((object) => {
        // Their boxes are those of the rest pose.
        object.frustumCulled = false;
    });
    const group = new THREE.Group().add(scene);
    return {
        label,
        group,
        space: group,
        moving: group,
        pose({ clips }, seconds) {
            const { animation, start = 0 } = bake.clips[clips[0]!]!;
            const clip = animations[animation]!;
            if (playing?.getClip() !== clip) {
                mixer.stopAllAction();
                playing = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1).play();
                playing.clampWhenFinished = true;
            }
            playing.paused = false;
            mixer.setTime(start + seconds);
            return true;
        },
    };
}

/** A crowd of a bake, placed where the model is. Null if it cannot be drawn; a message on the page says so. */
export function createCrowd(
    gltf: GLTF,
    tables: readonly BakedTable[],
    count: number,
    maxSize: number,
): BakedCrowd | null {
    const meshes: THREE.Object3D[] = [];
    gltf.scene.traverse((object) => {
        if ('isMesh' in object) meshes.push(object);
    });
    if (meshes.length === 0) return null;
    try {
        return createBakedCrowd(THREE, tables, gltf, count, { maxSize });
    } catch (error) {
        say(`The bake cannot be drawn: ${reasonOf(error)}`);
        return null;
    }
}

/** One instance of a bake. The model must be at rest. */
export function createBaked(gltf: GLTF, bake: Bake, index: number, maxSize: number): Side | null {
    const { tables } = bake;
    if (tables === null) return null;
    const crowd = createCrowd(gltf, tables, 1, maxSize);
    const [space, moving] = [new THREE.Group(), new THREE.Group()];
    for (const one of [space, moving]) one.matrixAutoUpdate = false;
    space.matrix.copy(spaceOf(gltf, tables[0]!));
    if (crowd) moving.add(crowd.group);
    const now = new Float64Array(1);
    return {
        label: bake.label,
        group: new THREE.Group().add(space.add(moving)),
        space,
        moving,
        pose({ clips }, seconds, nearest) {
            const clip = clips[index]!;
            space.visible = clip >= 0;
            if (clip < 0) return false;
            now[0] = seconds;
            crowd?.pose(clip, now, { between: nearest ? 'nearest' : 'linear' });
            moveRows(tables[0]!, clip, seconds, moving.matrix);
            moving.matrixWorldNeedsUpdate = true;
            return true;
        },
    };
}

/** From the space of a bake to the scene, at rest. With `space: 'skin-root'`, the space of the joints' common root. */
export function spaceOf({ parser, scene }: GLTF, { manifest }: BakedTable): THREE.Matrix4 {
    const space = new THREE.Matrix4();
    const root = manifest.recipe.space === 'skin-root' ? (manifest.skin?.root ?? -1) : -1;
    if (root < 0) return space;
    scene.updateWorldMatrix(true, true);
    for (const [object, { nodes }] of parser.associations as Map<THREE.Object3D, { nodes?: number }>) {
        if (nodes === root && 'isObject3D' in object) space.copy(object.matrixWorld);
    }
    return space;
}
