// SPDX-License-Identifier: MIT

import { wrongType } from './arguments';
import { rangeError } from './errors';

const MAX_LISTED = 8;
/** Maximum number of compared characters. Long names in large files must not take seconds. */
const MAX_COMPARED = 64;

/**
 * The number of the only thing with a name.
 *
 * @param noun Name of the things in messages: `clip`, `slot`.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_UNKNOWN_NAME` with similar names, `ERR_AMBIGUOUS_NAME` with
 * the numbers.
 */
export function indexNamed(
    routine: string,
    noun: string,
    things: readonly { readonly name: string }[],
    name: unknown,
): number {
    if (typeof name !== 'string') throw wrongType(routine, 'name', 'a string', name);
    const first = things.findIndex((thing) => thing.name === name);
    if (first < 0) {
        throw rangeError('ERR_UNKNOWN_NAME', `${routine}: no ${noun} '${name}', ${nearNames(name, things)}`);
    }
    const second = things.findIndex((thing, index) => index > first && thing.name === name);
    if (second < 0) return first;
    const which = `the ${noun}s ${first} and ${second} are both called '${name}'`;
    throw rangeError('ERR_AMBIGUOUS_NAME', `${routine}: ${which}: use their numbers`);
}

/** "has 'Walk', 'Run', #2": all names if they are few, otherwise those most similar to `name`. */
export function nearNames(name: string, things: readonly { readonly name: string }[]): string {
    if (things.length === 0) return 'has none';
    const known = things.map((thing, index) => (thing.name === '' ? `#${index}` : `'${thing.name}'`));
    if (known.length <= MAX_LISTED) return `has ${known.join(', ')}`;
    const near = things.map((thing, index) => ({ index, distance: distance(name, thing.name) }));
    near.sort((a, b) => a.distance - b.distance || a.index - b.index);
    const listed = near.slice(0, MAX_LISTED).map(({ index }) => known[index]);
    return `has ${listed.join(', ')} and ${known.length - MAX_LISTED} more`;
}

/** The number of differing letters, ignoring case (Levenshtein distance). 1 if one name contains the other. */
function distance(name: string, other: string): number {
    const [a, b] = [name, other].map((text) => text.slice(0, MAX_COMPARED).toLowerCase()) as [string, string];
    if (a !== '' && b !== '' && (a.includes(b) || b.includes(a))) return 1;
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
            next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
        }
        row = next;
    }
    return row[b.length]!;
}

/** The stem of output files: `hero.glb` -> `hero`. A name that is only an extension is kept. */
export function stemOf(name: string): string {
    const dot = name.lastIndexOf('.');
    return dot > 0 ? name.slice(0, dot) : name;
}
