// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '../..');
const DOCS = path.join(ROOT, 'docs');
const AXES = ['slots', 'keys', 'groups', 'poses'];

function run(...options: string[]) {
    const script = path.join(ROOT, 'scripts/rig-benchmarks-doc.mjs');
    const { status, stdout, stderr } = runNode([script, ...options]);
    return { status, stdout, stderr };
}

interface Measured {
    parts: {
        skinning: { name: string; nanoseconds: { min: number; median: number } }[];
        growth: { over: string; way: string; x: number; nanoseconds: { min: number; median: number } }[];
    };
}

const text = fs.readFileSync(path.join(DOCS, 'rig-benchmarks.md'), 'utf8');

describe('scripts/rig-benchmarks-doc.mjs', () => {
    const folder = scratchFolder();

    /** `--check` of a copy of the document, one file of which says something else. */
    function checkChanged(file: string, change: (text: string) => string) {
        fs.mkdirSync(path.join(folder(), 'benchmarks'), { recursive: true });
        const names = ['rig-benchmarks.md', 'benchmarks/rig.json', 'benchmarks/rig-missed.json'];
        for (const name of [...names, ...AXES.map((axis) => `benchmarks/rig-${axis}.svg`)]) {
            fs.copyFileSync(path.join(DOCS, name), path.join(folder(), name));
        }
        const before = fs.readFileSync(path.join(folder(), file), 'utf8');
        const after = change(before);
        expect(after).not.toBe(before);
        fs.writeFileSync(path.join(folder(), file), after);
        return run('--check', '--folder', folder());
    }

    function checkMeasured(change: (measured: Measured) => void) {
        return checkChanged('benchmarks/rig.json', (json) => {
            const measured = JSON.parse(json) as Measured;
            change(measured);
            return JSON.stringify(measured);
        });
    }

    test('docs/rig-benchmarks.md and its plots are what the script makes of the measurements', () => {
        const { status, stdout, stderr } = run('--check');
        expect(stderr).toBe('');
        expect(stdout.match(/\S+: current/g)).toHaveLength(1 + AXES.length);
        expect(status).toBe(0);
    });

    test('each line of what was to be reached has its row, with a verdict', () => {
        const row = (...words: string[]) =>
            text.split('\n').filter((line) => line.startsWith('| ') && words.every((word) => line.includes(word)));
        for (const tier of ['strict/avx512', 'strict/avx2']) {
            for (const words of [
                ['64 poses', '≤ 20 ticks'],
                ['64 poses', 'over three.js', '≥ 25 times'],
                ['64 poses', 'over flat JavaScript', '≥ 8 times'],
                ['1 pose', 'over three.js', '≥ 6 times'],
                ['200 characters', '≤ 0.15 ms'],
                ['200 characters', 'over three.js', '≥ 40 times'],
            ]) {
                const found = row(tier, ...words);
                expect([tier, words, found.length]).toEqual([tier, words, 1]);
                expect(found[0]).toMatch(/\| (reached|\*\*missed\*\*) \|$/);
            }
        }
        expect(row('Knight', '≥ 60 times')).toHaveLength(1);
        expect(row('positions and normals', '64 poses', '≤ 8 ns').length).toBeGreaterThan(0);
        expect(row('positions and normals', '64 poses', '≥ 5 times').length).toBeGreaterThan(0);
        expect(row('1,024 to 64,000 poses', '≤ 1.1 times')).toHaveLength(1);
    });

    test('shows four plots, of every curve that was measured', () => {
        const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1]!);
        expect(pictures).toEqual(AXES.map((axis) => `benchmarks/rig-${axis}.svg`));
        const { parts } = JSON.parse(fs.readFileSync(path.join(DOCS, 'benchmarks/rig.json'), 'utf8')) as Measured;
        for (const axis of AXES) {
            const svg = fs.readFileSync(path.join(DOCS, `benchmarks/rig-${axis}.svg`), 'utf8');
            const points = parts.growth.filter(({ over }) => over === axis);
            const curves = new Set(points.map(({ way }) => way));
            expect(svg.match(/<polyline /g)).toHaveLength(curves.size);
            for (const curve of curves) expect(svg).toContain(`>${curve}</text>`);
            // A mark for each point, and one for each curve in the legend.
            expect(svg.match(/<circle /g)).toHaveLength(points.length + curves.size);
            expect(svg).not.toContain('NaN');
        }
    });

    test('--check tells what is stale: the text, a plot', () => {
        const stale = checkChanged('rig-benchmarks.md', (content) => content.replace('reached', 'passed'));
        expect(stale).toMatchObject({ status: 1, stderr: expect.stringMatching(/^rig-benchmarks\.md differs/) });
    });

    test('a measurement changes its row and its curve', () => {
        const { status, stderr } = checkMeasured(({ parts }) => {
            parts.growth.find(({ over }) => over === 'keys')!.nanoseconds = { min: 1, median: 1.5 };
        });
        expect(stderr.match(/\S+ differs/g)).toEqual(['rig-benchmarks.md differs', 'benchmarks/rig-keys.svg differs']);
        expect(status).toBe(1);
    });

    test('a target that is missed has to be explained', () => {
        const { status, stderr } = checkMeasured(({ parts }) => {
            const points = parts.growth.filter(({ over }) => over === 'poses');
            for (const point of points) if (point.x === 64_000) point.nanoseconds = { min: 1000, median: 1000 };
            for (const one of parts.skinning) {
                if (one.name === 'flat JavaScript') one.nanoseconds = { min: 0.001, median: 0.001 };
                else one.name = one.name.replace('strict/typescript', 'strict/avx2');
            }
        });
        expect(stderr).toContain('rig-missed.json does not say why');
        expect(stderr).toContain('strict/avx2 over flat JavaScript');
        expect(status).not.toBe(0);
    });
});
