// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import type { OptionTable } from '../../base/option-table';
import { CLIP_OPTIONS, type ClipOptions } from '../../clips/options';

/**
 * Options of a bake. A value of the wrong type is a TypeError `ERR_ARGUMENT_TYPE`. An unknown option, a value outside its range, and
 * options that contradict each other are a UsageError.
 */
export interface BakeOptions extends ClipOptions {
    /**
     * Frames per second: a number above 0 such as `30` or `29.97` (exactly 2997/100), or a fraction such as `'24000/1001'`.
     *
     * `'auto'` (the default): for each clip, the lowest whole rate from `minFps` to 240 at which rows, interpolated linearly, have an
     * error of at most `maxError` in every skin. Jumps (STEP keys between frames) do not count. A ToleranceError if no rate is high
     * enough for a given `maxError`.
     *
     * `'keys'`: the lowest whole rate from 24 to 60 that has a frame at every key of the baked clips. If there is none: 30.
     */
    fps?: number | string;
    /**
     * Minimum rate that `fps: 'auto'` gives a clip, for players that show the nearest row: a whole number up to 240. A clip whose
     * keys have a lower rate gets that rate. Default 15; 0 for no minimum.
     */
    minFps?: number;
    /**
     * Maximum error: a number in model units, or a text: `'0.5mm'`, `'2cm'`, `'0.01m'`, or `'1%'` of the extent. A model unit is one
     * meter (glTF 2.0, 3.4). Default: 1% between rows; half floats and 16-bit positions may take 0.1% of the extent.
     *
     * Only for `fps: 'auto'`, `dtype: 'f16'`, `layout: 'qts16'`, `godot: '3'` and `emit` with `'pvat'` or `'openvat'`; otherwise a
     * UsageError. With `'openvat'`, rate and rounding keep it together. A ToleranceError if the bake cannot be this exact.
     */
    maxError?: number | string;
    /** Names of animations, or `'#3'` for animation 3. The default is all of them. They are baked in file order. */
    clips?: readonly string[];
    /** Index of the only skin to bake. By default all skins are baked, with one output per palette. */
    skin?: number;
    /**
     * Which moving meshes without a skin get palette columns: `'all'` (the default), `'none'`, or those whose node has a matching name.
     * Another string is the source of a RegExp with the flag `u`.
     */
    attachments?: string | RegExp;
    /** Start of the baked part of every clip, seconds: 0 <= `from` < `to`. Default 0. A UsageError if a clip ends before it. */
    from?: number;
    /** End of the baked part of every clip, seconds. The default, and the maximum, is the end of each clip. */
    to?: number;
    /**
     * Treatment of a clip that is not a whole number of frames long. `'clamp'` shortens its last interval, `'fit'` every interval equally.
     * Default `'clamp'`; with `'pvat'`, `'openvat'` or `'godot'` in `emit` always `'fit'`.
     */
    end?: Choice<'end'>;
    /**
     * The contents of the bake. Default `['palette']`. `'glb'` and `'pvat'` are files of their own: a GLB with dense keys, and a vertex animation
     * texture. `'openvat'` and `'godot'` are folders of their own for engines (docs/engines.md). The others are arrays of the `.bin`;
     * docs/format.md has their shapes.
     */
    emit?: readonly Emit[];
    /** With `'openvat'` in `emit`: the format of its texture, half floats or floats (the default), or 16-bit integers. */
    openvat?: Choice<'openvat'>;
    /** With `'godot'` in `emit`: the version of the shader and the script. Default `'4'`. With `'3'` the rows are half floats, those of the palette too. */
    godot?: Choice<'godot'>;
    /**
     * Shape of a palette column. `'mat4'` (the default): a column-major 4x4 matrix, 16 numbers. `'mat3x4'`: a row-major 3x4 matrix,
     * 12 numbers. `'qts16'`: rotation, pivot and scale as 8 half floats; with unequal scale or shear, a 3x4 matrix as 12 (docs/format.md).
     *
     * `'qts16'` needs an error of at most `maxError`; otherwise a ToleranceError.
     */
    layout?: Choice<'layout'>;
    /**
     * Numbers of the palette: float32 (the default), or half floats. A ToleranceError if the error of half floats is above `maxError`.
     * `'qts16'` and `godot: '3'` always have half floats.
     */
    dtype?: Choice<'dtype'>;
    /** Space of palettes and hit joints: the scene (the default), or the root of the skin at rest. The latter needs a skin. */
    space?: Choice<'space'>;
    /**
     * With `'hit'` in `emit`: bake the joints whose name matches; without a skin, the attachments. A string is the source of a RegExp
     * with the flag `u`. Default: all.
     */
    hitJoints?: string | RegExp;
    /**
     * Root motion. `'keep'`: frames are as in the file. `'extract'`: it is baked as the array `root`, and removed from everything else.
     * `'in-place'`: it is removed. Default `'keep'`; with `'root'` in `emit`: `'extract'`.
     */
    root?: Choice<'root'>;
    /**
     * Name of the joint that carries root motion; without a skin, of an attachment. Default: the first joint of the first skin whose
     * parent is not a joint.
     */
    rootJoint?: string;
    /**
     * Which parts of root motion to extract or remove: on the ground and about the y axis (the default), everything, or only turns about
     * the y axis.
     */
    rootMotion?: Choice<'rootMotion'>;
    /** Whether to normalize rotation keys (LINEAR, STEP) first. Default false. */
    renormalize?: boolean;
    /** Maximum number of rows: frames of all clips. An InputError `OUTPUT_TOO_LARGE` above it. Default: no limit. */
    maxRows?: number;
    /**
     * Events to add to clips, by name or `'#3'`: names, and times in seconds of the animation. They follow those in `extras.events` and
     * `extras.markers` of the animation. A UsageError for a time outside of the clip.
     */
    events?: Readonly<Record<string, readonly ClipEvent[]>>;
    /** Whether the first warning becomes an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** Contents of a bake. `glb`, `pvat`, `openvat` and `godot` are files of their own; the others are arrays of the `.bin`, in this order. */
export type Emit = (typeof OWN_OPTIONS)['emit']['choices'][number];

type Choice<Option extends keyof typeof OWN_OPTIONS> = (typeof OWN_OPTIONS)[Option] extends {
    readonly choices: readonly (infer Value)[];
}
    ? Value
    : never;

const OWN_OPTIONS = {
    fps: {
        kind: 'rate',
        default: 'auto',
        value: '<rate>',
        help: 'frames per second: 30, 29.97, 30000/1001; auto: for each clip the lowest rate within --max-error; keys: the lowest rate up to 60 with a frame at every key, else 30',
    },
    minFps: {
        kind: 'whole',
        min: 0,
        value: '<number>',
        help: "minimum rate of --fps auto, or the rate of a clip's keys if that is lower; 0: none (default: 15)",
    },
    maxError: {
        kind: 'length',
        value: '<length>',
        help: 'maximum error for --fps auto, --dtype f16, --layout qts16, --godot 3 and --emit pvat or openvat: 0.5mm, 2cm, 1% of the extent, or a number in model units (default: 1%, rounding to 16 bits 0.1%)',
    },
    clips: { kind: 'texts', value: '<names>', help: 'bake only these clips: a,b or #3 by number; may repeat' },
    skin: { kind: 'whole', min: 0, value: '<number>', help: 'bake only this skin' },
    attachments: {
        kind: 'pattern',
        value: '<which>',
        help: 'which moving meshes without a skin get palette columns: all, none, or a regex for their names (default: all)',
    },
    from: { kind: 'number', value: '<seconds>', help: 'start of the baked part of every clip (default: 0)' },
    to: { kind: 'number', value: '<seconds>', help: 'end of the baked part of every clip (default: its end)' },
    end: {
        kind: 'choice',
        choices: ['clamp', 'fit'],
        value: '<how>',
        help: 'if a clip is not a whole number of frames long: shorten its last interval (clamp), or every interval (fit)',
    },
    emit: {
        kind: 'texts',
        choices: [
            'palette',
            'hit',
            'local',
            'morph',
            'bounds',
            'root',
            'jointBounds',
            'glb',
            'pvat',
            'openvat',
            'godot',
        ],
        value: '<list>',
        help: 'arrays and files to bake, separated by commas',
    },
    openvat: {
        kind: 'choice',
        choices: ['exr', 'png'],
        value: '<format>',
        help: 'with --emit openvat: format of the texture',
    },
    godot: {
        kind: 'choice',
        choices: ['4', '3'],
        value: '<version>',
        help: 'with --emit godot: version of the shader and the script; for 3, rows and palette are half floats',
    },
    layout: {
        kind: 'choice',
        choices: ['mat4', 'mat3x4', 'qts16'],
        value: '<layout>',
        help: 'shape of a palette column',
    },
    dtype: { kind: 'choice', choices: ['f32', 'f16'], value: '<type>', help: 'number format of the palette' },
    space: {
        kind: 'choice',
        choices: ['scene', 'skin-root'],
        value: '<space>',
        help: 'space of palettes and hit joints: the scene, or the root of the skin at rest',
    },
    hitJoints: {
        kind: 'pattern',
        value: '<regex>',
        help: 'with --emit hit: bake the joints whose name matches (default: all)',
    },
    root: {
        kind: 'choice',
        choices: ['keep', 'extract', 'in-place'],
        value: '<how>',
        help: 'root motion: keep it in the frames, extract it to an array (the default with --emit root), or remove it (in-place); of clips of other skeletons see also --travel',
    },
    rootJoint: {
        kind: 'text',
        value: '<name>',
        help: 'the joint that carries root motion (default: the first one without a parent joint)',
    },
    rootMotion: {
        kind: 'choice',
        choices: ['xz+yaw', 'xyz+rotation', 'yaw'],
        value: '<parts>',
        help: 'which parts of root motion to extract or remove',
    },
    renormalize: { kind: 'switch', help: 'normalize rotation keys first' },
    maxRows: { kind: 'whole', min: 1, value: '<number>', help: 'fail if the bake has more rows than this' },
    events: {
        kind: 'events',
        value: '<clip=name@seconds>',
        help: "an event of a clip, such as Walk=step@0.25; besides those in the file's extras; may repeat",
    },
    strict: { kind: 'switch', help: 'fail at the first warning' },
} as const satisfies OptionTable<Exclude<keyof BakeOptions, keyof ClipOptions>>;

/** How to check each option, and its flag. A new option needs an entry here and a member of `BakeOptions`. */
export const BAKE_OPTIONS = { ...OWN_OPTIONS, ...CLIP_OPTIONS };
