// SPDX-License-Identifier: MIT

import { describe } from '../../base/arguments';
import { namingOptions, type OptionNames, typeError, UsageError } from '../../base/errors';
import { type Length, readLength } from '../../base/length';
import { type Check, CLIP_TYPES, type ClipOptions, type ClipRecipe, clipRecipeOf } from '../../clips/options';
import type { FrameRate, RootParts } from '../../format/manifest';
import { QTS_FLOATS } from '../../format/qts';
import { parseFps } from './fps';
import type { Window } from './frames';

/** What a bake can hold; `glb` and `pvat` are files of their own, the others are arrays of the `.bin`, in this order. */
export type Emit = 'palette' | 'hit' | 'local' | 'morph' | 'bounds' | 'root' | 'jointBounds' | 'glb' | 'pvat';

/** What to bake. Unknown options are refused. */
export interface BakeOptions extends ClipOptions {
    /**
     * Frames per second: `30`, `29.97` (2997/100) or `'24000/1001'`. `'keys'` (the default): the lowest whole rate from 24
     * to 60 that meets every key of the clips that are baked, 30 where there is none. `'auto'`: for each clip the lowest
     * whole rate from 1 to 240 at which rows, interpolated linearly, are nowhere further off than `maxError`, in any skin.
     * How late jumps (STEP keys between frames) are shown is no part of that.
     */
    fps?: number | string;
    /**
     * For `fps: 'auto'`, `dtype: 'f16'`, `layout: 'qts16'` and `pvat`: the maximum error allowed, a number in the model's units, or a text:
     * `'0.5mm'`, `'2cm'`, `'0.01m'` (a unit of the model is a meter, glTF 2.0, 3.4), or `'0.1%'` of the extent, the default.
     */
    maxError?: number | string;
    /** Animations by name, or by number as `#3`. Default: all. Whatever their order here, they are baked in file order. */
    clips?: readonly string[];
    /** Skin by number. Default: all, one output for each palette. */
    skin?: number;
    /** Whether meshes without a skin that move have columns of the palette, too: `'all'` (the default) or `'none'`. */
    attachments?: 'all' | 'none';
    /** Where the part of every clip that is baked begins, seconds: 0 <= `from` < `to`; a `to` beyond the end of a clip is its end. */
    from?: number;
    /** The end of that part, seconds. Default: the end of each clip. */
    to?: number;
    /** Where a clip is no whole number of frames long: `'clamp'` shortens the last interval (the default), `'fit'` all (of `pvat` the only one). */
    end?: 'clamp' | 'fit';
    /** What to bake. Default: `['palette']`. */
    emit?: readonly Emit[];
    /**
     * Of the palette: column-major 4x4 matrices (the default); row-major 3x4, a quarter smaller; `'qts16'`: rotation, pivot and uniform
     * scale in half floats, a quarter of the size, refused where scale is not uniform and where it is further off than `maxError`.
     */
    layout?: 'mat4' | 'mat3x4' | 'qts16';
    /** Of the palette: float32 (the default), or half floats, refused where they are further off than `maxError`; those `'qts16'` has always. */
    dtype?: 'f32' | 'f16';
    /** Where palettes and hit joints place things: in the scene (the default), or relative to the skin's root at rest, which needs a skin. */
    space?: 'scene' | 'skin-root';
    /** With `hit`: joints (without a skin, attachments) whose name matches; a string is the source of a RegExp with the flag `u`. Default: all. */
    hitJoints?: string | RegExp;
    /**
     * Root motion. `'keep'` (the default): frames are as in the file. `'extract'` (the default where `emit` has `'root'`): it is baked as the
     * array `root`, and taken out of everything else. `'in-place'`: it is taken out.
     */
    root?: 'keep' | 'extract' | 'in-place';
    /** The joint (without a skin, attachment) that carries root motion. Default: the first of the first skin without one above it. */
    rootJoint?: string;
    /** What of its motion counts: over the ground and about the y axis (the default), or all of it. */
    rootMotion?: RootParts;
    /** Whether rotation keys (LINEAR, STEP) are brought to unit length before anything else. Default false. */
    renormalize?: boolean;
    /** Refuse to bake more rows, frames of all clips, than these. Default: no limit. */
    maxRows?: number;
    /** Whether a warning is an error: an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** Options that have been checked, with every default in its place. */
export interface Recipe {
    readonly rate: FrameRate | 'keys' | 'auto';
    /** Null: 1e-3 of the extent, which may be exceeded with a warning where a rate is searched for. */
    readonly maxError: Length | null;
    readonly clips: readonly string[] | undefined;
    readonly animations: ClipOptions['animations'];
    /** Null where there are no clips of other files. */
    readonly clipRecipe: ClipRecipe | null;
    readonly skin: number | undefined;
    readonly attachments: 'all' | 'none';
    readonly window: Window;
    /** As given; for the manifest. */
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly emit: ReadonlySet<Emit>;
    readonly layout: NonNullable<BakeOptions['layout']>;
    readonly dtype: 'f32' | 'f16';
    readonly space: 'scene' | 'skin-root';
    readonly hitJoints: RegExp | null;
    /** Null where root motion is neither taken out nor baked. */
    readonly root: RootRecipe | null;
    readonly renormalize: boolean;
    readonly maxRows: number;
    readonly strict: boolean;
}

const ARRAYS: readonly Emit[] = ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'];

/** Those that are files of the whole input, and need it as it is on disk. */
export const OWN_FILES: readonly Emit[] = ['glb', 'pvat'];

/** Whether there is more than files of the whole input: manifests and bins. */
export function hasArrays(emit: ReadonlySet<Emit>): boolean {
    return [...emit].some((name) => !OWN_FILES.includes(name));
}

/** Whether an output has morph weights, or vertices that they move. */
export function hasWeights(emit: ReadonlySet<Emit>): boolean {
    return emit.has('morph') || emit.has('glb') || emit.has('pvat');
}

export const EMITS: readonly Emit[] = [...ARRAYS, ...OWN_FILES];

/** How many numbers a column of the palette has. */
export const COLUMN_NUMBERS: Readonly<Record<Recipe['layout'], number>> = { mat4: 16, mat3x4: 12, qts16: QTS_FLOATS };

/** What is done about root motion. */
export interface RootRecipe {
    readonly mode: 'keep' | 'extract' | 'in-place';
    /** Name of the joint; null for the first without one above it. */
    readonly joint: string | null;
    readonly motion: RootParts;
}

const isNumber = (value: unknown) => typeof value === 'number';
const isString = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const areStrings = (value: unknown) => Array.isArray(value) && value.every(isString);

/** What TypeScript would refuse, for those who do without it. */
const TYPES: Readonly<Record<keyof BakeOptions, Check>> = {
    fps: ['a number or string', (value) => isNumber(value) || isString(value)],
    maxError: ['a number or string', (value) => isNumber(value) || isString(value)],
    clips: ['a list of strings', areStrings],
    skin: ['a number', isNumber],
    attachments: ['a string', isString],
    from: ['a number', isNumber],
    to: ['a number', isNumber],
    end: ['a string', isString],
    emit: ['a list of strings', areStrings],
    layout: ['a string', isString],
    dtype: ['a string', isString],
    space: ['a string', isString],
    hitJoints: ['a string or RegExp', (value) => isString(value) || isRegExp(value)],
    root: ['a string', isString],
    rootJoint: ['a string', isString],
    rootMotion: ['a string', isString],
    renormalize: ['true or false', isBoolean],
    maxRows: ['a number', isNumber],
    strict: ['true or false', isBoolean],
    ...CLIP_TYPES,
};

const CHOICES = {
    attachments: ['all', 'none'],
    end: ['clamp', 'fit'],
    layout: ['mat4', 'mat3x4', 'qts16'],
    dtype: ['f32', 'f16'],
    space: ['scene', 'skin-root'],
    root: ['keep', 'extract', 'in-place'],
    rootMotion: ['xz+yaw', 'xyz+rotation'],
} as const;

/**
 * Checks options.
 *
 * @param routine For messages.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for what is of the wrong type, UsageError for what is wrong otherwise.
 */
export function recipeOf(routine: string, options: BakeOptions): Recipe {
    checkTypes(routine, options);
    const named = emitOf(options.emit);
    const root = rootOf(options, named);
    const emit = root?.mode === 'extract' ? emitOf([...named, 'root']) : named;
    const { fps = 'keys', maxError, clips, skin, from, to, maxRows } = options;
    const rate = fps === 'keys' || fps === 'auto' ? fps : parseFps(fps);
    const end = choose('end', options.end ?? (emit.has('pvat') ? 'fit' : undefined));
    const layout = choose('layout', options.layout);
    const dtype = layout === 'qts16' ? 'f16' : choose('dtype', options.dtype);
    if (layout === 'qts16' && choose('dtype', options.dtype ?? 'f16') !== 'f16') {
        throw usage(
            (name) => `${name('dtype')}: '${options.dtype}' cannot be: ${name('layout')} 'qts16' is half floats`,
        );
    }
    const space = choose('space', options.space);
    if (!emit.has('palette') && (layout !== 'mat4' || dtype !== 'f32')) {
        const [option, value] = layout !== 'mat4' ? ['layout', layout] : ['dtype', dtype];
        throw usage((name) => `${name(option)}: '${value}' is about the palette, which ${name('emit')} leaves out`);
    }
    const length = maxError === undefined ? null : readLength('maxError', maxError);
    if (length !== null) {
        if (rate !== 'auto' && dtype !== 'f16' && !emit.has('pvat')) {
            throw usage((name) => {
                const halves = `${name('dtype')} 'f16', ${name('layout')} 'qts16'`;
                const needs = `only for ${name('fps')} 'auto', ${halves} and ${name('emit')} 'pvat'`;
                return `${name('maxError')}: it decides nothing here: ${needs}`;
            });
        }
    }
    if (emit.has('pvat') && space !== 'scene') {
        throw usage((name) => `${name('space')}: '${space}' is not for ${name('emit')} 'pvat', which is in the scene`);
    }
    if (emit.has('pvat') && root !== null && root.mode !== 'keep') {
        throw usage((name) => {
            const what = `${name('root')}: '${root.mode}' is not for ${name('emit')} 'pvat', which has no root motion`;
            const why = `; ${name('emit')} 'root' means it: add ${name('root')} 'keep'`;
            return options.root === undefined ? what + why : what;
        });
    }
    if (emit.has('pvat') && end !== 'fit') {
        throw usage(
            (name) => `${name('end')}: '${end}' is not for ${name('emit')} 'pvat', whose rows are at even distances`,
        );
    }
    if (clips?.length === 0)
        throw usage((name) => `${name('clips')}: the list is empty; leave it out to bake all clips`);
    if (skin !== undefined && !(Number.isInteger(skin) && skin >= 0)) {
        throw usage((name) => `${name('skin')}: ${skin} is no number of a skin: needs a whole number from 0 up`);
    }
    if (maxRows !== undefined && !(Number.isInteger(maxRows) && maxRows > 0)) {
        throw usage((name) => `${name('maxRows')}: ${maxRows} is no number of rows: needs a whole number from 1 up`);
    }
    return {
        rate,
        maxError: length,
        clips,
        animations: options.animations,
        clipRecipe: clipRecipeOf(options),
        skin,
        attachments: choose('attachments', options.attachments),
        window: { ...windowOf(from, to), end },
        from,
        to,
        emit,
        layout,
        dtype,
        space,
        hitJoints: hitJointsOf(options.hitJoints, emit),
        root,
        renormalize: options.renormalize ?? false,
        maxRows: maxRows ?? Infinity,
        strict: options.strict ?? false,
    };
}

function checkTypes(routine: string, options: BakeOptions): void {
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options must be an object, got ${describe(options)}`);
    }
    for (const key of Object.keys(options)) {
        if (!Object.hasOwn(TYPES, key)) {
            throw new UsageError(`${routine}: there is no option ${key}, only ${Object.keys(TYPES).join(', ')}`);
        }
        const value = options[key as keyof BakeOptions];
        const [needs, holds] = TYPES[key as keyof BakeOptions];
        if (value === undefined || holds(value)) continue;
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.${key} must be ${needs}, got ${describe(value)}`);
    }
}

