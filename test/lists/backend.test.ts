// SPDX-License-Identifier: MIT

/** POSELANE_BACKEND and the addon select the implementation, and errors say why one is not available. */

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as joints from '../../lib/lists';
import type { plain } from '../../lib/lists/plain';
import { ROUTINES, type Routine, STRICT_ROUTINES } from '../../lib/lists/routines';
import { expectSameBits } from '../support/bytes';
import {
    FALLBACK,
    IMPLEMENTATIONS,
    isTypescript,
    itNative,
    JOINT_ROUTINES,
    type JointRoutine,
    WASM,
} from '../support/implementations';
import { runNode } from '../support/processes';
import { argumentsOf, listsOf, optionsOf, requiredOf } from '../support/routine-arguments';

type Library = typeof joints & { readonly plain: typeof plain };

/** The implementation that runs a plain function. */
const servedBy = (library: Library, routine: JointRoutine) => library.plain[routine].implementation;

const ALL = IMPLEMENTATIONS.map(({ name }) => name);
/** Those that need no addon. */
const PORTABLE = ALL.filter((name) => isTypescript(name) || name === WASM);
const NATIVE = ALL.filter((name) => !PORTABLE.includes(name));
/** The best `strict` implementation of the addon on this machine, which the plain functions use. */
const bestStrict = (library: typeof joints) =>
    ['avx512', 'avx2', 'sse2', 'neon', 'scalar']
        .map((isa) => `strict/${isa}`)
        .find((name) => available(library).includes(name))!;

let empty: string;
beforeAll(() => {
    empty = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-empty-'));
});
afterAll(() => {
    fs.rmdirSync(empty);
});

interface Environment {
    /** POSELANE_BACKEND; undefined: not set. */
    readonly backend?: string;
    /** Without the addon, as on a platform that has no build. */
    readonly missing?: boolean;
    /** POSELANE_PREBUILD: another folder to search for the addon. */
    readonly folder?: string;
}

/** The library as it loads in a fresh process with that environment. */
function load({ backend, missing, folder = missing ? empty : undefined }: Environment): Library {
    const wanted = { POSELANE_BACKEND: backend, ...(folder === undefined ? {} : { POSELANE_PREBUILD: folder }) };
    const saved = new Map<string, string | undefined>();
    const set = (name: string, value: string | undefined) => {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    };
    let library: Library | undefined;
    try {
        for (const [name, value] of Object.entries(wanted)) {
            saved.set(name, process.env[name]);
            set(name, value);
        }
        jest.isolateModules(() => {
            library = { ...require('../../lib/lists'), plain: require('../../lib/lists/plain').plain } as Library;
        });
    } finally {
        for (const [name, value] of saved) set(name, value);
    }
    return library!;
}

interface Coded extends Error {
    readonly code: string;
    readonly cause?: unknown;
}

function errorOf(run: () => unknown): Coded {
    try {
        run();
    } catch (error) {
        return error as Coded;
    }
    throw new Error('nothing was thrown');
}

const names = (library: typeof joints) => library.implementations().map(({ name }) => name);
const available = (library: typeof joints) =>
    library
        .implementations()
        .filter((entry) => entry.available)
        .map(({ name }) => name);

type Functions = Record<Routine, (...args: unknown[]) => void>;

/** All plain functions do their work. */
function expectToWork(library: Library): void {
    for (const routine of STRICT_ROUTINES) {
        const lists = listsOf(routine, 6);
        const [result] = Object.values(lists) as [Float32Array];
        const before = result.slice();
        (library as unknown as Functions)[routine](
            ...Object.values(argumentsOf(routine, lists, requiredOf(routine, 6))),
        );
        expect([routine, result.some((x, i) => x !== before[i])]).toEqual([routine, true]);
        expect([routine, result.every(Number.isFinite)]).toEqual([routine, true]);
    }
}

itNative('the addon loaded', () => {
    expect(joints.nativeLoadError).toBeNull();
    expect(available(joints)).toContain('paper/c');
});

describe('implementations()', () => {
    itNative("lists the addon's own table, then those in TypeScript, all with their routines", () => {
        const listed = load({ backend: 'native' })
            .implementations()
            .map(({ name, routines }) => ({ name, routines }));
        expect(listed).toEqual(IMPLEMENTATIONS);
    });

    it.each([{ backend: 'ts' }, { missing: true }])(
        'lists the same names and routines where the addon is not there: %j',
        (environment) => {
            const listed = load(environment).implementations();
            expect(listed.map(({ name, routines }) => ({ name, routines }))).toEqual(IMPLEMENTATIONS);
            expect(available(load(environment))).toEqual(PORTABLE);
        },
    );

    it('gives a reason with everything that is not available, and only with that', () => {
        for (const environment of [{}, { backend: 'ts' }, { missing: true }]) {
            for (const { available, reason } of load(environment).implementations()) {
                expect(typeof reason).toBe(available ? 'undefined' : 'string');
                if (!available) expect(reason!.length).toBeGreaterThan(10);
            }
        }
    });

    it('lists copies: a change of one changes nothing else', () => {
        const library = load({});
        const [first] = library.implementations();
        (first!.routines as string[]).length = 0;
        (first as { name: string }).name = 'other';
        expect(library.implementations()[0]).toMatchObject(IMPLEMENTATIONS[0]);
    });
});

