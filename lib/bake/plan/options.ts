// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import { type Length, readLength } from '../../base/length';
import { checkTableOptions, readPattern, usage } from '../../base/option-table';
import { type ClipOptions, type ClipRecipe, clipRecipeOf } from '../../clips/options';
import type { FrameRate, RootParts } from '../../format/manifest';
import { QTS_FLOATS } from '../../format/qts';
import { parseFps } from './fps';
import type { Window } from './frames';
import { BAKE_OPTIONS, type BakeOptions, type Emit } from './option-table';

export type { BakeOptions, Emit } from './option-table';

/** Checked options, with defaults. */
export interface Recipe {
    readonly rate: FrameRate | 'keys' | 'auto';
    /** Minimum of the rates that `auto` finds. */
    readonly minFps: number;
    /** Null if not given: see `allowedError` and `allowedRounding`. A search for a rate may exceed the default with a warning. */
    readonly maxError: Length | null;
    readonly clips: readonly string[] | undefined;
    readonly animations: ClipOptions['animations'];
    /** Null without clips of other files. */
    readonly clipRecipe: ClipRecipe | null;
    readonly skin: number | undefined;
    readonly attachments: 'all' | 'none' | RegExp;
    readonly window: Window;
    /** As given, for the manifest. */
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly emit: ReadonlySet<Emit>;
    readonly layout: 'mat4' | 'mat3x4' | 'qts16';
    readonly dtype: 'f32' | 'f16';
    readonly space: 'scene' | 'skin-root';
    readonly hitJoints: RegExp | null;
    readonly openvat: 'exr' | 'png';
    readonly godot: '4' | '3';
    /** Null if root motion is neither removed nor baked. */
    readonly root: RootRecipe | null;
    readonly renormalize: boolean;
    readonly maxRows: number;
    readonly strict: boolean;
    /** Events to add, by clip; as given, for the manifest. */
    readonly events: Readonly<Record<string, readonly ClipEvent[]>>;
}

export interface RootRecipe {
    readonly mode: 'keep' | 'extract' | 'in-place';
    /** Name of the joint. Null for the first joint without a parent joint. */
    readonly joint: string | null;
    readonly motion: RootParts;
}

/** The highest rate that `auto` tries. */
export const MAX_AUTO_FPS = 240;
/** Below it, players that show the nearest row look jerky. */
const DEFAULT_MIN_FPS = 15;

export const EMITS: readonly Emit[] = BAKE_OPTIONS.emit.choices;

/** Contents with files of their own, for the whole input. They need the input as it is on disk. */
export const OWN_FILES = ['glb', 'pvat', 'openvat', 'godot'] as const satisfies readonly Emit[];
export type OwnFile = (typeof OWN_FILES)[number];

/** Names of these files, in the order in which they are made. */
export function ownNames(
    { openvat, godot }: Pick<Recipe, 'openvat' | 'godot'>,
    emit: OwnFile,
    stem: string,
): readonly string[] {
    if (emit === 'glb') return [`${stem}.baked.glb`];
    if (emit === 'pvat') return [`${stem}.baked.vat`];
    const names =
        emit === 'openvat'
            ? [`${stem}_vat.${openvat}`, `${stem}-remap_info.json`]
            : [`${stem}_palette.exr`, `${stem}.${godot === '3' ? 'shader' : 'gdshader'}`, `${stem}.gd`];
    return [`${stem}.glb`, ...names].map((name) => `${stem}_${emit === 'openvat' ? 'vat' : 'godot'}/${name}`);
}

/** These have one row for each frame of all clips, in the space of the scene, and frames of equal length. */
const SAMPLED = ['pvat', 'openvat', 'godot'] as const satisfies readonly Emit[];

/** Whether files of their own need the playback error of palettes. */
export function hasSampled(emit: ReadonlySet<Emit>): boolean {
    return SAMPLED.some((name) => emit.has(name));
}

export function hasArrays(emit: ReadonlySet<Emit>): boolean {
    return [...emit].some((name) => !(OWN_FILES as readonly Emit[]).includes(name));
}

/** Whether a bake has the vertices of each frame, which morph targets move. */
export function hasMovedVertices(emit: ReadonlySet<Emit>): boolean {
    return emit.has('pvat') || emit.has('openvat');
}

