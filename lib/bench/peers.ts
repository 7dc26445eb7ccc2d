// SPDX-License-Identifier: MIT

/**
 * What other libraries need for the same on the same data. They are no dependencies: measured is what is installed,
 * beside the caller or beside poselane. Their objects and views are made beforehand, and what poselane does in place
 * goes to a second set of objects here, so nothing but the calculation is timed.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Routine } from '../lists/routines';
import { type BenchData, T } from './data';
import type { Subject } from './measure';
import { javascriptSubject } from './subjects';

/** One routine as another library does it. */
export interface PeerCall {
    readonly run: () => void;
    /** What came out, in poselane's layout and glTF's convention. */
    readonly read: () => Float32Array;
}

export type PeerCalls = { readonly [R in Routine]?: PeerCall };

export interface PeerInfo {
    readonly name: string;
    /** Null where it is not installed. */
    readonly version: string | null;
}

/** A loop over flat arrays, in doubles, as one writes it without a library: part of poselane's benchmarks. */
const FLAT = 'flat JavaScript';

export interface Peer extends PeerInfo {
    /** Null where it is not installed. */
    readonly create: ((data: BenchData) => PeerCalls) | null;
}

/** All of them, installed or not. */
export async function loadPeers(): Promise<Peer[]> {
    const three = await load<Three>('three');
    const glMatrix = await load<GlMatrix>('gl-matrix');
    return [
        {
            name: 'three.js',
            version: three?.version ?? null,
            create: three && ((data) => threeCalls(three.module, data)),
        },
        {
            name: 'gl-matrix',
            version: glMatrix?.version ?? null,
            create: glMatrix && ((data) => glMatrixCalls(glMatrix.module, data)),
        },
        { name: FLAT, version: '(part of this benchmark)', create: flatCalls },
    ];
}

/** The cases of the peers that are installed. */
export function peerSubjects(peers: readonly Peer[], data: BenchData): Subject[] {
    return peers.flatMap(({ name, create }) =>
        Object.entries(create?.(data) ?? {}).map(([routine, { run }]) =>
            javascriptSubject({ routine: routine as Routine, implementation: name, n: data.n }, run),
        ),
    );
}

/** A package that is installed beside the caller or beside poselane; null where it is neither. */
async function load<Module>(name: string): Promise<{ module: Module; version: string } | null> {
    const root = [process.cwd(), __dirname].map((folder) => packageRoot(name, folder)).find((found) => found !== null);
    if (!root) return null;
    const { version, main, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    // three.js complains when it is loaded by `require`.
    const entry = exports?.['.']?.import ?? main;
    return { module: (await import(pathToFileURL(join(root, entry)).href)) as Module, version };
}

interface Manifest {
    readonly version: string;
    readonly main: string;
    readonly exports?: { readonly '.'?: { readonly import?: string } };
}

function packageRoot(name: string, folder: string): string | null {
    for (let parent = resolve(folder); ; parent = dirname(parent)) {
        const root = join(parent, 'node_modules', name);
        if (existsSync(join(root, 'package.json'))) return root;
        if (parent === dirname(parent)) return null;
    }
}

/** `count` elements of a flat list, as views or whatever `make` makes of where an element begins. */
function each<Element>(count: number, floats: number, make: (offset: number) => Element): Element[] {
    return Array.from({ length: count }, (_, i) => make(i * floats));
}

/** 3x4 row-major to the 16 column-major floats of the others. */
function toColumns(mats: Float32Array, i: number): number[] {
    const columns = new Array<number>(16).fill(0);
    for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) columns[c * 4 + r] = mats[i * 12 + r * 4 + c]!;
    columns[15] = 1;
    return columns;
}

/** And back. */
function fromColumns(all: readonly ArrayLike<number>[]): Float32Array {
    const mats = new Float32Array(all.length * 12);
    all.forEach((columns, i) => {
        for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) mats[i * 12 + r * 4 + c] = columns[c * 4 + r]!;
    });
    return mats;
}

// ---- three.js ---------------------------------------------------------------------------------------------------

/** What is used of it. */
interface Three {
    readonly Quaternion: {
        new (x: number, y: number, z: number, w: number): ThreeQuaternion;
        slerpFlat(
            to: Float32Array,
            toOffset: number,
            a: Float32Array,
            aOffset: number,
            b: Float32Array,
            bOffset: number,
            t: number,
        ): void;
    };
    readonly Vector3: new (x: number, y: number, z: number) => ThreeVector;
    readonly Matrix4: new () => ThreeMatrix;
}

