// SPDX-License-Identifier: MIT

/** Measures how well a clip keeps on one skeleton what it shows on another. docs/retarget.md defines the measures. */

import { DoubleEvaluator } from './evaluator';
import type { GltfFile, Retargeted } from './gltf';
import { inverse, multiply } from './matrix';

/** A value, and where it is worst. */
export interface RetargetMeasure {
    /** The value: a share of the body height, degrees, or a share of a bone's length. */
    readonly value: number;
    /** The role of the joint. */
    readonly role: string;
    /** Seconds. */
    readonly time: number;
}

/** Names of the measures. */
export type RetargetMeasureName = 'slide' | 'stance' | 'low' | 'arms' | 'legs' | 'turn' | 'bones';

const RETARGET_MEASURES: readonly RetargetMeasureName[] = ['slide', 'stance', 'low', 'arms', 'legs', 'turn', 'bones'];

/** The measures of a clip: docs/retarget.md. Lengths are shares of the body height, angles are in degrees. */
export type RetargetMeasures = Readonly<Record<RetargetMeasureName, RetargetMeasure>>;

/** Limits of the measures. For legs, rigs with hips this much wider relative to their legs get the second one. */
export const RETARGET_LIMITS = {
    slide: 0.005,
    stance: 0.01,
    low: 0.01,
    arms: 5,
    legs: 5,
    turn: 15,
    bones: 0.02,
} as const;
const WIDE_LEGS = 8;
const WIDE = 1.5;

/** A joint of each file by role. */
export type JointPairs = ReadonlyMap<string, readonly [source: number, target: number]>;

