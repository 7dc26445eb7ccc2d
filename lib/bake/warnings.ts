// SPDX-License-Identifier: MIT

import { InputError } from '../base/errors';
import { extentHint } from '../base/length';
import { significant, sizeOf } from '../base/messages';
import type { Manifest } from '../format/manifest';
import { byMorph, LARGE_SHARE, playedShare } from '../format/played-error';
import type { GltfScene, SceneChannel, Warning } from '../gltf/scene';
import { INSTANCING } from '../gltf/validate/instances';
import { cadenceOf } from '../rig/cadence';
import type { Character } from '../rig/measure/characters';
import { isElsewhere } from '../rig/measure/instances';
import { matchingJoints } from './arrays/makers';
import { characterName, hitNames } from './plan/character';
import { fpsMeetingAllKeys } from './plan/fps';
import { countKeysOffGrid } from './plan/frames';
import { hasMovedVertices, type Recipe } from './plan/options';
import { type BakePlan, clipName, type PlannedClip, palettesOf, SMALLER } from './plan/plan';
import { areRelated } from './plan/related-skins';
import type { SkinModel } from './rows/skin-model';
import { morphNodesOf } from './rows/skin-rig';

/** Texture height that nearly all devices allow. */
const MAX_TEXTURE_ROWS = 8192;

/** Bytes of a palette above which a lower rate was probably meant. */
const LARGE_BYTES = 256 * 1024 * 1024;

export type Warner = (warning: Warning) => void;

/**
 * Returns a receiver of warnings. With `strict` it throws each as an error.
 *
 * @throws InputError with the warning's code.
 */
export function refusing({ strict }: Pick<Recipe, 'strict'>, file: string, warn: Warner): Warner {
    if (!strict) return warn;
    return ({ code, pointer, message }) => {
        throw new InputError(code, file, pointer, `${message} (${code}, an error with strict)`);
    };
}

/** Warnings that every skin's output has. */
export function planWarnings(plan: BakePlan): Warning[] {
    const { scene, recipe, clips, characters } = plan;
    const warnings = [...scene.warnings, ...plan.warnings, ...(recipe.emit.has('glb') ? [] : leftOutWarnings(scene))];
    const baked = new Set(
        recipe.emit.has('morph') || hasMovedVertices(recipe.emit)
            ? characters.flatMap((character) => morphNodesOf(scene, character))
            : [],
    );
    // The GLB has the weights of all meshes.
    const weights = (recipe.emit.has('glb') ? [] : clips).flatMap(({ animation }) =>
        scene.animations[animation]!.channels.filter(({ path, node }) => path === 'weights' && !baked.has(node)),
    );
    if (weights.length > 0) {
        const meshes = plural(new Set(weights.map(({ node }) => node)).size, 'mesh', 'meshes');
        const message = `morph weights of ${meshes} are animated (${plural(weights.length, 'channel')}) and not baked: emit 'morph' has them`;
        warnings.push({ code: 'MORPH_WEIGHTS_NOT_BAKED', pointer: weights[0]!.pointer, message });
    }
    warnings.push(...instanceWarnings(plan));
    if (recipe.emit.has('palette')) warnings.push(...sizeWarnings(plan));
    return warnings;
}

/** Warns of meshes with instances that are not at their node. The GLB has them. */
function instanceWarnings({ scene, recipe, characters }: BakePlan): Warning[] {
    if ([...recipe.emit].every((name) => name === 'glb')) return [];
    const own = new Set(characters.flatMap(({ skins }) => skins));
    const drawn = [
        ...characters.flatMap(({ attachments }) => attachments),
        ...scene.skinnedMeshes.filter(({ skin }) => own.has(skin)),
    ].filter(({ instances }) => isElsewhere(instances));
    if (drawn.length === 0) return [];
    const named = drawn.slice(0, 8).map(({ node, instances }) => {
        return `node ${node} '${scene.nodes[node]!.name}' (${plural(instances!.length / 10, 'place')})`;
    });
    const more = drawn.length > named.length ? ` and ${drawn.length - named.length} more` : '';
    const message =
        `${INSTANCING} draws the mesh of ${named.join(', ')}${more}: palettes have the node's matrix and a .vat one copy, without the places; ` +
        'multiply the column by each place, or make nodes of them (gltf-transform uninstance)';
    return [{ code: 'INSTANCES_NOT_BAKED', pointer: `/nodes/${drawn[0]!.node}/extensions/${INSTANCING}`, message }];
}

