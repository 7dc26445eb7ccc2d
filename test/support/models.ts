// SPDX-License-Identifier: MIT
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeUnless, testUnless } from './unless';

const ROOT = join(__dirname, '../..');

export interface Model {
    readonly name: string;
    readonly path: string;
    /** Why its tests are skipped, or null. */
    readonly absent: string | null;
}

/** A real model; ../shared/models/SOURCES.md describes each. */
function shared(name: string, file: string): Model {
    const path = join(ROOT, '../shared/models', file);
    if (existsSync(path)) return { name, path, absent: null };
    const absent = existsSync(join(ROOT, '../shared/models')) ? `../shared/models/${file}` : '../shared/models';
    return { name, path, absent: `${absent} is absent` };
}

/** The repository's own example: never skipped, its absence is a failure. */
export const CHARACTER: Model = { name: 'character', path: join(ROOT, 'examples/character.glb'), absent: null };
export const FOX = shared('Fox', 'Fox.glb');
export const RIGGED_FIGURE = shared('RiggedFigure', 'RiggedFigure/RiggedFigure.gltf');
export const KNIGHT = shared('Knight', 'KayKit/Knight.glb');
export const ROGUE = shared('Rogue', 'KayKit/Rogue.glb');
export const ROBOT = shared('RobotExpressive', 'RobotExpressive/RobotExpressive.glb');
export const SIMPLE_SKIN = shared('SimpleSkin', 'SimpleSkin/SimpleSkin.gltf');
export const SIMPLE_SKIN_TWICE = shared('SimpleSkin-multi-target', 'SimpleSkin/SimpleSkin-multi-target.gltf');
export const PLATFORMER = shared('platformer', 'humanoids/quaternius_platformer.glb');
export const MIXAMO_NAMES = shared('mixamo_names', 'humanoids/mixamo_names.glb');
export const VRM_ROBOT = shared('debug_robot', 'humanoids/debug_robot.vrm');
export const INTERPOLATION_TEST = shared('InterpolationTest', 'InterpolationTest/InterpolationTest.gltf');

/** `describe`, or a skipped one that says why. */
export function describeModel(model: Model, body: () => void): void {
    describeUnless(model.absent, model.name, body);
}

/** The same for one test; its title is that of the model and `says`. */
export function testModel({ name, absent }: Model, says: string, body: () => unknown): void {
    testUnless(absent, `${name} ${says}`, body);
}
