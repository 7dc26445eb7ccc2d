// SPDX-License-Identifier: MIT

/**
 * How many times a test repeats what goes wrong only now and then: `quick` in `npm test`, as many as POSELANE_ROUNDS says in the
 * long runs of docs/tables/reliability.md.
 */
export function rounds(quick: number): number {
    return Number(process.env.POSELANE_ROUNDS ?? quick);
}
