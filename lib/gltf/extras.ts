// SPDX-License-Identifier: MIT

/** Maximum length of the JSON of an object's extras. Manifests repeat them. */
export const MAX_EXTRAS = 16384;
/** Maximum depth of extras. */
const MAX_DEPTH = 32;

/** Why extras are left out; null if they can be kept. `extras` is any JSON value (glTF 2.0, 3.12). */
export function extrasFault(extras: unknown): string | null {
    if (depthOf(extras, MAX_DEPTH) > MAX_DEPTH) return `are nested more than ${MAX_DEPTH} times`;
    const { length } = JSON.stringify(extras) ?? '';
    return length > MAX_EXTRAS ? `have ${length} characters of JSON, more than ${MAX_EXTRAS}` : null;
}

/** At most `max` + 1, so that the recursion is bounded. */
function depthOf(value: unknown, max: number): number {
    if (typeof value !== 'object' || value === null || max < 0) return 0;
    return 1 + Object.values(value).reduce<number>((deepest, one) => Math.max(deepest, depthOf(one, max - 1)), 0);
}
