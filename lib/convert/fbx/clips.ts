// SPDX-License-Identifier: MIT

/** Clips of an FBX file: one for each stack. */

import { clipWriter, type Document, type Path } from '../document';
import { below, fewKeys, type Samples } from '../keys';
import { type BabylonScene, type Key, MARK, type Node } from './babylon';
import { shapeWeights, type Target } from './geometry';
import type { Fbx, FbxStack } from './types';

type GltfNode = ReturnType<Document['createNode']>;

/** A mesh with blend shapes. */
export interface Morphed {
    readonly node: GltfNode;
    readonly targets: readonly Target[];
    readonly shapes: Fbx['blendShapes'];
}

/** The nodes of the document, and what their clips need. */
export interface Converted {
    readonly document: Document;
    readonly nodes: ReadonlyMap<Node, GltfNode>;
    readonly morphed: readonly Morphed[];
    /** Meters of a unit of the file. */
    readonly unit: number;
    /** Diagonal of the box of all vertices in the bind pose, or of the nodes without vertices. Meters. */
    readonly extent: number;
}

/** Maximum error that a channel may add, as a share of the extent. */
const ERROR = 1e-5;

const nodesOf = ({ curveNodes }: FbxStack) => new Set(curveNodes.map(({ targetModelId }) => targetModelId));

const PATHS: Readonly<Partial<Record<string, Path>>> = {
    position: 'translation',
    rotationQuaternion: 'rotation',
    scaling: 'scale',
};

export function addClips(converted: Converted, scene: BabylonScene): void {
    const { document, nodes, extent, unit } = converted;
    for (const stack of scene.fbx.animations) {
        const timing = { jumps: jumpsOf(stack), shift: shiftOf(stack, scene.fbx.frameRate) };
        const animation = document.createAnimation(stack.name);
        const add = clipWriter(document, animation);
        const done = new Map<Node, Set<Path>>();
        for (const { animation: given, target } of scene.groups.get(stack)?.targetedAnimations ?? []) {
            const node = target as Node;
            const made = nodes.get(node);
            const path = PATHS[given.targetProperty];
            if (made === undefined || path === undefined) continue;
            const samples = samplesOf(given.getKeys(), given.framePerSecond, path, unit, timing);
            if (samples.times.length === 0) continue;
            done.set(node, (done.get(node) ?? new Set()).add(path));
            add(made, path, fewKeys(samples, toleranceOf(path, extent, node, nodes)));
        }
        const starts = animation.listSamplers().map((sampler) => sampler.getInput()!.getElement(0, [])[0]!);
        const start = starts.reduce((min, time) => Math.min(min, time), Infinity);
        if (Number.isFinite(start)) {
            // On the rig of another file they count.
            for (const node of keyedNodes(stack, scene)) {
                const made = nodes.get(node)!;
                for (const path of ['translation', 'rotation', 'scale'] as const) {
                    if (done.get(node)?.has(path)) continue;
                    const value =
                        path === 'translation'
                            ? made.getTranslation()
                            : path === 'rotation'
                              ? made.getRotation()
                              : made.getScale();
                    add(made, path, { times: [start], values: value });
                }
            }
        }
        for (const morphed of converted.morphed) {
            const samples = weightSamples(stack, scene, morphed, timing);
            if (samples === null) continue;
            const reach =
                Math.max(...morphed.targets.map((target) => target.reach)) * scaleOf(morphed.node.getWorldMatrix());
            add(morphed.node, 'weights', fewKeys(samples, (ERROR * extent) / (reach * morphed.targets.length || 1)));
        }
        if (animation.listChannels().length === 0) animation.dispose();
    }
}