/** Whether a bake has morph weights, or vertices that they move. */
export function hasWeights(emit: ReadonlySet<Emit>): boolean {
    return emit.has('morph') || emit.has('glb') || hasMovedVertices(emit);
}

export const COLUMN_NUMBERS: Readonly<Record<Recipe['layout'], number>> = { mat4: 16, mat3x4: 12, qts16: QTS_FLOATS };

/**
 * Checks options and fills in defaults.
 *
 * @param routine The function's name, for messages.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError.
 */
export function recipeOf(routine: string, options: BakeOptions): Recipe {
    checkTableOptions(routine, BAKE_OPTIONS, options);
    const { fps = BAKE_OPTIONS.fps.default, from, to, layout = 'mat4', space = 'scene' } = options;
    const named = inOrder(options.emit ?? ['palette']);
    const root = rootOf(options, named);
    const emit = root?.mode === 'extract' ? inOrder([...named, 'root']) : named;
    const rate = fps === 'keys' || fps === 'auto' ? fps : parseFps(fps);
    const halves = layout === 'qts16' || isGodot3({ emit, godot: options.godot });
    const dtype = options.dtype ?? (halves ? 'f16' : 'f32');
    const sampled = SAMPLED.find((name) => emit.has(name));
    const end = options.end ?? (sampled ? 'fit' : 'clamp');
    checkPalette(options, layout, dtype, emit);
    if (sampled) checkSampled(options, sampled, space, end, root);
    checkMixing(layout, emit);
    for (const option of ['openvat', 'godot'] as const) {
        if (options[option] === undefined || emit.has(option)) continue;
        throw usage(
            (name) => `${name(option)} has no effect without ${name('emit')} '${option}'; add it, or leave it out`,
        );
    }
    return {
        rate,
        minFps: minFpsOf(options, rate),
        maxError: maxErrorOf(options, rate, dtype, emit),
        clips: options.clips,
        animations: options.animations,
        clipRecipe: clipRecipeOf(options),
        skin: options.skin,
        attachments: attachmentsOf(options.attachments),
        window: { ...windowOf(from, to), end },
        from,
        to,
        emit,
        layout,
        dtype,
        space,
        hitJoints: hitJointsOf(options.hitJoints, emit),
        openvat: options.openvat ?? 'exr',
        godot: options.godot ?? '4',
        root,
        renormalize: options.renormalize ?? false,
        maxRows: options.maxRows ?? Infinity,
        strict: options.strict ?? false,
        events: eventsOf(options.events),
    };
}

function attachmentsOf(which: BakeOptions['attachments'] = 'all'): Recipe['attachments'] {
    return which === 'all' || which === 'none' ? which : readPattern('attachments', which);
}

/** Copies, without other members. */
function eventsOf(events: BakeOptions['events'] = {}): Recipe['events'] {
    const copies = Object.entries(events).map(([clip, list]) => [clip, list.map(({ name, time }) => ({ name, time }))]);
    return Object.fromEntries(copies);
}

function inOrder(emit: readonly Emit[]): Set<Emit> {
    return new Set(EMITS.filter((name) => emit.includes(name)));
}

/** Godot 3 reads EXR as half floats, so rows are rounded to them. */
export function isGodot3({ emit, godot }: { readonly emit: ReadonlySet<Emit>; readonly godot?: string }): boolean {
    return emit.has('godot') && godot === '3';
}

function checkPalette(
    { godot }: BakeOptions,
    layout: Recipe['layout'],
    dtype: Recipe['dtype'],
    emit: ReadonlySet<Emit>,
): void {
    const halves = layout === 'qts16' ? 'layout' : isGodot3({ emit, godot }) ? 'godot' : null;
    if (halves !== null && dtype === 'f32') {
        const value = halves === 'layout' ? layout : godot;
        throw usage(
            (name) => `${name('dtype')} is 'f32', but ${name(halves)} '${value}' has half floats; leave it out`,
        );
    }
    if (emit.has('palette') || (layout === 'mat4' && (dtype === 'f32' || halves === 'godot'))) return;
    const [option, value] = layout === 'mat4' ? ['dtype', dtype] : ['layout', layout];
    throw usage((name) => {
        const rule = `only the palette has a ${option}; add 'palette' to ${name('emit')}, or leave it out`;
        return `${name(option)} is '${value}', but ${rule}`;
    });
}