/** A palette of hundreds of megabytes gets only the warning about its size, not about the texture's height. */
function sizeWarnings(plan: BakePlan): Warning[] {
    const { columns, rowBytes } = palettesOf(plan);
    const bytes = plan.rows * rowBytes;
    if (bytes > LARGE_BYTES) {
        const message = `${plan.rows} rows of ${plural(columns, 'matrix', 'matrices')} take ${sizeOf(bytes)}: ${SMALLER}`;
        return [{ code: 'OUTPUT_LARGE', pointer: '', message }];
    }
    if (plan.rows <= MAX_TEXTURE_ROWS) return [];
    const message = `${plan.rows} rows: as one texture the palette is higher than the ${MAX_TEXTURE_ROWS} texels that many devices allow. The loaders split it; for others ${SMALLER}`;
    return [{ code: 'TEXTURE_TOO_TALL', pointer: '', message }];
}

/** Number of different skins with the same joints, or clips with as many keys, that a further one is compared with. */
const MAX_COMPARED = 16;

/**
 * Warns of skins with the same joints and separate palettes that could share one. Not in manifests: this concerns
 * several outputs.
 */
export function relatedSkinWarnings(plan: BakePlan): Warning[] {
    const { scene, recipe, characters, rows } = plan;
    if (!recipe.emit.has('palette')) return [];
    const families = new Map<string, number[][]>();
    for (const [skin] of characters.map(({ skins }) => skins)) {
        if (skin === undefined) continue;
        const joints = scene.skins[skin]!.joints.join();
        const known = families.get(joints) ?? [];
        const own = known.find(([first]) => areRelated(scene.skins[first!]!, scene.skins[skin]!));
        if (own !== undefined) own.push(skin);
        else if (known.length < MAX_COMPARED) families.set(joints, [...known, [skin]]);
    }
    const { columns, rowBytes } = palettesOf(plan);
    const alike = [...families.values()].flat().filter((family) => family.length > 1);
    return alike.map((family) => {
        const joints = scene.skins[family[0]!]!.joints.length;
        const bytes = (rows * joints * rowBytes) / columns;
        const listed = family.slice(0, 8).join(', ') + (family.length > 8 ? ', ...' : '');
        const same = `${family.length} skins (${listed}) have the same ${plural(joints, 'joint')}`;
        const why =
            'and their inverse bind matrices differ by one matrix for each skin, as tools write for quantized positions';
        const cost = `their palettes take ${sizeOf(family.length * bytes)}, one would take ${sizeOf(bytes)}`;
        const remedy =
            'bake the file from before its positions were quantized, or quantize with one volume for all meshes ' +
            '(gltf-transform: --quantization-volume scene)';
        return {
            code: 'SKINS_ALIKE',
            pointer: `/skins/${family[1]}/inverseBindMatrices`,
            message: `${same}, ${why}: ${cost}; ${remedy}`,
        };
    });
}

/** Bytes of equal clips that are worth a warning. */
const LARGE_SHARED = 2 ** 16;