/** The nodes of models with keys, and the helpers above them that the loader adds. */
function keyedNodes(stack: FbxStack, { nodeOf, nodes }: BabylonScene): Set<Node> {
    const own = new Set(nodeOf.values());
    const found = [...nodesOf(stack)].flatMap((id) => nodeOf.get(id) ?? []);
    const [root, axes] = nodes;
    const helpers = found.map(({ parent }) => parent as Node | null).filter((parent) => parent && !own.has(parent));
    return new Set([...(helpers as Node[]).filter((node) => node !== root && node !== axes), ...found]);
}

interface Timing {
    /** Times at which a curve has held a value and takes another one: in between, it would be interpolated. */
    readonly jumps: readonly number[];
    /** Seconds by which keys move, because glTF has no times below 0. */
    readonly shift: number;
}

/** The first time of a clip. */
export function startOf({ startTime, stopTime, curveNodes }: FbxStack): number {
    const keys = curveNodes.flatMap(({ curves }) => curves.flatMap((curve) => curve.keys.map(({ time }) => time)));
    return stopTime > startTime || keys.length === 0 ? startTime : keys.reduce((a, b) => Math.min(a, b));
}

/** A clip that begins up to this many frames before 0 keeps its times, without these frames. */
const CUT = 2.5;

/** Seconds by which a clip has to move, because glTF has no times below 0. */
export function shiftOf(stack: FbxStack, frameRate: number): number {
    const early = -startOf(stack);
    return early * frameRate > CUT ? early : 0;
}

/** The part from 0 on. */
function fromZero({ times, values, held }: Required<Samples>): Required<Samples> {
    const first = times.findIndex((time) => time > -SAME_TIME);
    if (first <= 0) return { times, values, held };
    const [before, after] = [times[first - 1]!, times[first]!];
    const part = after < SAME_TIME ? 1 : -before / (after - before);
    const start = values[first]!.map((x, c) => values[first - 1]![c]! + (x - values[first - 1]![c]!) * part);
    const rest = part === 1 ? first + 1 : first;
    return {
        times: [0, ...times.slice(rest)],
        values: [start, ...values.slice(rest)],
        held: [held[rest - 1]!, ...held.slice(rest)],
    };
}

function jumpsOf({ curveNodes }: FbxStack): number[] {
    const times = curveNodes.flatMap(({ curves }) =>
        curves.flatMap(({ keys }) => {
            const jumps = keys.filter((key, i) => {
                const before = keys[i - 1];
                return before?.interpolation === 'constant' && before.value !== key.value;
            });
            return jumps.map(({ time }) => time);
        }),
    );
    return [...new Set(times)].sort((a, b) => a - b);
}

/** Two times that are equal but for rounding. Seconds. */
const SAME_TIME = 1e-7;

/** Samples with one more just before each jump: the value that the two before it lead to. */
function withJumps(samples: Required<Samples>, { jumps, shift }: Timing): Samples {
    const { times, values, held } = shift === 0 ? fromZero(samples) : samples;
    const made = { times: [] as number[], values: [] as (readonly number[])[], held: [] as boolean[] };
    const add = (time: number, value: readonly number[], isHeld: boolean) => {
        made.times.push(Math.max(0, time));
        made.values.push(value);
        made.held.push(isHeld);
    };
    let next = 0;
    /** The sample that begins after the last jump. */
    let first = 0;
    for (const [i, time] of times.entries()) {
        while (next < jumps.length && jumps[next]! < time - SAME_TIME) next++;
        if (jumps[next]! <= time + SAME_TIME) {
            if (i > 0 && !held[i - 1]) {
                const [a, b] = [values[Math.max(i - 2, first)]!, values[i - 1]!];
                const span = times[i - 1]! - times[Math.max(i - 2, first)]!;
                const part = span > 0 ? (time - times[i - 1]!) / span : 0;
                const value = b.map((x, c) => x + (x - a[c]!) * part);
                add(below(Math.fround(time + shift)), value, false);
            }
            first = i;
        }
        add(time + shift, values[i]!, held[i]!);
    }
    return made;
}