describe('implementation(name)', () => {
    it('gives the same frozen object for the same name, with the listed functions and no others', () => {
        const library = load({});
        let tested = 0;
        for (const { name, routines, available } of library.implementations()) {
            if (!available) continue;
            const kernels = library.implementation(name);
            expect(library.implementation(name)).toBe(kernels);
            expect(Object.isFrozen(kernels)).toBe(true);
            expect(Object.keys(kernels).sort()).toEqual([...routines].sort());
            expect(Object.values(kernels).every((value) => typeof value === 'function')).toBe(true);
            tested++;
        }
        expect(tested).toBeGreaterThanOrEqual(1);
    });

    it.each([
        ['nope', '"nope"'],
        ['', '""'],
        ['toString', '"toString"'],
        ['PAPER/SSE', '"PAPER/SSE"'],
        [undefined, 'undefined'],
        [null, 'null'],
        [7, '7'],
        [Symbol('paper/sse'), 'a symbol'],
        ['x'.repeat(41), 'a string'],
    ])('refuses a name that it does not know and lists those that it knows: %p', (name, given) => {
        const error = errorOf(() => load({}).implementation(name as string));
        expect(error).toMatchObject({ name: 'RangeError', code: 'ERR_UNKNOWN_IMPLEMENTATION' });
        expect(error.message).toBe(`implementation: name must be one of ${ALL.join(', ')}; got ${given}`);
    });

    it.each(NATIVE)("%s without the addon: says why, with the loader's error as the cause", (name) => {
        const library = load({ missing: true });
        const error = errorOf(() => library.implementation(name));
        expect(error).toMatchObject({ name: 'Error', code: 'ERR_IMPLEMENTATION_UNAVAILABLE' });
        expect(error.message).toMatch(
            new RegExp(`^implementation: ${name} is not available: .*No native build was found`),
        );
        expect(error.cause).toBe(library.nativeLoadError);
    });

    it('says that POSELANE_BACKEND is why, where it is', () => {
        const error = errorOf(() => load({ backend: 'ts' }).implementation('paper/sse'));
        expect(error).toMatchObject({ name: 'Error', code: 'ERR_IMPLEMENTATION_UNAVAILABLE' });
        expect(error.message).toBe(
            'implementation: paper/sse is not available: POSELANE_BACKEND=ts: the addon was not loaded',
        );
        expect(error).not.toHaveProperty('cause');
    });
});

describe('the plain functions', () => {
    it.each(STRICT_ROUTINES)('%s gives the bits of strict/typescript, in short lists and in long ones', (routine) => {
        const library = load({}) as unknown as Functions & typeof joints;
        const right = library.implementation('strict/typescript') as unknown as Functions;
        for (let n = 1; n <= 24; n++) {
            const options = [
                ...[requiredOf(routine, n), optionsOf(routine, n)],
                ...(ROUTINES[routine].selection === 'options' ? [{ convention: 'id' }, {}] : []).map((given) => ({
                    options: given,
                })),
            ];
            for (const one of options) {
                const [actual, expected] = [library, right].map((functions) => {
                    const lists = listsOf(routine, n);
                    // 0.1 is not a float32.
                    functions[routine](...Object.values(argumentsOf(routine, lists, one, 0.1)));
                    return Object.values(lists)[0]!;
                });
                expectSameBits(actual!, expected!, 1, () => `N = ${n}, ${JSON.stringify(one)}`);
            }
        }
    });
});

describe('POSELANE_BACKEND', () => {
    /** `name` is null for the best of the addon. */
    const served: [environment: Environment, backend: 'native' | 'wasm' | 'ts', name: string | null][] = [
        [{}, 'native', null],
        [{ backend: '' }, 'native', null],
        [{ backend: 'native' }, 'native', null],
        [{ backend: 'strict/scalar' }, 'native', 'strict/scalar'],
        [{ backend: 'paper/c' }, 'native', 'paper/c'],
        [{ backend: 'paper/c-exact' }, 'native', 'paper/c-exact'],
        [{ backend: 'intel/avx' }, 'native', 'intel/avx'],
        [{ backend: 'ts', missing: true }, 'ts', FALLBACK],
        [{ backend: FALLBACK, missing: true }, 'ts', FALLBACK],
        [{ backend: 'paper/typescript', missing: true }, 'ts', 'paper/typescript'],
        [{ backend: 'wasm', missing: true }, 'wasm', WASM],
        [{ backend: WASM, missing: true }, 'wasm', WASM],
    ];
    for (const [environment, backend, name] of served) {
        (backend === 'native' ? itNative : it)(JSON.stringify(environment), () => {
            const library = load(environment);
            const own = name ?? bestStrict(library);
            // Nothing was tried without the addon, so nothing failed.
            const found = [library.backend, library.defaultImplementation, library.nativeLoadError];
            expect(found).toEqual([backend, own, null]);
            if (environment.missing) expect(available(library)).toEqual(PORTABLE);
            // The strict implementation of the same backend has all missing routines.
            const kernels = library.implementation(own);
            const others = { native: bestStrict(library), wasm: WASM, ts: FALLBACK }[backend];
            for (const routine of JOINT_ROUTINES) {
                expect([routine, servedBy(library, routine)]).toEqual([routine, kernels[routine] ? own : others]);
            }
            expectToWork(library);
        });
    }

    it.each(['nope', 'TS', 'typescript', 'paper/', ' ts'])('%p: throws and lists the valid names', (backend) => {
        const error = errorOf(() => load({ backend }));
        expect(error).toMatchObject({ name: 'RangeError', code: 'ERR_UNKNOWN_IMPLEMENTATION' });
        expect(error.message).toBe(
            `POSELANE_BACKEND must be ts, wasm, native or one of ${ALL.join(', ')}; got ${JSON.stringify(backend)}`,
        );
    });
});

