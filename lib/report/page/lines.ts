// SPDX-License-Identifier: MIT

/** The lines of both sides, and their visibility. */

import * as THREE from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Bake, Entry } from './bakes';
import { COLORS } from './composite';
import { columnsOf, createBakedHelpers, createSkeleton, liveOrigins } from './helpers';
import type { Side } from './sides';
import type { View } from './state';

export type Wanted = Pick<View, 'skeleton' | 'boxes' | 'root'>;

/**
 * Adds lines to the sides.
 *
 * @param live The live side, if there is one.
 * @param baked The sides of the bakes.
 */
export async function createLines(
    gltf: GLTF,
    bakes: readonly Bake[],
    live: Side | null,
    baked: readonly (Side | null)[],
) {
    const helpers = await Promise.all(
        bakes.map(async ({ tables }, b) => {
            if (tables === null) return null;
            const columns = await Promise.all(tables.map((table) => columnsOf(gltf, table)));
            const made = createBakedHelpers(tables, columns, COLORS[live ? 1 : b]!);
            for (const object of made.moving) baked[b]!.moving.add(object);
            for (const object of made.still) baked[b]!.space.add(object);
            return { ...made, columns };
        }),
    );
    const skeletons = (live ? (helpers[0]?.columns ?? []) : []).map((columns) => {
        const skeleton = createSkeleton(columns, COLORS[0]);
        live!.group.add(skeleton.object);
        return { ...skeleton, originOf: liveOrigins(columns) };
    });
    return {
        hasPath: helpers.some((one) => one?.hasPath),
        /** Call it after the sides have been posed. */
        update({ clips }: Entry, seconds: number, nearest: boolean, wanted: Wanted): void {
            for (const { object, update, originOf } of skeletons) {
                object.visible = wanted.skeleton;
                if (wanted.skeleton) update(originOf);
            }
            for (const [b, one] of helpers.entries()) {
                if (clips[b]! >= 0) one?.update(clips[b]!, seconds, nearest, wanted);
            }
        },
    };
}

/** As `createLines`, for live models on both sides: only skeletons. */
export function createSkeletons(models: readonly GLTF[], sides: readonly (Side | null)[]) {
    const helpers = models.map(({ scene }, i) => {
        const helper = new THREE.SkeletonHelper(scene);
        Object.assign(helper.material, { vertexColors: false, color: new THREE.Color(COLORS[i]) });
        helper.frustumCulled = false;
        helper.renderOrder = 10;
        sides[i]!.group.add(helper);
        return helper;
    });
    return {
        hasPath: false,
        update(_entry: Entry, _seconds: number, _nearest: boolean, wanted: Wanted): void {
            for (const helper of helpers) helper.visible = wanted.skeleton;
        },
    };
}