/** Lengths are in meters, and rotations in the hemisphere of the one before. */
function samplesOf(keys: readonly Key[], rate: number, path: Path, unit: number, timing: Timing): Samples {
    const kept = keys.filter(({ frame }) => frame !== MARK);
    let before: number[] | null = null;
    const values = kept.map(({ value }): number[] => {
        if (path !== 'rotation') {
            const factor = path === 'translation' ? unit : 1;
            return [value.x * factor, value.y * factor, value.z * factor];
        }
        const q = [value.x, value.y, value.z, value.w] as number[];
        const sign = before !== null && q.reduce((dot, x, c) => dot + x * before![c]!, 0) < 0 ? -1 : 1;
        before = q.map((x) => sign * x);
        return before;
    });
    const times = kept.map(({ frame }) => frame / rate);
    const held = kept.map(({ interpolation }) => interpolation === 1);
    const samples = withJumps({ times, values, held }, timing);
    return path === 'rotation' ? { ...samples, values: samples.values.map(normalized) } : samples;
}

function normalized(q: readonly number[]): number[] {
    const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0)) || 1;
    return q.map((x) => x / length);
}

/** The error of a channel's values that moves a vertex at the other end of the model by the allowed error. */
function toleranceOf(path: Path, extent: number, node: Node, nodes: Converted['nodes']): number {
    if (path !== 'translation') return ERROR / 2;
    const parent = nodes.get(node.parent as Node);
    return (ERROR * extent) / (parent ? scaleOf(parent.getWorldMatrix()) || 1 : 1);
}

/** The largest scale of an axis. */
function scaleOf(m: readonly number[]): number {
    const squares = [0, 4, 8].map((at) => m[at]! * m[at]! + m[at + 1]! * m[at + 1]! + m[at + 2]! * m[at + 2]!);
    return Math.sqrt(Math.max(...squares));
}

/** Max number of weights of a mesh in a clip. */
const MOST_WEIGHTS = 6_000_000;

/**
 * Weights of all targets of a mesh. Null if the stack does not animate them.
 *
 * @throws Error for a clip with too many frames.
 */
function weightSamples(
    stack: FbxStack,
    { rate, evaluate, fbx }: BabylonScene,
    { shapes, targets }: Morphed,
    timing: Timing,
): Samples | null {
    const channels = shapes.flatMap((shape) => shape.channels);
    const sources = channels.map(({ id }) =>
        stack.curveNodes.filter(
            ({ type, targetModelId, curves }) => type === 'DeformPercent' && targetModelId === id && curves[0],
        ),
    );
    const keys = sources.flat().flatMap(({ curves }) => curves[0]!.keys.map(({ time }) => time));
    if (keys.length === 0) return null;
    const isRange = stack.stopTime > stack.startTime;
    const start = isRange ? stack.startTime : keys.reduce((a, b) => Math.min(a, b));
    const stop = isRange ? stack.stopTime : keys.reduce((a, b) => Math.max(a, b));
    const most = MOST_WEIGHTS / targets.length - keys.length;
    const duration = stop - start;
    if (!(duration * fbx.frameRate <= most)) throw new Error('its clips have too many frames; export shorter ones');
    const often = Math.min(rate, most / duration);
    const frames = Array.from({ length: Math.floor(duration * often) }, (_, i) => start + i / often);
    const all = new Set([start, ...frames, ...keys.filter((time) => time >= start && time <= stop), stop]);
    const times = [...all].sort((a, b) => a - b);
    const values = times.map((time) =>
        channels.flatMap((channel, i) => {
            const layers = sources[i]!.map(({ layerIndex, curves }) => ({ layerIndex, curves }));
            const property = layers[0]?.curves[0]?.channel;
            const rest = channel.deformPercent;
            const percent = property ? evaluate(layers, stack.layers, [property], [rest], time)[0]! : rest;
            return shapeWeights(percent, channel);
        }),
    );
    return withJumps({ times, values, held: times.map(() => false) }, timing);
}