describe('without the addon', () => {
    it('the plain functions work by WebAssembly, and nativeLoadError says why', () => {
        const library = load({ missing: true });
        expect(library.backend).toBe('wasm');
        expect(library.defaultImplementation).toBe(WASM);
        expect(names(library)).toEqual(ALL);
        const error = library.nativeLoadError as Coded;
        expect(error).toMatchObject({ name: 'Error', code: 'ERR_NATIVE_UNAVAILABLE' });
        expect(error.message).toMatch(/^the native addon did not load \(No native build was found .*\)/);
        expect(error.message).not.toContain('\n');
        expect((error.cause as Error).message).toContain(empty);
        expectToWork(library);
    });

    it("POSELANE_BACKEND=native throws, with the loader's error as the cause", () => {
        const error = errorOf(() => load({ backend: 'native', missing: true }));
        expect(error).toMatchObject({ name: 'Error', code: 'ERR_NATIVE_UNAVAILABLE' });
        expect(error.message).toMatch(
            /^POSELANE_BACKEND=native, but the native addon did not load \(No native build was found/,
        );
        expect((error.cause as Error).message).toContain('No native build was found');
        // The fallback was not asked for, so it is not in use.
        expect(error.message).not.toContain('fallback is in use');
    });

    it.each(NATIVE)('POSELANE_BACKEND=%s throws and says why', (backend) => {
        const error = errorOf(() => load({ backend, missing: true }));
        expect(error).toMatchObject({ name: 'Error', code: 'ERR_IMPLEMENTATION_UNAVAILABLE' });
        expect(error.message).toContain(backend);
        expect(error.message).toContain('No native build was found');
        expect((error.cause as Coded).code).toBe('ERR_NATIVE_UNAVAILABLE');
    });

    it('an unknown POSELANE_BACKEND is still called unknown', () => {
        expect(errorOf(() => load({ backend: 'nope', missing: true })).code).toBe('ERR_UNKNOWN_IMPLEMENTATION');
    });

    it('a file that is not an addon is an error of the loader like any other', () => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-broken-'));
        try {
            fs.mkdirSync(path.join(folder, 'build', 'Release'), { recursive: true });
            fs.writeFileSync(path.join(folder, 'build', 'Release', 'poselane.node'), 'no addon');
            const library = load({ folder });
            expect(library.backend).toBe('wasm');
            expect(library.nativeLoadError).toMatchObject({ code: 'ERR_NATIVE_UNAVAILABLE' });
            expect((library.nativeLoadError as Coded).cause).toBeDefined();
            expectToWork(library);
        } finally {
            fs.rmSync(folder, { recursive: true });
        }
    });
});

// If the package is built, repeats this in real processes, which also shows that nothing is printed.
const dist = path.resolve(__dirname, '..', '..', 'dist', 'index.js');
if (fs.existsSync(dist)) {
    describe('the built package in its own process', () => {
        const run = (environment: Record<string, string>) =>
            runNode(
                [
                    '-e',
                    `const p = require(${JSON.stringify(dist)});
                    console.log(JSON.stringify([p.backend, p.defaultImplementation, p.nativeLoadError?.code ?? null]));`,
                ],
                { env: { ...process.env, POSELANE_BACKEND: '', ...environment } },
            );

        it('runs in TypeScript for ts, in WebAssembly for a missing addon, and prints nothing', () => {
            const ts = run({ POSELANE_BACKEND: 'ts' });
            expect([ts.stdout, ts.stderr]).toEqual([`["ts","${FALLBACK}",null]\n`, '']);
            const missing = run({ POSELANE_PREBUILD: empty });
            expect([missing.stdout, missing.stderr]).toEqual([`["wasm","${WASM}","ERR_NATIVE_UNAVAILABLE"]\n`, '']);
        });

        itNative('runs natively otherwise', () => {
            const { stdout, stderr } = run({});
            expect([stdout, stderr]).toEqual([`["native","${bestStrict(joints)}",null]\n`, '']);
        });

        it('ends with an error for a backend that it does not know', () => {
            const { status, stderr } = run({ POSELANE_BACKEND: 'nope' });
            expect(status).not.toBe(0);
            expect(stderr).toContain('POSELANE_BACKEND must be ts, wasm, native or one of');
        });
    });
}
