// SPDX-License-Identifier: MIT

/**
 * Every export of the package with arguments of every kind. A call succeeds with the bytes of the TypeScript fallback, and
 * writes only its result; or it throws one of our errors, and writes nothing.
 *
 * POSELANE_FUZZ_RUNS multiplies the number of calls, POSELANE_FUZZ_SEED draws others; POSELANE_FUZZ_SHRINK=1 simplifies
 * failing calls, which can take long.
 */

import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import * as lib from '../../../lib';
import type { Poses } from '../../../lib/rig';
import { Poses as PosesClass } from '../../../lib/rig/poses';
import { firstDifference } from '../../support/bytes';
import { scratchFolder } from '../../support/temporary-folder';
import {
    type Callable,
    EXPORTS,
    type Instance,
    P,
    POSES_MEMBERS,
    RIG_METHODS,
    STATICS,
    TABLE_METHODS,
} from './exports';
import { bytesNow, type CallDraft, callDrafts, type Making, makeCall, Sentinel } from './hostile';
import { loadInstances } from './instances';

const SEED = Number(process.env.POSELANE_FUZZ_SEED ?? 20_261_121);
const TIMES = Number(process.env.POSELANE_FUZZ_RUNS ?? 1);
const RUNS = 150 * TIMES;
const SLOW_RUNS = 25 * TIMES;

fc.configureGlobal({ includeErrorInReport: true });

const CODES =
    /^ERR_(ARGUMENT_TYPE|DETACHED_BUFFER|BUFFER_(LENGTH|OVERLAP|CHANGED)|(COUNT|INDEX|PARENT)_RANGE|PARENT_ORDER|NOT_FINITE|FOREIGN_POSES|STALE_GLOBALS|MATRIX_SLOT|RIG_INVALID|BAKE_INVALID|BINARY_DIFFERS|(UNKNOWN|AMBIGUOUS)_NAME|UNKNOWN_IMPLEMENTATION|IMPLEMENTATION_UNAVAILABLE)$/;
const OWN_CLASSES = ['InputError', 'UsageError', 'ToleranceError'];
/** Codes of the file system, which writeBake documents. */
const SYSTEM = /^E[A-Z]+$/;

function codeOf(error: unknown, name: string): string {
    if (error instanceof Sentinel) return 'sentinel';
    const { code, message, name: className } = (error ?? {}) as { code?: unknown; message?: unknown; name?: string };
    const typed =
        typeof code === 'string' &&
        typeof message === 'string' &&
        (CODES.test(code) || OWN_CLASSES.includes(className!) || (name === 'writeBake' && SYSTEM.test(code)));
    if (!typed) {
        const stack = error instanceof Error ? error.stack : String(error);
        throw new Error(`${name}: no error of ours: ${stack}`, { cause: error });
    }
    // The function, the argument and the rule.
    if (CODES.test(code)) expect(message).toMatch(/^[\w.]+(: .| must)/);
    return code;
}

interface Outcome {
    readonly code: string | null;
    readonly result: unknown;
    readonly making: Making;
    readonly poses: readonly Poses[];
}

const PLACES: Readonly<Record<string, (instance: Instance) => unknown>> = {
    table: ({ table }) => table,
    file: ({ bakes }) => bakes.file,
    json: ({ bakes }) => bakes.json,
    vat: ({ bakes }) => bakes.vat,
    url: ({ bakes }) => pathToFileURL(bakes.json),
    folder: ({ bakes }) => `${bakes.folder}/out`,
    document: ({ document }) => document,
    bake: ({ bake }) => bake,
    bytes: ({ bytes }) => bytes,
    stored: ({ rig }) => rig.serialize(),
    manifest: ({ bake }) => bake.outputs[0]!.json,
    bin: ({ bin }) => bin,
    capsules: ({ rig }) => rig.createCapsules([{ slot: 0, radius: 1 }]),
};

/** Poses, or an object that only looks like them, after the change that `between` selects. */
function makePoses({ rig, otherRig }: Instance, name: string, between: number, made: Poses[]): unknown {
    const first = name === 'poses';
    const owner = first && between === 4 ? otherRig : rig;
    const poses = owner.createPoses(P, { shared: between === 5 });
    owner.evaluate(poses, 0, new Float64Array(P).fill(made.length));
    if (between !== 3) owner.toGlobal(poses);
    made.push(poses);
    if (first && between === 6) structuredClone(poses.data.buffer, { transfer: [poses.data.buffer as ArrayBuffer] });
    if (between === 7) poses.count = first ? 3 : 4;
    if (between === 8) for (const each of made) each.count = 0;
    if (first && between === 9) return Object.create(poses);
    if (first && between === 10) return new Proxy(poses, {});
    return poses;
}