function emitOf(emit: readonly string[] = ['palette']): Set<Emit> {
    for (const name of emit) if (!EMITS.includes(name as Emit)) throw notAmong('emit', name, EMITS);
    if (emit.length === 0)
        throw usage((name) => `${name('emit')}: the list is empty; it needs one of ${EMITS.join(', ')} at least`);
    return new Set(EMITS.filter((name) => emit.includes(name)));
}

function choose<Option extends keyof typeof CHOICES>(
    option: Option,
    value: string | undefined,
): (typeof CHOICES)[Option][number] {
    const choices: readonly string[] = CHOICES[option];
    if (value === undefined) return CHOICES[option][0];
    if (!choices.includes(value)) throw notAmong(option, value, choices);
    return value as (typeof CHOICES)[Option][number];
}

function notAmong(option: string, value: string, choices: readonly string[]): UsageError {
    return usage((name) => `${name(option)}: there is no '${value}', only ${choices.join(', ')}`);
}

function windowOf(from = 0, to = Infinity): { from: number; to: number } {
    if (!(from >= 0 && from < Infinity))
        throw usage((name) => `${name('from')}: ${from} is no time in a clip: needs seconds from 0 up`);
    if (!(to > from)) {
        throw usage((name) => `${name('to')}: ${to} must be above ${from}, where the part that is baked begins`);
    }
    return { from, to };
}