interface ThreeQuaternion {
    toArray(array: Float32Array, offset: number): unknown;
    setFromRotationMatrix(matrix: ThreeMatrix): unknown;
}

interface ThreeVector {
    toArray(array: Float32Array, offset: number): unknown;
    setFromMatrixPosition(matrix: ThreeMatrix): unknown;
}

interface ThreeMatrix {
    readonly elements: ArrayLike<number>;
    fromArray(array: readonly number[]): this;
    compose(position: ThreeVector, quaternion: ThreeQuaternion, scale: ThreeVector): unknown;
    multiplyMatrices(a: ThreeMatrix, b: ThreeMatrix): unknown;
    copy(from: ThreeMatrix): unknown;
}

function threeCalls({ Quaternion, Vector3, Matrix4 }: Three, data: BenchData): PeerCalls {
    const { n, joints, blendJoints, from, to, parents } = data;
    const quats = each(n, 8, (o) => new Quaternion(joints[o]!, joints[o + 1]!, joints[o + 2]!, joints[o + 3]!));
    const positions = each(n, 8, (o) => new Vector3(joints[o + 4]!, joints[o + 5]!, joints[o + 6]!));
    const unscaled = new Vector3(1, 1, 1);
    const mats = each(n, 1, (i) => new Matrix4().fromArray(toColumns(data.mats, i)));
    const blendMats = each(n, 1, (i) => new Matrix4().fromArray(toColumns(data.blendMats, i)));
    const results = each(n, 1, () => new Matrix4());
    const outQuats = each(n, 1, () => new Quaternion(0, 0, 0, 1));
    const outPositions = each(n, 1, () => new Vector3(0, 0, 0));
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const readMats = () => fromColumns(results.map(({ elements }) => elements));
    return {
        slerpQuats: {
            run: () => {
                for (let o = 0; o < n * 4; o += 4) Quaternion.slerpFlat(outList, o, from, o, to, o, T);
            },
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                for (let o = 0; o < n * 8; o += 8) {
                    Quaternion.slerpFlat(outJoints, o, joints, o, blendJoints, o, T);
                    for (let k = o + 4; k < o + 8; k++) {
                        outJoints[k] = joints[k]! + (blendJoints[k]! - joints[k]!) * T;
                    }
                }
            },
            read: () => outJoints,
        },
        convertJointQuatsToJointMats: {
            run: () => {
                for (let i = 0; i < n; i++) results[i]!.compose(positions[i]!, quats[i]!, unscaled);
            },
            read: readMats,
        },
        convertJointMatsToJointQuats: {
            run: () => {
                for (let i = 0; i < n; i++) {
                    outQuats[i]!.setFromRotationMatrix(mats[i]!);
                    outPositions[i]!.setFromMatrixPosition(mats[i]!);
                }
            },
            read: () => {
                for (let i = 0; i < n; i++) {
                    outQuats[i]!.toArray(outJoints, i * 8);
                    outPositions[i]!.toArray(outJoints, i * 8 + 4);
                }
                return outJoints;
            },
        },
        transformSkeleton: {
            run: () => {
                results[0]!.copy(mats[0]!);
                for (let i = 1; i < n; i++) results[i]!.multiplyMatrices(results[parents[i]!]!, mats[i]!);
            },
            read: readMats,
        },
        transformJoints: {
            run: () => {
                for (let i = 0; i < n; i++) results[i]!.multiplyMatrices(mats[i]!, blendMats[i]!);
            },
            read: readMats,
        },
    };
}

// ---- gl-matrix --------------------------------------------------------------------------------------------------

type Floats = Float32Array;

/** What is used of it. */
interface GlMatrix {
    readonly quat: { slerp(out: Floats, a: Floats, b: Floats, t: number): unknown };
    readonly vec3: { lerp(out: Floats, a: Floats, b: Floats, t: number): unknown };
    readonly mat4: {
        fromRotationTranslation(out: Floats, q: Floats, v: Floats): unknown;
        getRotation(out: Floats, mat: Floats): unknown;
        getTranslation(out: Floats, mat: Floats): unknown;
        multiply(out: Floats, a: Floats, b: Floats): unknown;
        copy(out: Floats, a: Floats): unknown;
    };
}

