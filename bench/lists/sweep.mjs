// SPDX-License-Identifier: MIT

/** The list routines of bench/sweep.mjs. */

import { createRequire } from 'node:module';
import { createData, generator } from '../../dist/bench/data.js';
import { callsOn } from '../../dist/bench/routine-calls.js';
import { implementations } from '../../dist/lists/implementations.js';
import { typescriptUpToOf } from '../../dist/lists/plain-webassembly.js';
import { ROUTINES, STRICT_ROUTINES } from '../../dist/lists/routines.js';
import { slowerTiers, TIERS } from '../tiers.mjs';

const numbers = (length, of) => Int32Array.from({ length }, (_, i) => of(i));
function permutation(n) {
    const random = generator(n);
    return Array.from({ length: n }, (_, i) => [random(), i])
        .sort(([a], [b]) => a - b)
        .map(([, i]) => i);
}
/** By name; every order but the last two names no element twice. */
const ORDERS = {
    'no list': () => null,
    identity: (n) => numbers(n, (i) => i),
    'every second': (n) => numbers(n, (i) => 2 * i),
    permuted: (n) => Int32Array.from(permutation(n)),
    descending: (n) => numbers(n, (i) => n - 1 - i),
    'each twice': (n) => numbers(n, (i) => i >> 1),
    'all again': (n) => numbers(n, (i) => i % Math.ceil(n / 2)),
};
const REPEATS = Object.keys(ORDERS).slice(-2);

const available = implementations().flatMap(({ name, available }) => (available ? [name] : []));

/**
 * The functions of an implementation, from a copy of dist/lists of its own. V8 inlines a call only where it calls one function, as in a
 * program with one implementation; otherwise each call of the addon takes 20 ns longer.
 */
function loadAlone(name) {
    const load = createRequire(import.meta.url);
    for (const file of Object.keys(load.cache)) if (/[\\/]dist[\\/]lists[\\/]/.test(file)) delete load.cache[file];
    const { implementation, plainOf } = load('../../dist/lists/implementations.js');
    return TIERS.includes(name) ? (routine) => plainOf(name, routine)?.run : (routine) => implementation(name)[routine];
}

/** Rivals of a tier besides the tiers below it: the float32 routines of the papers that run wherever it does. */
const LISTINGS = { scalar: /\/c$/, sse2: /\/c$|\/sse$/, neon: /\/c$/, avx2: /\/c$|\/sse$|intel\/avx$/ };
LISTINGS.avx512 = LISTINGS.avx2;

function rivalsOf(tier, order, isShort) {
    // The listings blend an element that a group of four names twice in another way.
    const listings = REPEATS.includes(order) ? undefined : LISTINGS[tier.slice('strict/'.length)];
    const named = available.filter((name) => /^(paper|blueprint|intel)\//.test(name) && listings?.test(name));
    // For short lists all tiers run one function, which V8 compiles in better and worse ways.
    return [...(isShort ? [] : slowerTiers(tier, available)), ...named];
}

export function* listCases(quick, isChosen) {
    for (const routine of STRICT_ROUTINES) {
        for (const n of quick ? [1, 4, 64, 1024] : [1, 2, 3, 4, 8, 16, 64, 256, 1024]) {
            for (const order of ROUTINES[routine].selection === 'index' ? Object.keys(ORDERS) : ['no list']) {
                const labels = { group: 'lists', unit: 'ns a call', what: routine, n, order };
                const calls = Math.max(20, Math.round(3000 / n));
                if (isChosen(labels)) yield { ...labels, calls, makeSubjects: makerOf(routine, n, order) };
            }
        }
    }
}

/** For all cases; a case that is measured again loads its own. */
const loaded = Object.fromEntries(available.map((name) => [name, loadAlone(name)]));

function makerOf(routine, n, order) {
    let made = 0;
    return () => subjectsOf(routine, n, order, (name) => (made++ < available.length ? loaded[name] : loadAlone(name)));
}

function subjectsOf(routine, n, order, functionsOf) {
    const { lists, parameter, selection } = ROUTINES[routine];
    const index = ORDERS[order](n);
    const data = createData(index === null ? n : Math.max(...index) + 1, 'random');
    const call = callsOn(data)[routine];
    const given = call.addon(0).slice(0, lists.length + (parameter ? 1 : 0));
    const args = [...given, ...(selection === 'parents' ? [data.parents] : index === null ? [] : [index])];
    const prepare = () => call.source && call.destination.set(call.source);
    const isShort = (tier) =>
        tier === 'strict/wasm'
            ? n <= typescriptUpToOf(routine, index !== null)
            : n <= (ROUTINES[routine].typescriptUpTo ?? 0);
    const rivals = Object.fromEntries(TIERS.map((tier) => [tier, rivalsOf(tier, order, isShort(tier))]));
    const functions = available.flatMap((name) => {
        const run = functionsOf(name)(routine);
        return run === undefined ? [] : [{ name, run: runOf(run, args, call.source) }];
    });
    const names = functions.map(({ name }) => name);
    return functions
        .filter(({ name }) => TIERS.includes(name) || TIERS.some((tier) => rivals[tier].includes(name)))
        .map(({ name, run }) => {
            const own = rivals[name]?.filter((rival) => names.includes(rival));
            return { name, rivals: own, run, prepare, outputs: [], units: 1 };
        });
}

let made = 0;

/**
 * A call that V8 compiles by itself. Blends in place go to two lists in turn: otherwise both joints would soon be equal, which the
 * listings blend faster.
 */
function runOf(call, [first, second, ...rest], source) {
    const other = source !== null && second instanceof Float32Array ? source : second;
    const names = rest.map((_, i) => `argument${i}`);
    const passed = ['first', ...(second === undefined ? [] : ['k % 2 ? other : second']), ...names].join(', ');
    const body = `return (k) => call(${passed}); // ${made++}`;
    return new Function('call', 'first', 'second', 'other', ...names, body)(call, first, second, other, ...rest);
}
