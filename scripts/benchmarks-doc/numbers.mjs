// SPDX-License-Identifier: MIT

/** What a run measured, looked up and written down. */

export const ELEMENTS = 1024;

export const unitOf = (run) => (run.papers.unit === 'ticks' ? 'TSC cycles' : 'ns');

/** A minimum in the unit of the tables, wherever it was timed. */
export function inUnit(run, { unit, min }) {
    if (unit === run.papers.unit) return min;
    return unit === 'ns' ? min * run.machine.ticksPerNs : min / run.machine.ticksPerNs;
}

export function find(run, routine, implementation, timed, n = ELEMENTS) {
    return run.results.find(
        (one) => one.routine === routine && one.implementation === implementation && one.timed === timed && one.n === n,
    );
}

export const inNs = (run, { unit, min }) => (unit === 'ns' ? min : min / run.machine.ticksPerNs);

const isPeer = (run, name) => run.peers.some((peer) => peer.name === name);

/** The fastest implementation that was timed in the addon, or else the fastest of all. */
export function best(run, routine, timed = 'addon') {
    const all = run.results.filter(
        (one) => one.routine === routine && one.n === ELEMENTS && !isPeer(run, one.implementation),
    );
    const candidates = all.some((one) => one.timed === timed) ? all.filter((one) => one.timed === timed) : all;
    return candidates.reduce((least, one) => (inUnit(run, one) < inUnit(run, least) ? one : least));
}

/** What the plain function of that name needs, called from JavaScript. */
export const plain = (run, routine) =>
    find(run, routine, run.machine.tier, 'javascript') ?? best(run, routine, 'javascript');

export const times = (value, decimals = 1) => (value === null ? '–' : `${value.toFixed(decimals)}×`);
export const one = (value) => (value === null || value === undefined ? '–' : value.toFixed(1));
export const two = (value) => (value === null || value === undefined ? '–' : value.toFixed(2));
export const brief = (value) => (value >= 99.95 ? value.toFixed(0) : value.toFixed(1));
