// SPDX-License-Identifier: MIT

import type { Clock } from '../base/progress';
import { sha256Of } from '../files/sha256';
import { type Manifest, type ManifestClip, stringifyManifest } from '../format/manifest';
import type { Warning } from '../gltf/scene';
import { STRICT_VERSION } from '../strict/version';
import { type BakedArray, numbersIn } from './arrays/array';
import { createBin, rowBytesOf } from './arrays/bin';
import { boundsArray, jointBoundsArray } from './arrays/bounds';
import { hitArray, localArray, matchingJoints, morphArray, paletteArray, rootArray } from './arrays/makers';
import { allowedRounding, bakeClip, type Target, type WorstPlace, worstPlaceOf } from './clip';
import { hitNames } from './plan/character';
import type { Recipe } from './plan/options';
import { type BakePlan, refuseTooLarge } from './plan/plan';
import { MorphJudge } from './playback/morph-judge';
import { PlaybackJudge } from './playback/playback';
import { RowSource } from './rows/row-source';
import { SharingJudge } from './rows/sharing';
import type { SkinModel } from './rows/skin-model';
import { morphNodesOf } from './rows/skin-rig';
import { characterWarnings, motionWarnings, planWarnings, refusing, type Warner } from './warnings';

/** The bake of one character. */
export interface BakeOutput {
    /** Output files are named `<stem>.bake.json` and `<stem>.bake.bin`. */
    readonly stem: string;
    /** Index of the skin in the file, the first of those that share the palette; null without a skin. */
    readonly skin: number | null;
    /** Description of the bin. */
    readonly manifest: Manifest;
    /** The manifest as text. */
    readonly json: string;
    /** Contents of the `.bin`, as the manifest's `arrays` describe it. */
    readonly bin: Uint8Array;
    /** Place of the maximum `maxLerp` of the manifest's clips; null if that is 0. */
    readonly worst: WorstPlace | null;
}

/**
 * Bakes the planned clips for one character.
 *
 * @param held Bytes of the outputs before this one.
 * @throws InputError `OUTPUT_TOO_LARGE`, `NOT_FINITE` and, with `strict`, the codes of warnings; ToleranceError for
 * half floats; the reason of the clock's signal.
 */
export async function bakeSkin(
    plan: BakePlan,
    model: SkinModel,
    stem: string,
    clock: Clock,
    held = 0,
): Promise<BakeOutput> {
    const { scene, recipe, rows } = plan;
    const { rig, character, rowFloats } = model;
    const warnings: Warning[] = [];
    const warn: Warner = refusing(recipe, plan.file, (warning) => warnings.push(warning));
    for (const warning of [...planWarnings(plan), ...characterWarnings(plan, character)]) warn(warning);

    const source = new RowSource(plan, model);
    const arrays = arraysOf(plan, model, source.pivots);
    refuseTooLarge(
        plan,
        character.nodes.length,
        arrays.reduce((bytes, array) => bytes + (array.rows === undefined ? rowBytesOf(array) : 0), 0),
        held,
    );
    const bin = createBin(arrays, rows);
    const palette = arrays.find(({ name }) => name === 'palette');
    const inPlace = palette !== undefined && recipe.layout === 'mat4' && recipe.dtype === 'f32';
    const target: Target = {
        plan,
        model,
        clock,
        source,
        judge: new PlaybackJudge(model, source),
        morphs: new MorphJudge(scene, character),
        sharing: new SharingJudge(scene, character),
        bin,
        palette: inPlace ? (bin.view(palette) as Float32Array) : null,
        scratch: new Float32Array(inPlace ? 0 : (1 + model.poses.capacity) * rowFloats),
        warn,
        worst: null,
    };
    const clips: ManifestClip[] = [];
    for (const clip of plan.clips) clips.push(await bakeClip(target, clip));
    for (const warning of motionWarnings(plan, model)) warn(warning);

    const bytes = bin.finish();
    const skin = character.skins[0] ?? null;
    const placed = (node: number, column: number) => {
        return { node, name: scene.nodes[node]!.name, parent: model.parents[column]! };
    };
    const { from, to, renormalize, space, window } = recipe;
    const manifest: Manifest = {
        format: 'poselane-bake',
        version: 1,
        source: {
            name: scene.name,
            sha256: scene.sha256,
            ...(scene.clipFiles?.length ? { animations: scene.clipFiles } : {}),
        },
        recipe: {
            fps: plan.rate,
            end: window.end,
            space,
            kernel: STRICT_VERSION,
            attachments: recipe.attachments === 'none' ? 'none' : undefined,
            maxError: recipe.dtype === 'f16' ? allowedRounding(plan, model) : undefined,
            from,
            to,
            root: model.motion?.recipe,
            renormalize: renormalize || undefined,
            ...clipRecipeText(recipe),
        },
        binary: {
            uri: encodeURIComponent(`${stem}.bake.bin`),
            byteLength: bytes.byteLength,
            sha256: await sha256Of([bytes]),
        },
        skin:
            skin === null
                ? null
                : {
                      index: skin,
                      indices: character.skins.filter((one) => scene.skins[one]!.rescaling === undefined),
                      rescaled: target.sharing.stated,
                      root: model.rootSlot < 0 ? -1 : rig.slots[model.rootSlot]!.node,
                      joints: character.nodes.slice(0, character.joints).map(placed),
                  },
        attachments: character.attachments.map(({ node, mesh }, i) => {
            const column = character.joints + i;
            return { ...placed(node, column), mesh, column };
        }),
        extent: Math.fround(model.extent),
        clips,
        arrays: bin.arrays,
        warnings,
    };
    return { stem, skin, manifest, json: stringifyManifest(manifest), bin: bytes, worst: worstPlaceOf(target) };
}

function clipRecipeText({ clipRecipe }: Recipe): Partial<Manifest['recipe']> {
    if (clipRecipe === null) return {};
    const { rename, unmatched, retarget, feet, travel, roles } = clipRecipe;
    return {
        rename: rename.length > 0 ? Object.fromEntries(rename) : undefined,
        unmatched: unmatched === 'warn' ? unmatched : undefined,
        retarget: retarget === 'none' ? undefined : retarget,
        feet: feet === 'free' ? feet : undefined,
        travel: travel === 'keep' ? travel : undefined,
        roles: Object.keys(roles).length > 0 ? roles : undefined,
    };
}

/** The arrays of an output, in their order in the `.bin`. */
function arraysOf(plan: BakePlan, model: SkinModel, pivots: Float32Array | null): BakedArray[] {
    const { scene, recipe } = plan;
    const { rig, character, space } = model;
    const { emit, hitJoints } = recipe;
    const arrays: BakedArray[] = [];
    if (emit.has('palette')) arrays.push(paletteArray(character.nodes.length, recipe, pivots));
    if (emit.has('hit')) arrays.push(hitArray(rig, matchingJoints(hitNames(scene, character), hitJoints), space));
    if (emit.has('local')) arrays.push(localArray(rig, model.motion));
    if (emit.has('morph')) arrays.push(morphArray(scene.nodes, morphNodesOf(scene, character)));
    if (emit.has('bounds')) arrays.push(boundsArray(model));
    if (emit.has('root') && model.motion !== null) arrays.push(rootArray(model.motion));
    if (emit.has('jointBounds')) arrays.push(jointBoundsArray(model, plan.file));
    // Empty rows give no array, only a warning.
    return arrays.filter(({ row }) => numbersIn(row) > 0);
}