function glMatrixCalls({ quat, vec3, mat4 }: GlMatrix, data: BenchData): PeerCalls {
    const { n, parents } = data;
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const views = (list: Floats, floats: number, first: number, length: number) =>
        each(n, floats, (o) => list.subarray(o + first, o + first + length));
    const [from, to, out] = [data.from, data.to, outList].map((list) => views(list, 4, 0, 4));
    const [quats, blendQuats, outQuats] = [data.joints, data.blendJoints, outJoints].map((l) => views(l, 8, 0, 4));
    const [moves, blendMoves, outMoves] = [data.joints, data.blendJoints, outJoints].map((l) => views(l, 8, 4, 3));
    const mats = each(n, 1, (i) => Float32Array.from(toColumns(data.mats, i)));
    const blendMats = each(n, 1, (i) => Float32Array.from(toColumns(data.blendMats, i)));
    const results = views(new Float32Array(n * 16), 16, 0, 16);
    const readMats = () => fromColumns(results);
    return {
        slerpQuats: {
            run: () => {
                for (let i = 0; i < n; i++) quat.slerp(out![i]!, from![i]!, to![i]!, T);
            },
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                for (let i = 0; i < n; i++) {
                    quat.slerp(outQuats![i]!, quats![i]!, blendQuats![i]!, T);
                    vec3.lerp(outMoves![i]!, moves![i]!, blendMoves![i]!, T);
                }
            },
            read: () => outJoints,
        },
        convertJointQuatsToJointMats: {
            run: () => {
                for (let i = 0; i < n; i++) mat4.fromRotationTranslation(results[i]!, quats![i]!, moves![i]!);
            },
            read: readMats,
        },
        convertJointMatsToJointQuats: {
            run: () => {
                for (let i = 0; i < n; i++) {
                    mat4.getRotation(outQuats![i]!, mats[i]!);
                    mat4.getTranslation(outMoves![i]!, mats[i]!);
                }
            },
            read: () => outJoints,
        },
        transformSkeleton: {
            run: () => {
                mat4.copy(results[0]!, mats[0]!);
                for (let i = 1; i < n; i++) mat4.multiply(results[i]!, results[parents[i]!]!, mats[i]!);
            },
            read: readMats,
        },
        transformJoints: {
            run: () => {
                for (let i = 0; i < n; i++) mat4.multiply(results[i]!, mats[i]!, blendMats[i]!);
            },
            read: readMats,
        },
    };
}

// ---- Flat arrays ------------------------------------------------------------------------------------------------

function flatCalls(data: BenchData): PeerCalls {
    const { n, joints, blendJoints, mats, blendMats, parents } = data;
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const outMats = new Float32Array(n * 12);
    return {
        slerpQuats: {
            run: () => slerpFlat(outList, data.from, data.to, T, n, 4),
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                slerpFlat(outJoints, joints, blendJoints, T, n, 8);
                moveFlat(outJoints, joints, blendJoints, T, n);
            },
            read: () => outJoints,
        },
        lerpJoints: {
            run: () => {
                lerpFlat(outJoints, joints, blendJoints, T, n);
                moveFlat(outJoints, joints, blendJoints, T, n);
            },
            read: () => outJoints,
        },
        convertJointQuatsToJointMats: {
            run: () => toMatsFlat(outMats, joints, n),
            read: () => outMats,
        },
        transformSkeleton: {
            run: () => {
                for (let k = 0; k < 12; k++) outMats[k] = mats[k]!;
                for (let i = 1; i < n; i++) multiplyFlat(outMats, i * 12, outMats, parents[i]! * 12, mats, i * 12);
            },
            read: () => outMats,
        },
        transformJoints: {
            run: () => {
                for (let o = 0; o < n * 12; o += 12) multiplyFlat(outMats, o, mats, o, blendMats, o);
            },
            read: () => outMats,
        },
    };
}

function slerpFlat(out: Floats, a: Floats, b: Floats, t: number, n: number, floats: number): void {
    for (let i = 0, o = 0; i < n; i++, o += floats) {
        const ax = a[o]!;
        const ay = a[o + 1]!;
        const az = a[o + 2]!;
        const aw = a[o + 3]!;
        const bx = b[o]!;
        const by = b[o + 1]!;
        const bz = b[o + 2]!;
        const bw = b[o + 3]!;
        const cosine = ax * bx + ay * by + az * bz + aw * bw;
        const c = Math.abs(cosine);
        let s0 = 1 - t;
        let s1 = t;
        if (c < 0.999999) {
            const angle = Math.acos(c);
            const k = 1 / Math.sqrt(1 - c * c);
            s0 = Math.sin((1 - t) * angle) * k;
            s1 = Math.sin(t * angle) * k;
        }
        if (cosine < 0) s1 = -s1;
        out[o] = s0 * ax + s1 * bx;
        out[o + 1] = s0 * ay + s1 * by;
        out[o + 2] = s0 * az + s1 * bz;
        out[o + 3] = s0 * aw + s1 * bw;
    }
}