function checkSampled(
    options: BakeOptions,
    emit: Emit,
    space: Recipe['space'],
    end: Window['end'],
    root: RootRecipe | null,
): void {
    const refuse = (option: string, value: string, fix: string) => {
        throw usage((name) => `${name(option)} is '${value}', but ${name('emit')} '${emit}' needs '${fix}'`);
    };
    if (space !== 'scene') refuse('space', space, 'scene');
    if (end !== 'fit') refuse('end', end, 'fit');
    if (root === null || root.mode === 'keep') return;
    if (options.root !== undefined) refuse('root', root.mode, 'keep');
    throw usage((name) => `${name('emit')} has 'root' and '${emit}', which needs ${name('root')} 'keep'; add it`);
}

/** The stated error of these is that of rows which are mixed linearly. */
function checkMixing(layout: Recipe['layout'], emit: ReadonlySet<Emit>): void {
    const linear = (['openvat', 'godot'] as const).find((one) => emit.has(one));
    if (linear === undefined || layout !== 'qts16') return;
    throw usage((name) => {
        const rule = `${name('emit')} '${linear}' needs rows that are mixed linearly; use 'mat3x4', or bake twice`;
        return `${name('layout')} is 'qts16', but ${rule}`;
    });
}

function minFpsOf({ minFps }: BakeOptions, rate: Recipe['rate']): number {
    if (minFps === undefined) return DEFAULT_MIN_FPS;
    if (minFps > MAX_AUTO_FPS)
        throw usage((name) => `${name('minFps')} is ${minFps}; it must be at most ${MAX_AUTO_FPS}`);
    if (rate === 'auto') return minFps;
    throw usage((name) => `${name('minFps')} has no effect without ${name('fps')} 'auto'; leave it out`);
}

function maxErrorOf(
    { maxError }: BakeOptions,
    rate: Recipe['rate'],
    dtype: Recipe['dtype'],
    emit: ReadonlySet<Emit>,
): Length | null {
    if (maxError === undefined) return null;
    const length = readLength('maxError', maxError);
    if (rate === 'auto' || dtype === 'f16' || hasMovedVertices(emit)) return length;
    throw usage((name) => {
        const needs = `${name('fps')} 'auto', ${name('dtype')} 'f16', ${name('layout')} 'qts16', ${name('emit')} 'pvat' or 'openvat' or ${name('godot')} '3'`;
        return `${name('maxError')} has no effect without ${needs}; add one of them, or leave it out`;
    });
}

function windowOf(from = 0, to = Infinity): { from: number; to: number } {
    if (!(from >= 0 && from < Infinity)) {
        throw usage((name) => `${name('from')} is ${from}; it must be 0 or more seconds`);
    }
    if (!(to > from)) throw usage((name) => `${name('to')} is ${to}; it must be greater than ${name('from')}, ${from}`);
    return { from, to };
}

function hitJointsOf(hitJoints: string | RegExp | undefined, emit: ReadonlySet<Emit>): RegExp | null {
    if (hitJoints === undefined) return null;
    if (emit.has('hit')) return readPattern('hitJoints', hitJoints);
    throw usage(
        (name) => `${name('hitJoints')} has no effect without ${name('emit')} 'hit'; add it, or leave this out`,
    );
}

function rootOf(options: BakeOptions, emit: ReadonlySet<Emit>): RootRecipe | null {
    const { root: mode = emit.has('root') ? 'extract' : 'keep', rootJoint, rootMotion = 'xz+yaw' } = options;
    if (mode === 'in-place' && emit.has('root')) {
        throw usage((name) => `${name('root')} is 'in-place', but ${name('emit')} has 'root'; use 'extract'`);
    }
    if (mode === 'in-place' && emit.size === 1 && emit.has('glb')) {
        throw usage((name) => {
            const fix = 'whose clips keep their motion; add another, or leave it out';
            return `${name('root')} 'in-place' has no effect on ${name('emit')} 'glb', ${fix}`;
        });
    }
    if (mode !== 'keep' || emit.has('root')) return { mode, joint: rootJoint ?? null, motion: rootMotion };
    for (const option of ['rootJoint', 'rootMotion'] as const) {
        if (options[option] === undefined) continue;
        throw usage((name) => {
            const needs = `${name('root')} 'extract' or 'in-place'`;
            return `${name(option)} has no effect without ${needs}; add one, or leave it out`;
        });
    }
    return null;
}