/** Warns of clips that are equal to an earlier one. Not in manifests: this concerns all outputs. */
export function sharedClipWarnings(plan: BakePlan): Warning[] {
    const { scene, recipe, clips } = plan;
    if (!recipe.emit.has('palette')) return [];
    const known = new Map<string, number[]>();
    const equal: (readonly [clip: PlannedClip, first: number])[] = [];
    for (const clip of clips) {
        const { channels } = scene.animations[clip.animation]!;
        const key = JSON.stringify(channels.map(({ node, path, times }) => [node, path, times.length]));
        const others = known.get(key) ?? [];
        const first = others.find((other) => areEqual(channels, scene.animations[other]!.channels));
        if (first !== undefined) equal.push([clip, first]);
        else if (others.length < MAX_COMPARED) known.set(key, [...others, clip.animation]);
    }
    const bytes = palettesOf(plan).rowBytes * equal.reduce((sum, [{ timeline }]) => sum + timeline.frameCount, 0);
    if (bytes < LARGE_SHARED) return [];
    const named = equal
        .slice(0, 8)
        .map(([{ animation }, first]) => `${clipName(scene, animation)} is ${clipName(scene, first)}`);
    const more = equal.length > named.length ? `, and ${equal.length - named.length} more` : '';
    const pointer = `/animations/${equal[0]![0].animation}`;
    const message = `${named.join(', ')}${more}: without ${equal.length === 1 ? 'it' : 'them'} (clips) the palettes take ${sizeOf(bytes)} less`;
    return [{ code: 'SHARED_CLIP', pointer, message }];
}

function areEqual(a: readonly SceneChannel[], b: readonly SceneChannel[]): boolean {
    const same = (x: Float32Array, y: Float32Array) =>
        x === y || (x.length === y.length && x.every((v, i) => v === y[i]));
    return a.every(({ interpolation, times, values }, i) => {
        const other = b[i]!;
        return interpolation === other.interpolation && same(times, other.times) && same(values, other.values);
    });
}

/** Warnings of one output about all clips. */
export function characterWarnings({ scene, recipe }: BakePlan, character: Character): Warning[] {
    const warnings: Warning[] = [];
    const [skin] = character.skins;
    const pointer = skin === undefined ? '' : `/skins/${skin}`;
    if (recipe.emit.has('morph') && morphNodesOf(scene, character).length === 0) {
        const message = `no mesh of ${characterName(character)} has morph targets: there is no array morph; leave 'morph' out of emit`;
        warnings.push({ code: 'NO_MORPH', pointer, message });
    }
    if (recipe.hitJoints !== null) {
        if (matchingJoints(hitNames(scene, character), recipe.hitJoints).length === 0) {
            const message = `no joint of ${characterName(character)} matches ${recipe.hitJoints}: there is no array hit; change hitJoints`;
            warnings.push({ code: 'NO_HIT_JOINT', pointer, message });
        }
    }
    return warnings;
}

/** @param channels Those that move the character. */
export function clipWarnings(
    { scene }: BakePlan,
    animation: number,
    character: Character,
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
            message: `${name} moves no node of ${characterName(character)}: its rows are the rest pose; clips can leave it out`,
        });
    }
    const offGrid = countKeysOffGrid(channels, frameTimes);
    if (offGrid > 0) {
        warnings.push({
            code: 'KEY_OFF_GRID',
            pointer,
            message:
                `${name}: ${plural(offGrid, 'STEP key time')} 1 or 2 ulp above a frame's time, ` +
                'where the frame shows the key before; export key times as i / fps, or bake at a higher rate',
        });
    }
    return warnings;
}

export function motionWarnings(
    { scene }: BakePlan,
    { motion, extent }: Pick<SkinModel, 'motion' | 'extent'>,
): Warning[] {
    if (motion === null || !motion.standsStill(extent)) return [];
    const { node } = motion.recipe;
    const message = `node ${node} '${scene.nodes[node]!.name}' does not move in the clips that are baked: there is no root motion, unless rootJoint names another joint`;
    return [{ code: 'ROOT_STANDS_STILL', pointer: `/nodes/${node}`, message }];
}

/** Warns of a tolerance in other units than the model's. Not in manifests. */
export function toleranceWarnings(
    { recipe }: BakePlan,
    outputs: readonly { readonly manifest: Manifest }[],
): Warning[] {
    const extent = outputs.reduce((max, { manifest }) => Math.max(max, manifest.extent), 0);
    const hint = extentHint(recipe.maxError, extent, false);
    return hint === '' ? [] : [{ code: 'MAX_ERROR_UNITS', pointer: '', message: `the maximum error of ${hint}` }];
}