function lerpFlat(out: Floats, a: Floats, b: Floats, t: number, n: number): void {
    for (let o = 0; o < n * 8; o += 8) {
        const cosine = a[o]! * b[o]! + a[o + 1]! * b[o + 1]! + a[o + 2]! * b[o + 2]! + a[o + 3]! * b[o + 3]!;
        const s0 = 1 - t;
        const s1 = cosine < 0 ? -t : t;
        const x = s0 * a[o]! + s1 * b[o]!;
        const y = s0 * a[o + 1]! + s1 * b[o + 1]!;
        const z = s0 * a[o + 2]! + s1 * b[o + 2]!;
        const w = s0 * a[o + 3]! + s1 * b[o + 3]!;
        const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
        out[o] = x * k;
        out[o + 1] = y * k;
        out[o + 2] = z * k;
        out[o + 3] = w * k;
    }
}

function moveFlat(out: Floats, a: Floats, b: Floats, t: number, n: number): void {
    for (let o = 4; o < n * 8; o += 8) {
        out[o] = a[o]! + (b[o]! - a[o]!) * t;
        out[o + 1] = a[o + 1]! + (b[o + 1]! - a[o + 1]!) * t;
        out[o + 2] = a[o + 2]! + (b[o + 2]! - a[o + 2]!) * t;
        out[o + 3] = a[o + 3]! + (b[o + 3]! - a[o + 3]!) * t;
    }
}

function toMatsFlat(out: Floats, joints: Floats, n: number): void {
    for (let i = 0, o = 0, m = 0; i < n; i++, o += 8, m += 12) {
        const x = joints[o]!;
        const y = joints[o + 1]!;
        const z = joints[o + 2]!;
        const w = joints[o + 3]!;
        const x2 = x + x;
        const y2 = y + y;
        const z2 = z + z;
        const xx = x * x2;
        const yy = y * y2;
        const zz = z * z2;
        const xy = x * y2;
        const xz = x * z2;
        const yz = y * z2;
        const wx = w * x2;
        const wy = w * y2;
        const wz = w * z2;
        out[m] = 1 - yy - zz;
        out[m + 1] = xy - wz;
        out[m + 2] = xz + wy;
        out[m + 3] = joints[o + 4]!;
        out[m + 4] = xy + wz;
        out[m + 5] = 1 - xx - zz;
        out[m + 6] = yz - wx;
        out[m + 7] = joints[o + 5]!;
        out[m + 8] = xz - wy;
        out[m + 9] = yz + wx;
        out[m + 10] = 1 - xx - yy;
        out[m + 11] = joints[o + 6]!;
    }
}

/** out = a * b, 3x4 each; out is neither. */
function multiplyFlat(out: Floats, o: number, a: Floats, ao: number, b: Floats, bo: number): void {
    const b00 = b[bo]!;
    const b01 = b[bo + 1]!;
    const b02 = b[bo + 2]!;
    const b03 = b[bo + 3]!;
    const b10 = b[bo + 4]!;
    const b11 = b[bo + 5]!;
    const b12 = b[bo + 6]!;
    const b13 = b[bo + 7]!;
    const b20 = b[bo + 8]!;
    const b21 = b[bo + 9]!;
    const b22 = b[bo + 10]!;
    const b23 = b[bo + 11]!;
    for (let r = 0; r < 12; r += 4) {
        const a0 = a[ao + r]!;
        const a1 = a[ao + r + 1]!;
        const a2 = a[ao + r + 2]!;
        const t = a[ao + r + 3]!;
        out[o + r] = a0 * b00 + a1 * b10 + a2 * b20;
        out[o + r + 1] = a0 * b01 + a1 * b11 + a2 * b21;
        out[o + r + 2] = a0 * b02 + a1 * b12 + a2 * b22;
        out[o + r + 3] = a0 * b03 + a1 * b13 + a2 * b23 + t;
    }
}
