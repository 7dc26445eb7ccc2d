// SPDX-License-Identifier: MIT

import { cached } from '../../base/cached';
import type { InputError } from '../../base/errors';
import { arrayAt, describe, extrasIn, indexAt, isObject, type JsonObject, nameOf, objectAt } from '../json';
import { catching, invalid, type Report, warn } from '../reading';
import type { ChannelPath, Interpolation } from '../scene';
import {
    type AccessorInfo,
    type AccessorTable,
    BYTE,
    expectFormat,
    FLOAT,
    type Format,
    SHORT,
    UNSIGNED_BYTE,
    UNSIGNED_INT,
    UNSIGNED_SHORT,
    warnStrided,
} from './accessors';
import type { MeshTable } from './meshes';
import type { CheckedNodes } from './nodes';
import { checkMatrixTarget, resolveTarget, type Target } from './targets';

export interface CheckedAnimation {
    readonly name: string;
    /** Empty if there is a `fault`. */
    readonly channels: readonly CheckedChannel[];
    readonly extras?: unknown;
    readonly fault?: InputError;
}

export interface CheckedChannel {
    readonly pointer: string;
    readonly node: number;
    readonly path: ChannelPath;
    readonly sampler: CheckedSampler;
}

export interface CheckedSampler {
    readonly pointer: string;
    readonly interpolation: Interpolation;
    readonly input: AccessorInfo;
    readonly output: AccessorInfo;
}

const TIMES: Format = { type: 'SCALAR', componentTypes: [FLOAT], normalized: false };
const SMALL_INTEGERS = [BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT];

/** The table of 3.11: only rotations and weights may be integers, and these must be normalized. */
const OUTPUTS: Readonly<Record<ChannelPath, Format>> = {
    translation: { type: 'VEC3', componentTypes: [FLOAT], normalized: true },
    rotation: { type: 'VEC4', componentTypes: [FLOAT, ...SMALL_INTEGERS], normalized: true },
    scale: { type: 'VEC3', componentTypes: [FLOAT], normalized: true },
    weights: { type: 'SCALAR', componentTypes: [FLOAT, ...SMALL_INTEGERS], normalized: true },
};

/** KHR_animation_pointer, "Output Accessor Component Types": any; integers need not be normalized. */
const POINTER_COMPONENTS = [FLOAT, ...SMALL_INTEGERS, UNSIGNED_INT];

const PATHS = Object.keys(OUTPUTS);

const INTERPOLATIONS: ReadonlySet<unknown> = new Set(['LINEAR', 'STEP', 'CUBICSPLINE']);

/** The data that animations are checked against. */
export interface AnimationContext {
    readonly json: JsonObject;
    readonly nodes: CheckedNodes;
    readonly meshes: MeshTable;
    readonly accessors: AccessorTable;
    readonly report: Report;
    readonly looseWeights: boolean;
    readonly looseClips: boolean;
}

function checkSampler(context: AnimationContext, value: unknown, pointer: string): CheckedSampler {
    const { report, accessors } = context;
    const sampler = objectAt(report, value, pointer);
    const { interpolation = 'LINEAR' } = sampler;
    if (!INTERPOLATIONS.has(interpolation)) {
        const need = 'must be LINEAR, STEP or CUBICSPLINE';
        invalid(report, `${pointer}/interpolation`, `${need}, is ${describe(interpolation)} (3.11)`);
    }
    const input = accessors(sampler.input, `${pointer}/input`);
    expectFormat(report, input, TIMES, `${pointer}/input`, '3.11');
    const output = accessors(sampler.output, `${pointer}/output`);
    for (const info of [input, output]) warnStrided(report, info);
    return { pointer, interpolation: interpolation as Interpolation, input, output };
}

function valuesAKey({ interpolation }: CheckedSampler): number {
    return interpolation === 'CUBICSPLINE' ? 3 : 1;
}

