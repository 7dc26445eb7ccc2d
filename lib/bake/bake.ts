// SPDX-License-Identifier: MIT

import { describe } from '../checks/views';
import { typeError, UsageError } from '../errors';
import { readGltf } from '../gltf/read';
import type { GltfScene, Warning } from '../gltf/scene';
import { type BakeHooks, Clock } from './clock';
import { type FrameRate, parseFps } from './fps';
import { planBake, refuseTooLarge } from './plan';
import { selectAnimations, selectSkins } from './select';
import { type BakeOutput, bakeSkin } from './skin';
import { withoutRepeats } from './warnings';

export interface BakeOptions {
    /** Frames per second: `30`, `29.97` (2997/100) or `'24000/1001'`. Default 30. */
    fps?: number | string;
    /** Animations by name, or by number as `#3`. Default: all. Whatever their order here, they are baked in file order. */
    clips?: readonly string[];
    /** Skin by number. Default: all, one output each. */
    skin?: number;
}

export interface BakeStats {
    readonly clips: number;
    /** Rows of each output. */
    readonly frames: number;
    /** Joints of each output. */
    readonly joints: readonly number[];
    /** Matrices of all outputs. */
    readonly jointFrames: number;
    /** For everything, reading included. */
    readonly milliseconds: number;
    /** For sampling, the hierarchy and the palette alone. */
    readonly evaluationMilliseconds: number;
}

export interface BakeResult {
    /** One for each skin, in file order. */
    readonly outputs: readonly BakeOutput[];
    readonly stats: BakeStats;
    /** Of all outputs, each once. */
    readonly warnings: readonly Warning[];
}

const DEFAULT_FPS = 30;
const OPTIONS: readonly string[] = ['fps', 'clips', 'skin'];

/**
 * Bakes the clips of a glTF file to palettes of skinning matrices, global joint x inverse bind in scene space.
 * Writes nothing: see `writeBake`. The same file and options give the same bytes on every machine.
 *
 * @param input Path of a `.glb` or `.gltf`.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for options of the wrong type, InputError for a file that cannot be read or baked,
 * UsageError for options that are wrong otherwise (before the file is read,
 * where they do not depend on it), the signal's reason once it is aborted.
 */
export async function bakeFile(input: string, options: BakeOptions = {}, hooks: BakeHooks = {}): Promise<BakeResult> {
    const started = performance.now();
    checkOptions(input, options);
    const rate = parseFps(options.fps ?? DEFAULT_FPS);
    hooks.signal?.throwIfAborted();
    const scene = await readGltf(input);
    return bake(scene, input, rate, options, hooks, started);
}

/** What TypeScript would refuse, for those who do without it. */
function checkOptions(input: unknown, options: BakeOptions): void {
    if (typeof input !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `bakeFile: input must be a path, got ${describe(input)}`);
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `bakeFile: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown !== undefined) {
        throw new UsageError(`bakeFile: there is no option ${unknown}, only ${OPTIONS.join(', ')}`);
    }
    const { fps, clips, skin } = options as { fps: unknown; clips: unknown; skin: unknown };
    if (fps !== undefined && typeof fps !== 'number' && typeof fps !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `bakeFile: options.fps must be a number or string, got ${describe(fps)}`);
    }
    if (clips !== undefined && !(Array.isArray(clips) && clips.every((clip) => typeof clip === 'string'))) {
        throw typeError(
            'ERR_ARGUMENT_TYPE',
            `bakeFile: options.clips must be a list of strings, got ${describe(clips)}`,
        );
    }
    if (skin !== undefined && typeof skin !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `bakeFile: options.skin must be a number, got ${describe(skin)}`);
    }
}

/**
 * The same for a scene that has been read already.
 *
 * @throws As `bakeFile`; messages name the file as `scene.name`.
 */
export async function bakeScene(
    scene: GltfScene,
    options: BakeOptions = {},
    hooks: BakeHooks = {},
): Promise<BakeResult> {
    const started = performance.now();
    return bake(scene, scene.name, parseFps(options.fps ?? DEFAULT_FPS), options, hooks, started);
}

async function bake(
    scene: GltfScene,
    file: string,
    rate: FrameRate,
    options: BakeOptions,
    hooks: BakeHooks,
    started: number,
): Promise<BakeResult> {
    hooks.signal?.throwIfAborted();
    const skins = selectSkins(scene, options.skin, file);
    const plan = planBake(scene, file, rate, selectAnimations(scene, options.clips, file));
    for (const skin of skins) refuseTooLarge(plan, skin);

    const clock = new Clock(hooks, plan.rows * skins.length);
    const stem = stemOf(scene.name);
    const onePair = scene.skins.length === 1 || options.skin !== undefined;
    const outputs: BakeOutput[] = [];
    for (const skin of skins) {
        outputs.push(await bakeSkin(plan, skin, onePair ? stem : `${stem}.skin${skin}`, clock));
    }
    const joints = outputs.map(({ manifest }) => manifest.skin.joints.length);
    return {
        outputs,
        stats: {
            clips: plan.clips.length,
            frames: plan.rows,
            joints,
            jointFrames: joints.reduce((sum, count) => sum + count * plan.rows, 0),
            milliseconds: performance.now() - started,
            evaluationMilliseconds: clock.evaluation,
        },
        warnings: withoutRepeats(outputs.flatMap(({ manifest }) => manifest.warnings)),
    };
}

/** `hero.glb` -> `hero`; a name that is all extension stays. */
function stemOf(name: string): string {
    const dot = name.lastIndexOf('.');
    return dot > 0 ? name.slice(0, dot) : name;
}