/** The bytes of the arguments' buffers; none of a detached one. */
function snapshot(buffers: readonly ArrayBufferLike[]): Uint8Array[] {
    return buffers.map(bytesNow);
}

function expectUntouched(making: Making, before: Uint8Array[], written: readonly (number | undefined)[]): void {
    for (const [i, buffer] of making.buffers.entries()) {
        const after = bytesNow(buffer);
        if (Buffer.compare(after, before[i]!) === 0) continue;
        const allowed = written
            .map((place) => (place === undefined ? undefined : making.ranges[place]))
            .filter((range) => range !== undefined && range.buffer === buffer);
        for (let at = 0; at < Math.min(after.length, before[i]!.length); at++) {
            if (after[at] === before[i]![at] || allowed.some((range) => at >= range!.start && at < range!.end))
                continue;
            throw new Error(`byte ${at} of buffer ${i} was written`);
        }
    }
}

function prepare(instance: Instance, { args }: Callable, draft: CallDraft) {
    const poses: Poses[] = [];
    const { making, values } = makeCall(args, draft, (name) =>
        name.startsWith('poses') ? makePoses(instance, name, draft.between, poses) : PLACES[name]!(instance),
    );
    for (const { data } of poses) making.buffers.push(data.buffer);
    return { making, values, poses };
}

function judged(name: string, subject: Callable, making: Making, before: Uint8Array[], error: unknown): string | null {
    if (error === undefined) {
        expectUntouched(making, before, subject.writes);
        return null;
    }
    const code = codeOf(error, name);
    if (code !== 'ERR_BUFFER_CHANGED') expectUntouched(making, before, []);
    return code;
}

function callOnce(instance: Instance, name: string, subject: Callable, draft: CallDraft): Outcome {
    const { making, values, poses } = prepare(instance, subject, draft);
    // The first poses are a result, too.
    const [result0] = poses;
    if (result0 !== undefined && subject.writesPoses && result0.data.byteLength > 0) {
        const { buffer, byteLength } = result0.data;
        making.ranges[99] = { buffer, start: 0, end: byteLength };
    }
    const writing: Callable = { ...subject, writes: [...subject.writes, 99] };
    let before = snapshot(making.buffers);
    let result: unknown;
    let thrown: unknown;
    try {
        result = subject.call(instance, values);
    } catch (error) {
        thrown = error ?? new Error('nothing');
    }
    // Binding writes nothing.
    let code = judged(name, subject.run === undefined ? writing : { ...subject, writes: [] }, making, before, thrown);
    if (subject.run !== undefined && code === null) {
        const { run } = result as { run(lerp: unknown): void };
        result = undefined;
        if (draft.between > 0 && draft.between < 3) making.disturb(draft.between - 1);
        before = snapshot(making.buffers);
        const lerps = [0.5, 0, 1, 2, -1, Number.NaN, '0.5', undefined, null, {}, 1n] as const;
        try {
            run(subject.run === 'nothing' ? undefined : lerps[draft.seed % lerps.length]);
        } catch (error) {
            thrown = error;
        }
        code = judged(name, subject, making, before, thrown);
    }
    return { code, result, making, poses };
}

/** The used lanes of poses; the contents of all others are undefined. */
function lanesOf(poses: Poses): number[] {
    const lanes: number[] = [];
    for (let i = 0; i < poses.data.length; i++) {
        const block = Math.floor(i / poses.blockFloats);
        if (block * 16 + (i % 16) < poses.count) lanes.push(poses.data[i]!);
    }
    return lanes;
}

function expectTwins(name: string, subject: Callable, one: Outcome, other: Outcome): void {
    // The time at which a call runs the caller's code is not specified, so its effects can differ.
    if (one.making.disturbed || other.making.disturbed) {
        if (!subject.run) return;
    }
    expect(one.code).toBe(other.code);
    if (subject.near) return;
    for (const [i, buffer] of one.making.buffers.entries()) {
        const twin = other.making.buffers[i]!;
        if (one.poses.some(({ data }) => data.buffer === buffer)) continue;
        const [a, b] = [bytesNow(buffer), bytesNow(twin)];
        const same =
            a.length % 4 === 0 && a.length === b.length
                ? firstDifference(new Float32Array(a.buffer), new Float32Array(b.buffer)) < 0
                : Buffer.compare(a, b) === 0;
        if (!same) throw new Error(`${name}: buffer ${i} is not what the fallback makes of it`);
    }
    if (name.startsWith('bakePalettes')) return;
    for (const [i, poses] of one.poses.entries()) {
        if (firstDifference(Float32Array.from(lanesOf(poses)), Float32Array.from(lanesOf(other.poses[i]!))) >= 0) {
            throw new Error(`${name}: poses ${i} are not what the fallback makes of them`);
        }
    }
    if (['number', 'string', 'boolean'].includes(typeof one.result) || Array.isArray(one.result))
        expect(one.result).toEqual(other.result);
}