type Point = readonly [number, number, number];

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const size = (a: Point) => Math.hypot(...a);
const cross = (a: Point, b: Point): Point => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
const degrees = (a: Point, b: Point): number =>
    (Math.atan2(size(cross(a, b)), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * 180) / Math.PI;

/** A skeleton at bind, seen so that it stands along y and faces z. */
class Body {
    /** Rows of the rotation into that view. */
    private readonly view: readonly Point[];
    private readonly bind: Float64Array;
    readonly joints: ReadonlyMap<string, number>;
    readonly leg: number;
    readonly height: number;

    constructor(
        private readonly evaluator: DoubleEvaluator,
        pairs: JointPairs,
        side: 0 | 1,
    ) {
        this.joints = new Map([...pairs].map(([role, pair]) => [role, pair[side]]));
        this.bind = bindGlobals(evaluator);
        this.view = [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
        ];
        const at = (role: string) => this.placeIn(this.bind, role);
        const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
        const top = this.joints.has('head') ? at('head') : middle(at('leftUpperLeg'), at('rightUpperLeg'));
        const tall = minus(top, middle(at('leftFoot'), at('rightFoot')));
        const axis = [0, 1, 2].reduce((a, b) => (Math.abs(tall[b]!) > Math.abs(tall[a]!) ? b : a));
        const up = [0, 1, 2].map((c) => (c === axis ? Math.sign(tall[c]!) : 0)) as unknown as Point;
        const across = minus(at('leftUpperLeg'), at('rightUpperLeg'));
        const flat = across.map((x, c) => (c === axis ? 0 : x)) as unknown as Point;
        const left = flat.map((x) => x / size(flat)) as unknown as Point;
        const front = cross(left, up);
        this.view = [left, up, front];
        this.leg =
            ['left', 'right'].reduce(
                (sum, side) =>
                    sum +
                    this.boneAtBind(`${side}UpperLeg`, `${side}LowerLeg`) +
                    this.boneAtBind(`${side}LowerLeg`, `${side}Foot`),
                0,
            ) / 2;
        const heights = [...this.joints.keys()].map((role) => this.atBind(role)[1]);
        this.height = Math.max(...heights) - Math.min(...heights);
    }

    private placeIn(globals: Float64Array, role: string): Point {
        const i = this.joints.get(role)! * 16 + 12;
        return this.seen([globals[i]!, globals[i + 1]!, globals[i + 2]!]);
    }

    private seen(v: Point): Point {
        return this.view.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as unknown as Point;
    }

    atBind(role: string): Point {
        return this.placeIn(this.bind, role);
    }

    boneAtBind(a: string, b: string): number {
        return size(minus(this.atBind(b), this.atBind(a)));
    }

    poseAt(animation: number, time: number): (role: string) => Point {
        const globals = this.evaluator.globals(animation, time);
        return (role) => this.placeIn(globals, role);
    }

    /** Where the turn since bind of a joint takes the three axes. */
    turnsAt(animation: number, time: number): (role: string) => readonly Point[] {
        const globals = this.evaluator.globals(animation, time);
        const turn = new Float64Array(16);
        return (role) => {
            const node = this.joints.get(role)!;
            const back = inverse(this.bind.subarray(node * 16, node * 16 + 16));
            if (back === null) return this.view;
            multiply(turn, 0, globals, node * 16, back, 0);
            return this.view.map((axis) =>
                this.seen(
                    [0, 1, 2].map((row) =>
                        axis.reduce((sum, x, c) => sum + turn[c * 4 + row]! * x, 0),
                    ) as unknown as Point,
                ),
            );
        };
    }
}

/** Bind poses in the scene: by inverse bind matrices, which the topmost joint places. */
function bindGlobals(evaluator: DoubleEvaluator): Float64Array {
    const rest = evaluator.globals(null, 0);
    const bound = new Map<number, Float64Array>();
    const skins = Array.from({ length: evaluator.skinCount }, (_, skin) => skin);
    skins.sort((a, b) => evaluator.joints(b).length - evaluator.joints(a).length);
    const rank = new Map([...evaluator.order].map((node, i) => [node, i]));
    for (const skin of skins) {
        const joints = evaluator.joints(skin);
        const binds = evaluator.inverseBindsOf(skin);
        if (binds.every((x, i) => x === ((i % 16) % 5 === 0 ? 1 : 0))) continue;
        const own = (index: number) => binds.subarray(index * 16, index * 16 + 16);
        const slots = [...joints.keys()].filter((index) => inverse(own(index)) !== null);
        slots.sort((a, b) => rank.get(joints[a]!)! - rank.get(joints[b]!)!);
        const anchor = slots.find((index) => bound.has(joints[index]!)) ?? slots[0];
        if (anchor === undefined) continue;
        const space = new Float64Array(16);
        const there = bound.get(joints[anchor]!) ?? rest.subarray(joints[anchor]! * 16, joints[anchor]! * 16 + 16);
        multiply(space, 0, there, 0, own(anchor), 0);
        if (!bound.has(joints[anchor]!) && isPosed(evaluator, joints, own)) {
            straighten(space, there, own(anchor), rest, evaluator.parents[joints[anchor]!]!);
        }
        for (const index of slots) {
            if (bound.has(joints[index]!)) continue;
            const place = new Float64Array(16);
            multiply(place, 0, space, 0, inverse(own(index))!, 0);
            bound.set(joints[index]!, place);
        }
    }
    const out = new Float64Array(rest.length);
    for (const node of evaluator.order) {
        const place = bound.get(node);
        const parent = evaluator.parents[node]!;
        if (place !== undefined) out.set(place, node * 16);
        else if (parent < 0) out.set(rest.subarray(node * 16, node * 16 + 16), node * 16);
        else {
            const local = new Float64Array(16);
            const above = inverse(rest.subarray(parent * 16, parent * 16 + 16));
            if (above === null) continue;
            multiply(local, 0, above, 0, rest, node * 16);
            multiply(out, node * 16, out, parent * 16, local, 0);
        }
    }
    return out;
}

/** Angle between the rotations of two matrices with uniform scale, degrees. */
function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
    const scale = (m: ArrayLike<number>) => Math.hypot(m[0]!, m[1]!, m[2]!);
    const trace = [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce((sum, i) => sum + a[i]! * b[i]!, 0) / (scale(a) * scale(b));
    return (Math.acos(Math.min(Math.max((trace - 1) / 2, -1), 1)) * 180) / Math.PI;
}

/** Whether joints rest in another pose than the bind pose. */
function isPosed(
    evaluator: DoubleEvaluator,
    joints: readonly number[],
    bindOf: (index: number) => Float64Array,
): boolean {
    const rest = evaluator.globals(null, 0);
    const local = new Float64Array(16);
    return joints.some((joint, index) => {
        const above = joints.indexOf(evaluator.parents[joint]!);
        const [own, back] = [
            inverse(bindOf(index)),
            inverse(rest.subarray(evaluator.parents[joint]! * 16, evaluator.parents[joint]! * 16 + 16)),
        ];
        if (above < 0 || own === null || back === null) return false;
        const bind = new Float64Array(16);
        multiply(bind, 0, bindOf(above), 0, own, 0);
        multiply(local, 0, back, 0, rest, joint * 16);
        return angleBetween(bind, local) > 2.3;
    });
}

/**
 * Turns a skin's space to the axes of the topmost joint's parent, or of the scene, if one of them has the same scale and
 * is less than 40 degrees away: the topmost joint was posed, too. It keeps its place.
 */
function straighten(
    space: Float64Array,
    there: ArrayLike<number>,
    bind: ArrayLike<number>,
    rest: Float64Array,
    parent: number,
): void {
    const scene = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const size = (m: ArrayLike<number>) => Math.hypot(m[0]!, m[1]!, m[2]!);
    const near = [parent < 0 ? scene : rest.subarray(parent * 16, parent * 16 + 16), scene].filter(
        (axes) => Math.abs(size(axes) / size(space) - 1) < 0.01 && angleBetween(axes, space) < 40,
    );
    near.sort((a, b) => angleBetween(a, space) - angleBetween(b, space));
    const [axes] = near;
    const at = inverse(bind);
    if (axes === undefined || at === null) return;
    for (const i of [0, 1, 2, 4, 5, 6, 8, 9, 10]) space[i] = axes[i]!;
    for (let row = 0; row < 3; row++) {
        const moved = space[row]! * at[12]! + space[4 + row]! * at[13]! + space[8 + row]! * at[14]!;
        space[12 + row] = there[12 + row]! - moved;
    }
}

const SIDES = ['left', 'right'] as const;
/** The source's foot stands below this speed, in lengths of the leg per second, or this near its lowest place. */
const STANDS = 0.05;
const NEAR = 0.03;
/** Samples per second, besides the times of keys. */
const RATE = 120;

/**
 * Measures a clip of the target against the clip of the source that it was made from.
 *
 * @param pairs Joints by role: at least hips, thighs, shins and feet.
 */
export function measureRetarget(
    source: { readonly evaluator: DoubleEvaluator; readonly animation: number },
    target: { readonly evaluator: DoubleEvaluator; readonly animation: number },
    pairs: JointPairs,
): RetargetMeasures {
    const [from, to] = [new Body(source.evaluator, pairs, 0), new Body(target.evaluator, pairs, 1)];
    const ratio = to.leg / from.leg;
    const found: Record<RetargetMeasureName, RetargetMeasure> = Object.fromEntries(
        RETARGET_MEASURES.map((name) => [name, { value: 0, role: '', time: 0 }]),
    ) as Record<RetargetMeasureName, RetargetMeasure>;
    const add = (name: RetargetMeasureName, value: number, role: string, time: number) => {
        // Not a number is as bad as can be.
        const size = Number.isNaN(value) ? Infinity : value;
        if (size > found[name].value) found[name] = { value: size, role, time };
    };
    const times = sampleTimes(source.evaluator, source.animation);
    const paths = SIDES.map((): Step[] => []);
    for (const time of times) {
        const [there, here] = [from.poseAt(source.animation, time), to.poseAt(target.animation, time)];
        const has = (...roles: string[]) => roles.every((role) => pairs.has(role));
        const bone = (name: 'arms' | 'legs', a: string, b: string) => {
            if (has(a, b)) add(name, degrees(minus(there(b), there(a)), minus(here(b), here(a))), a, time);
        };
        for (const [i, side] of SIDES.entries()) {
            paths[i]!.push({ from: there(`${side}Foot`), to: here(`${side}Foot`) });
            bone('arms', `${side}UpperArm`, `${side}LowerArm`);
            bone('arms', `${side}LowerArm`, `${side}Hand`);
            bone('legs', `${side}UpperLeg`, `${side}Foot`);
            for (const [a, b] of [
                ['UpperArm', 'LowerArm'],
                ['LowerArm', 'Hand'],
                ['UpperLeg', 'LowerLeg'],
                ['LowerLeg', 'Foot'],
            ]) {
                const [upper, lower] = [`${side}${a}`, `${side}${b}`];
                if (!has(upper, lower)) continue;
                if (from.boneAtBind(upper, lower) === 0 || to.boneAtBind(upper, lower) === 0) continue;
                const stretch = (body: Body, at: (role: string) => Point) =>
                    Math.abs(size(minus(at(lower), at(upper))) / body.boneAtBind(upper, lower) - 1);
                // A copied clip may stretch bones as its source does.
                add('bones', Math.max(stretch(to, here) - stretch(from, there), 0), upper, time);
            }
        }
        const [turnsThere, turnsHere] = [from.turnsAt(source.animation, time), to.turnsAt(target.animation, time)];
        for (const role of ['hips', 'spine', 'chest', 'head', 'leftFoot', 'rightFoot']) {
            if (!has(role)) continue;
            const axes = turnsHere(role);
            const off = turnsThere(role).map((axis, c) => degrees(axis, axes[c]!));
            add('turn', Math.max(...off), role, time);
        }
    }
    for (const [i, side] of SIDES.entries()) {
        const path = paths[i]!;
        const role = `${side}Foot`;
        const lowest = lowestOf(path.map((step) => step.from));
        const own = to.atBind(role)[1];
        const floor = Math.abs(from.atBind(role)[1]) < from.leg / 2 ? from.atBind(role)[1] : lowest;
        const slow = standing(path, times, STANDS * from.leg);
        const isNear = (k: number) => path[k]!.from[1] <= lowest + NEAR * from.leg;
        for (const [name, stands] of [
            ['slide', (k: number) => slow[k]!],
            ['stance', isNear],
        ] as const) {
            for (const [k, off] of straying(path, ratio, stands).entries()) add(name, off / to.height, role, times[k]!);
        }
        for (const [k, step] of path.entries()) {
            const below = Math.min(0, ratio * (step.from[1] - floor)) - (step.to[1] - own);
            add('low', below / to.height, role, times[k]!);
        }
    }
    return found;
}

/** Whether one rig has much wider hips than the other, relative to their legs. */
function areWide(source: DoubleEvaluator, target: DoubleEvaluator, pairs: JointPairs): boolean {
    const [a, b] = [new Body(source, pairs, 0), new Body(target, pairs, 1)].map(
        (body) => body.boneAtBind('leftUpperLeg', 'rightUpperLeg') / body.leg,
    ) as [number, number];
    return Math.max(a / b, b / a) > WIDE;
}

/** How well a clip keeps what it shows on another skeleton. */
export interface RetargetVerdict {
    /** Name of the clip here. */
    readonly name: string;
    /** Animation index, as in {@link Verification.clips}. */
    readonly animation: number;
    /** Each measure at its worst moment. */
    readonly measures: RetargetMeasures;
    /** Limits of the measures for these two skeletons. */
    readonly limits: Readonly<Record<RetargetMeasureName, number>>;
    /** Maximum ratio of a measure to its limit, and which one. */
    readonly worst: { readonly measure: RetargetMeasureName; readonly ratio: number };
}

/** Judges the baked clips that were retargeted, the worst first. */
export function judgeRetargeted(
    evaluator: DoubleEvaluator,
    clips: readonly { readonly name: string; readonly animation: number }[],
): RetargetVerdict[] {
    const evaluators = new Map<GltfFile, DoubleEvaluator>();
    const verdicts = clips.flatMap(({ name, animation }): RetargetVerdict[] => {
        const made = evaluator.file.retargeted?.find((one) => one.animation === animation);
        if (made === undefined) return [];
        const source = evaluators.get(made.source) ?? new DoubleEvaluator(made.source);
        evaluators.set(made.source, source);
        const { pairs } = made;
        const measures = measureRetarget({ evaluator: source, animation: made.from }, { evaluator, animation }, pairs);
        const limits = { ...RETARGET_LIMITS, ...(areWide(source, evaluator, pairs) && { legs: WIDE_LEGS }) };
        const ratios = RETARGET_MEASURES.map((measure) => ({
            measure,
            ratio: measures[measure].value / limits[measure],
        }));
        return [{ name, animation, measures, limits, worst: ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a)) }];
    });
    return verdicts.sort((a, b) => b.worst.ratio - a.worst.ratio);
}