function hitJointsOf(hitJoints: string | RegExp | undefined, emit: ReadonlySet<Emit>): RegExp | null {
    if (hitJoints === undefined) return null;
    if (!emit.has('hit')) {
        throw usage((name) => `${name('hitJoints')}: it decides nothing here: only where ${name('emit')} has 'hit'`);
    }
    try {
        // A RegExp that searches on from where it was (g, y) would give every other joint.
        if (typeof hitJoints !== 'string') return new RegExp(hitJoints.source, hitJoints.flags.replace(/[gy]/g, ''));
        return new RegExp(hitJoints, 'u');
    } catch (error) {
        const why = (error as Error).message;
        throw usage((name) => `${name('hitJoints')}: '${String(hitJoints)}' is not a regular expression: ${why}`);
    }
}

function rootOf(options: BakeOptions, emit: ReadonlySet<Emit>): RootRecipe | null {
    const { rootJoint } = options;
    const mode = choose('root', options.root ?? (emit.has('root') ? 'extract' : undefined));
    const motion = choose('rootMotion', options.rootMotion);
    if (mode === 'in-place' && emit.has('root')) {
        throw usage(
            (name) => `${name('root')}: 'in-place' leaves out the array that ${name('emit')} names: use 'extract'`,
        );
    }
    if (mode === 'in-place' && emit.size === 1 && emit.has('glb')) {
        throw usage(
            (name) => `${name('root')}: it decides nothing here: the clips of ${name('emit')} 'glb' keep their motion`,
        );
    }
    if (mode !== 'keep' || emit.has('root')) return { mode, joint: rootJoint ?? null, motion };
    for (const option of ['rootJoint', 'rootMotion'] as const) {
        if (options[option] === undefined) continue;
        throw usage(
            (name) => `${name(option)}: it decides nothing here: only for ${name('root')} 'extract' and 'in-place'`,
        );
    }
    return null;
}

function usage(message: (name: OptionNames) => string): UsageError {
    return namingOptions((name) => new UsageError(message(name)));
}

/** Those of another realm, too. */
function isRegExp(value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object RegExp]';
}