// Some drawn strings are valid folder names for writeBake, which must not write here.
const home = process.cwd();
afterAll(() => process.chdir(home));
const folder = scratchFolder();
let native: Instance;
let fallback: Instance;
beforeAll(async () => {
    ({ native, fallback } = await loadInstances(folder()));
    process.chdir(folder());
});

const settings = (subject: Callable) => ({
    seed: SEED,
    numRuns: subject.slow ? SLOW_RUNS : RUNS,
    endOnFailure: process.env.POSELANE_FUZZ_SHRINK === undefined,
});

function testCalls(name: string, subject: Callable): void {
    test(name, async () => {
        let succeeded = 0;
        let refused = 0;
        const count = (code: string | null) => (code === null ? succeeded++ : refused++);
        if (subject.slow) {
            const property = fc.asyncProperty(callDrafts(subject.args.length), async (draft) => {
                const { making, values } = prepare(native, subject, draft);
                const before = snapshot(making.buffers);
                let thrown: unknown;
                await (async () => subject.call(native, values))().catch((error) => {
                    thrown = error;
                });
                count(judged(name, subject, making, before, thrown));
            });
            await fc.assert(property, settings(subject));
        } else {
            const property = fc.property(callDrafts(subject.args.length), (draft) => {
                const one = callOnce(native, name, subject, draft);
                count(one.code);
                if (!subject.alone) expectTwins(name, subject, one, callOnce(fallback, name, subject, draft));
            });
            fc.assert(property, settings(subject));
        }
        // A property that refuses everything, or nothing, tests little.
        expect(succeeded).toBeGreaterThan(0);
        if (!subject.anything) expect(refused).toBeGreaterThan(0);
    });
}

describe(`seed ${SEED}, ${RUNS} calls each`, () => {
    test('every export has an entry, and every entry is one', () => {
        expect(Object.keys(EXPORTS).sort()).toEqual(Object.keys(lib).sort());
        for (const [name, entry] of Object.entries(EXPORTS)) {
            const type = typeof Reflect.get(lib, name);
            expect([name, type === 'function']).toEqual([name, entry !== 'constant']);
        }
    });

    test('every member of the classes has an entry', () => {
        const members = (prototype: object) =>
            Object.entries(Object.getOwnPropertyDescriptors(prototype))
                .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
                .map(([name]) => name);
        const methodsOf = (table: Readonly<Record<string, unknown>>) => [
            ...new Set(Object.keys(table).map((name) => name.split(',')[0])),
        ];
        const rig = [...members(lib.Rig.prototype), ...members(Object.getPrototypeOf(lib.Rig.prototype))];
        expect(methodsOf(RIG_METHODS).sort()).toEqual(rig.sort());
        expect(methodsOf(TABLE_METHODS).sort()).toEqual(members(lib.BakedTable.prototype).sort());
        const statics = [lib.Rig, lib.BakedTable].flatMap((of) =>
            Object.getOwnPropertyNames(of)
                .filter((name) => !['length', 'name', 'prototype'].includes(name))
                .map((name) => `${of.name}.${name}`),
        );
        expect(methodsOf(STATICS).sort()).toEqual(statics.sort());
        const settable = Object.entries(Object.getOwnPropertyDescriptors(PosesClass.prototype)).filter(
            ([, { set }]) => set,
        );
        expect(Object.keys(POSES_MEMBERS)).toEqual(settable.map(([name]) => name));
    });

    describe('exports', () => {
        for (const [name, entry] of Object.entries(EXPORTS)) if (typeof entry === 'object') testCalls(name, entry);
    });
    describe('Rig', () => {
        for (const [name, subject] of Object.entries(RIG_METHODS)) testCalls(name, subject);
    });
    describe('statics', () => {
        for (const [name, subject] of Object.entries(STATICS)) testCalls(name, subject);
    });
    describe('BakedTable and Poses', () => {
        for (const [name, subject] of Object.entries({ ...TABLE_METHODS, ...POSES_MEMBERS })) testCalls(name, subject);
    });
});