/** The poses of both skeletons in a clip, for pictures. */
export interface RetargetTrace {
    /** Seconds, ascending. */
    readonly times: readonly number[];
    /** Pairs of numbers of joints. */
    readonly bones: readonly (readonly [number, number])[];
    /** Numbers of both ankles. */
    readonly feet: readonly [number, number];
    /**
     * For each time, x y z of each joint: seen from the front, y up, in body heights of the target. The source is scaled
     * by the length of the legs.
     */
    readonly source: readonly (readonly number[])[];
    readonly target: readonly (readonly number[])[];
    /** For each foot and time: 1 if the source's foot stands, 2 if the target's slides meanwhile. */
    readonly marks: readonly (readonly number[])[];
}

const CHAINS = [
    ['hips', 'spine', 'chest', 'neck', 'head'],
    ...SIDES.flatMap((side) => [
        ['chest', ...['Shoulder', 'UpperArm', 'LowerArm', 'Hand'].map((limb) => `${side}${limb}`)],
        ['hips', ...['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((limb) => `${side}${limb}`)],
    ]),
];

/** Max number of poses of a picture. */
const MOST_POSES = 2000;

/** @param most Poses a second; fewer for a long clip. */
export function traceOf(evaluator: DoubleEvaluator, made: Retargeted, most: number): RetargetTrace {
    const source = new DoubleEvaluator(made.source);
    const { pairs } = made;
    const [from, to] = [new Body(source, pairs, 0), new Body(evaluator, pairs, 1)];
    const ratio = to.leg / from.leg;
    const roles = [...new Set(CHAINS.flat())].filter((role) => pairs.has(role));
    const bones = CHAINS.flatMap((chain) => {
        const known = chain.filter((role) => pairs.has(role)).map((role) => roles.indexOf(role));
        return known.slice(1).map((joint, i) => [known[i]!, joint] as const);
    });
    const end = source.duration(made.from);
    const rate = Math.min(most, (MOST_POSES - 1) / end);
    const times = Array.from({ length: Math.floor(end * rate) + 1 }, (_, k) => Math.fround(k / rate));
    const poses = times.map((time) => {
        const [there, here] = [from.poseAt(made.from, time), to.poseAt(made.animation, time)];
        return { there: roles.map(there), here: roles.map(here) };
    });
    const feet = SIDES.map((side) => roles.indexOf(`${side}Foot`)) as [number, number];
    const lowest = (of: 'there' | 'here') => lowestOf(poses.flatMap((pose) => feet.map((foot) => pose[of][foot]!)));
    const [floor, ground] = [lowest('there'), lowest('here')];
    const rounded = (x: number) => Number((x / to.height).toFixed(4));
    const marks = feet.map((foot) => {
        const path = poses.map(({ there, here }) => ({ from: there[foot]!, to: here[foot]! }));
        const slow = standing(path, times, STANDS * from.leg);
        const lowest = lowestOf(path.map((step) => step.from));
        const near = path.map((step) => step.from[1] <= lowest + NEAR * from.leg);
        const offs = { slide: straying(path, ratio, (k) => slow[k]!), stance: straying(path, ratio, (k) => near[k]!) };
        return path.map((_, k) => {
            const slides = (['slide', 'stance'] as const).some(
                (name) => offs[name][k]! > RETARGET_LIMITS[name] * to.height,
            );
            return slides ? 2 : slow[k] || near[k] ? 1 : 0;
        });
    });
    return {
        times,
        bones,
        feet,
        source: poses.map(({ there }) =>
            there.flatMap(([x, y, z]) => [ratio * x, ratio * (y - floor) + ground, ratio * z].map(rounded)),
        ),
        target: poses.map(({ here }) => here.flatMap((at) => at.map(rounded))),
        marks,
    };
}

const lowestOf = (points: readonly Point[]) => points.reduce((min, [, y]) => Math.min(min, y), Infinity);

interface Step {
    readonly from: Point;
    readonly to: Point;
}

/** Whether the source's foot is slower than a speed just before or after each time. */
function standing(path: readonly Step[], times: readonly number[], speed: number): boolean[] {
    const isSlow = (k: number) => {
        const [a, b] = [path[k], path[k + 1]];
        return a !== undefined && b !== undefined && size(minus(b.from, a.from)) < speed * (times[k + 1]! - times[k]!);
    };
    return path.map((_, k) => isSlow(k - 1) || isSlow(k) || path.length === 1);
}

/** How far the target's foot has left the scaled path of the source's, since that began to stand. */
function straying(path: readonly Step[], ratio: number, stands: (k: number) => boolean): number[] {
    let start: Step | null = null;
    return path.map((step, k) => {
        if (!stands(k)) {
            start = null;
            return 0;
        }
        start ??= step;
        const [a, b] = [minus(step.from, start.from), minus(step.to, start.to)];
        return size([b[0] - ratio * a[0], b[1] - ratio * a[1], b[2] - ratio * a[2]]);
    });
}

/** Times of keys, and between them. */
function sampleTimes(evaluator: DoubleEvaluator, animation: number): number[] {
    const times = new Set<number>();
    for (const { sampler } of evaluator.channelsOf(animation)) for (const time of sampler.times) times.add(time);
    const end = evaluator.duration(animation);
    for (let k = 0; k / RATE < end && k < 100_000; k++) times.add(Math.fround(k / RATE));
    return [...times].sort((a, b) => a - b);
}