/**
 * Warns of a large playback error and suggests a rate. Not in manifests, which have the `error` of each clip. The rates
 * of `auto` keep the tolerance, or have a warning of their own.
 */
export function playbackWarnings(plan: BakePlan, outputs: readonly { readonly manifest: Manifest }[]): Warning[] {
    const { scene, recipe, rate, clips } = plan;
    if (recipe.rate === 'auto') return [];
    const off = outputs.flatMap((output) =>
        output.manifest.clips.map(({ animation, error }) => ({ animation, error, share: playedShare(error) })),
    );
    const worst = off.reduce((a, b) => (b.share > a.share ? b : a), off[0]!);
    if (!(worst?.share > LARGE_SHARE)) return [];
    const large = new Set(off.filter(({ share }) => share > LARGE_SHARE).map(({ animation }) => animation));
    const percent = (value: number) => `${significant(value * 100, 3)}%`;
    const many = `${large.size} of ${plural(clips.length, 'clip')} ${large.size === 1 ? 'is' : 'are'}`;
    const found =
        `${many} off by more than ${percent(LARGE_SHARE)} of the extent between rows, ` +
        `${clipName(scene, worst.animation)} by ${percent(worst.share)}${byMorph(worst.error) ? ' (morph weights)' : ''}`;
    const keys = fpsMeetingAllKeys(clips.map(({ animation }) => cadenceOf(scene.animations[animation]!)));
    const meets =
        keys === null || Number.isInteger(rate[0] / rate[1] / keys) ? '' : `fps ${keys} meets every key, and `;
    const message = `${found}: ${meets}fps 'auto' finds a rate for each clip`;
    return [{ code: 'PLAYBACK_ERROR_LARGE', pointer: `/animations/${worst.animation}`, message }];
}

/**
 * One warning with counts for everything that moves or is visible in the file, is in no output, and was not left out by
 * an option.
 */
export function leftOutWarnings({ nodes, skins, animations, skinnedMeshes, rigidMeshes = [] }: GltfScene): Warning[] {
    // An ancestor of a joint or mesh is part of the bake through it.
    const needed = new Uint8Array(nodes.length);
    const carriers = [
        ...skins.flatMap(({ joints }) => joints),
        ...[...skinnedMeshes, ...rigidMeshes].map(({ node }) => node),
    ];
    for (const carrier of carriers) {
        for (let node = carrier; node >= 0 && needed[node] === 0; node = nodes[node]!.parent) needed[node] = 1;
    }
    const alone = new Set<number>();
    for (const { channels } of animations) {
        for (const { node, path } of channels) if (path !== 'weights' && needed[node] === 0) alone.add(node);
    }
    const empty = alone.size;
    const still = rigidMeshes.filter(({ moves }) => !moves).length;
    const parts = [
        ...(still > 0 ? [`${plural(still, 'mesh', 'meshes')} that nothing moves`] : []),
        ...(empty > 0 ? [`${plural(empty, 'animated node')} without a mesh or joint`] : []),
    ];
    if (parts.length === 0) return [];
    const remedy = still > 0 ? 'add these meshes to the scene from the model' : "emit 'glb' keeps them";
    return [{ code: 'PARTS_NOT_BAKED', pointer: '', message: `not in the bake: ${parts.join(', ')}; ${remedy}` }];
}

export function withoutRepeats(warnings: readonly Warning[]): Warning[] {
    const unique = new Map<string, Warning>();
    for (const warning of warnings) {
        const key = JSON.stringify([warning.code, warning.pointer, warning.message]);
        if (!unique.has(key)) unique.set(key, warning);
    }
    return [...unique.values()];
}

function plural(count: number, noun: string, many = `${noun}s`): string {
    return `${count} ${count === 1 ? noun : many}`;
}
