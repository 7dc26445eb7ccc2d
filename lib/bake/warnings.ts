// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import type { SceneChannel, Warning } from '../gltf/scene';
import { significant, sizeOf } from '../messages';
import { cadenceOf } from '../rig/cadence';
import { matchingJoints } from './arrays/makers';
import { suggestFps } from './fps';
import type { Manifest } from './manifest';
import type { Recipe } from './options';
import { type BakePlan, clipName, palettesOf, SMALLER } from './plan';
import { morphNodesOf } from './skin-rig';
import { countKeysOffGrid } from './timeline';

/** Rows that a texture can have nearly everywhere. */
const MAX_TEXTURE_ROWS = 8192;

/** More than palettes take that somebody meant to bake at such a rate. */
const LARGE_BYTES = 256 * 1024 * 1024;

/** Takes warnings. */
export type Warner = (warning: Warning) => void;

/**
 * What takes warnings; with `strict` none, because each is an error.
 *
 * @throws InputError with the warning's code, at the warning.
 */
export function refusing({ strict }: Pick<Recipe, 'strict'>, file: string, warn: Warner): Warner {
    if (!strict) return warn;
    return ({ code, pointer, message }) => {
        throw new InputError(code, file, pointer, `${message} (${code}, an error with strict)`);
    };
}

/** What every skin's output warns of. */
export function planWarnings(plan: BakePlan): Warning[] {
    const { scene, recipe, clips, skins } = plan;
    const warnings = [...scene.warnings, ...plan.warnings];
    const baked = new Set(recipe.emit.has('morph') ? skins.flatMap((skin) => morphNodesOf(scene, skin)) : []);
    // The GLB has the weights of all meshes.
    for (const { animation } of recipe.emit.has('glb') ? [] : clips) {
        const weights = scene.animations[animation]!.channels.filter(
            ({ path, node }) => path === 'weights' && !baked.has(node),
        );
        if (weights.length === 0) continue;
        warnings.push({
            code: 'MORPH_WEIGHTS_NOT_BAKED',
            pointer: weights[0]!.pointer,
            message:
                `${clipName(scene, animation)} animates morph weights (${plural(weights.length, 'channel')}), ` +
                'which are not baked',
        });
    }
    if (recipe.emit.has('palette')) warnings.push(...sizeWarnings(plan));
    return warnings;
}

/** Of a palette that takes hundreds of megabytes, how high a texture it makes is the lesser trouble. */
function sizeWarnings(plan: BakePlan): Warning[] {
    const { joints, rowBytes } = palettesOf(plan);
    const bytes = plan.rows * rowBytes;
    if (bytes > LARGE_BYTES) {
        const message = `${plan.rows} rows of ${plural(joints, 'joint')} take ${sizeOf(bytes)}: ${SMALLER}`;
        return [{ code: 'OUTPUT_LARGE', pointer: '', message }];
    }
    if (plan.rows <= MAX_TEXTURE_ROWS) return [];
    const message = `${plan.rows} rows: as one texture the palette is higher than the ${MAX_TEXTURE_ROWS} texels that many devices allow`;
    return [{ code: 'TEXTURE_TOO_TALL', pointer: '', message }];
}

/** What one skin's output warns of, whatever the clips. */
export function skinWarnings({ scene, recipe }: BakePlan, skin: number): Warning[] {
    const warnings: Warning[] = [];
    const pointer = `/skins/${skin}`;
    if (recipe.emit.has('morph') && morphNodesOf(scene, skin).length === 0) {
        const message = `no mesh of skin ${skin} has morph targets: there is no array morph`;
        warnings.push({ code: 'NO_MORPH', pointer, message });
    }
    if (recipe.hitJoints !== null) {
        const names = scene.skins[skin]!.joints.map((node) => scene.nodes[node]!.name);
        if (matchingJoints(names, recipe.hitJoints).length === 0) {
            const message = `no joint of skin ${skin} matches ${recipe.hitJoints}: there is no array hit`;
            warnings.push({ code: 'NO_HIT_JOINT', pointer, message });
        }
    }
    return warnings;
}

/**
 * What one skin's output warns of about one clip.
 *
 * @param channels Those that move the skin.
 */
export function clipWarnings(
    { scene }: BakePlan,
    animation: number,
    skin: number,
    channels: readonly SceneChannel[],
    frameTimes: Float32Array,
): Warning[] {
    const warnings: Warning[] = [];
    const pointer = `/animations/${animation}`;
    const name = clipName(scene, animation);
    if (channels.length === 0) {
        warnings.push({
            code: 'CLIP_NOT_ANIMATED',
            pointer,
            message: `${name} moves no node of skin ${skin}: its rows are the rest pose`,
        });
    }
    const offGrid = countKeysOffGrid(channels, frameTimes);
    if (offGrid > 0) {
        warnings.push({
            code: 'KEY_OFF_GRID',
            pointer,
            message:
                `${name}: ${plural(offGrid, 'STEP key time')} 1 or 2 ulp above a frame's time, ` +
                'where the frame shows the key before',
        });
    }
    return warnings;
}

/** More than this of the extent is seen by everybody. */
export const LARGE_SHARE = 0.01;

/** Where playback between rows is far off, and what would be better. Not in manifests, which have each clip's `error`. */
export function playbackWarnings(plan: BakePlan, outputs: readonly { readonly manifest: Manifest }[]): Warning[] {
    const { scene, recipe, rate, clips } = plan;
    const off = outputs.flatMap((output) =>
        output.manifest.clips.map(({ animation, error }) => ({ output, animation, error })),
    );
    const worst = off.reduce((a, b) => (b.error.maxLerpShare > a.error.maxLerpShare ? b : a), off[0]!);
    if (!(worst?.error.maxLerpShare > LARGE_SHARE)) return [];
    const large = new Set(
        off.filter(({ error }) => error.maxLerpShare > LARGE_SHARE).map(({ animation }) => animation),
    );
    const percent = (value: number) => `${significant(value * 100, 3)}%`;
    const many = `${large.size} of ${plural(clips.length, 'clip')} ${large.size === 1 ? 'is' : 'are'}`;
    const found =
        `${many} off by more than ${percent(LARGE_SHARE)} of the extent between rows, ` +
        `${clipName(scene, worst.animation)} by ${percent(worst.error.maxLerpShare)}`;
    const keys = suggestFps(clips.map(({ animation }) => cadenceOf(scene.animations[animation]!)));
    const meets =
        keys === null || Number.isInteger(rate[0] / rate[1] / keys) ? '' : `fps ${keys} meets every key, and `;
    const better =
        recipe.rate === 'auto'
            ? "emit 'local' has rotations, which a player can interpolate on their arc"
            : `${meets}fps 'auto' finds a rate for each clip`;
    const pointer = `/animations/${worst.animation}`;
    return [{ code: 'PLAYBACK_ERROR_LARGE', pointer, message: `${found}: ${better}` }];
}

/** Each warning once, in the order of its first appearance. */
export function withoutRepeats(warnings: readonly Warning[]): Warning[] {
    const unique = new Map<string, Warning>();
    for (const warning of warnings) {
        const key = JSON.stringify([warning.code, warning.pointer, warning.message]);
        if (!unique.has(key)) unique.set(key, warning);
    }
    return [...unique.values()];
}

function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
