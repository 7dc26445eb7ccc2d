// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { runNode } from '../../support/processes';

const SCRIPT = join(__dirname, '../hierarchies.mjs');

interface Result {
    kind: string;
    nodes: number;
    rows?: number;
    warnings?: number;
    error?: string;
    pointer?: string;
    cpuSeconds: number;
    peakMiB: number;
}

function measure(...kinds: string[]): Result[] {
    const { stdout, stderr } = runNode([SCRIPT, ...kinds]);
    const results = stdout.split('\n').flatMap((line): Result[] => (line === '' ? [] : [JSON.parse(line)]));
    if (results.length !== kinds.length) throw new Error(stderr);
    return results;
}

// The clock of a busy machine says nothing; CPU time does, with the garbage collector's threads in it.
const within = { cpuSeconds: expect.any(Number), wallSeconds: expect.any(Number), peakMiB: expect.any(Number) };
const checkCost = (results: Result[]) => {
    for (const { kind, cpuSeconds, peakMiB } of results) {
        expect([kind, cpuSeconds < 10 ? 'in time' : cpuSeconds]).toEqual([kind, 'in time']);
        expect([kind, peakMiB < 1024 ? 'in memory' : peakMiB]).toEqual([kind, 'in memory']);
        expect(peakMiB).toBeGreaterThan(20);
    }
};

// The worst of those in docs/reliability.md; `node test/long/hierarchies.mjs` runs them all.
test('a million nodes are baked, or refused with a place and a rule, within 10 s and 1 GiB', () => {
    const results = measure('star-all', 'star-warned');
    expect(results).toEqual([
        { kind: 'star-all', nodes: 1_000_000, error: 'GLTF_INVALID', pointer: '/skins/0/joints', ...within },
        { kind: 'star-warned', nodes: 1_000_000, rows: 31, warnings: 1001, ...within },
    ]);
    checkCost(results);
}, 120_000);

test('a skin of as many nodes as the limit allows is baked within the same', () => {
    const results = measure('star-at-limit');
    expect(results).toEqual([{ kind: 'star-at-limit', nodes: 65_536, rows: 31, warnings: 0, ...within }]);
    checkCost(results);
}, 120_000);