/** One value for each key, three for CUBICSPLINE (C.5). A value of weights has a number for each morph target. */
function checkOutput(
    { report }: AnimationContext,
    at: string,
    sampler: CheckedSampler,
    target: Target,
    morphs: number,
): void {
    const { input, output, interpolation } = sampler;
    const pointer = `${sampler.pointer}/output`;
    const format = OUTPUTS[target.path];
    const allowed = target.byPointer
        ? { type: format.type, componentTypes: POINTER_COMPONENTS, normalized: 'either' as const }
        : format;
    expectFormat(report, output, allowed, pointer, target.byPointer ? 'KHR_animation_pointer' : '3.11');
    const perKey = valuesAKey(sampler) * (target.path === 'weights' ? morphs : 1);
    const need = input.count * perKey;
    if (output.count !== need) {
        const keys = `${input.count} keys x ${perKey} for ${target.path} with ${interpolation}`;
        const rule = `accessor ${output.index} must have ${keys} = ${need}, has ${output.count} (3.11)`;
        invalid(report, pointer, `${rule}; ${at} moves node ${target.node} by it`);
    }
}

function checkAnimation(context: AnimationContext, value: unknown, pointer: string): CheckedAnimation {
    const { json, nodes, meshes, report, looseWeights } = context;
    const animation = objectAt(report, value, pointer);
    const samplers = arrayAt(report, animation.samplers, `${pointer}/samplers`);
    const checked = new Map<number, CheckedSampler>();
    /** Channels by node and path. */
    const targets = new Map<number, number>();
    const channels: CheckedChannel[] = [];
    const entries = arrayAt(report, animation.channels, `${pointer}/channels`);
    for (let index = 0; index < entries.length; index++) {
        const at = `${pointer}/channels/${index}`;
        const channel = objectAt(report, entries[index], at);
        const samplerAt = `${at}/sampler`;
        const number = indexAt(report, channel.sampler, samplers.length, samplerAt, `${pointer}/samplers`);
        const to = `${at}/target`;
        const target = resolveTarget(json, objectAt(report, channel.target, to), to, report);
        if (target === null) continue;
        const key = target.node * PATHS.length + PATHS.indexOf(target.path);
        const other = targets.get(key);
        if (other !== undefined) {
            invalid(report, to, `the same node and path as channel ${other}: each target at most once (3.11)`);
        }
        targets.set(key, index);
        checkMatrixTarget(nodes.nodes[target.node]!, target, to, report);
        const mesh = nodes.meshes[target.node]!;
        const isLoose = target.path === 'weights' && mesh === -1 && looseWeights;
        let morphs = target.path === 'weights' && mesh !== -1 ? meshes.morphTargets(mesh) : 0;
        if (target.path === 'weights' && morphs === 0 && !isLoose) {
            const message = `node ${target.node} has no morph targets that weights could move: ignored (3.11); export the targets, or remove the channel`;
            warn(report, 'CHANNEL_IGNORED', to, message);
            continue;
        }
        const sampler = cached(checked, number, () =>
            checkSampler(context, samplers[number], `${pointer}/samplers/${number}`),
        );
        if (isLoose) morphs = Math.max(1, Math.floor(sampler.output.count / sampler.input.count / valuesAKey(sampler)));
        checkOutput(context, at, sampler, target, morphs);
        channels.push({ pointer: at, node: target.node, path: target.path, sampler });
    }
    return { name: nameOf(animation.name), channels, ...extrasIn(animation, pointer, report) };
}

/** glTF 2.0, 3.11. Samplers that no channel uses are not checked. */
export function checkAnimations(context: AnimationContext): CheckedAnimation[] {
    const values = arrayAt(context.report, context.json.animations, '/animations');
    return values.map((value, index) => {
        const pointer = `/animations/${index}`;
        const check = () => checkAnimation(context, value, pointer);
        if (!context.looseClips) return check();
        return catching(context.report, pointer, check, (fault) => ({
            name: isObject(value) ? nameOf(value.name) : '',
            channels: [],
            fault,
        }));
    });
}
