// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { implementations } from '../../lib/lists';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '../..');
const DOCS = path.join(ROOT, 'docs');
const FILES = ['numerics.md', 'numerics/measured.json', 'numerics/error-by-angle.svg', 'numerics/error-by-degree.svg'];

const scratch = scratchFolder();

/** The first check measures, all others take what it measured. */
function run(...options: string[]) {
    const script = path.join(ROOT, 'scripts/numerics-doc.mjs');
    const args = [script, '--measurement', path.join(scratch(), 'measured'), ...options];
    const { status, stdout, stderr } = runNode(args);
    return { status, stdout, stderr };
}

/** `--check` of a copy of the document, of which some files say something else. */
function checkChanged(files: readonly string[], change: (text: string) => string) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-numerics-'));
    try {
        fs.cpSync(path.join(DOCS, 'numerics.md'), path.join(folder, 'numerics.md'));
        fs.cpSync(path.join(DOCS, 'numerics'), path.join(folder, 'numerics'), { recursive: true });
        for (const file of files) {
            const text = fs.readFileSync(path.join(folder, file), 'utf8');
            const changed = change(text);
            expect([file, changed === text]).toEqual([file, false]);
            fs.writeFileSync(path.join(folder, file), changed);
        }
        return run('--check', '--folder', folder);
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

/** The same with a measurement changed, and the document written from it. */
function checkMeasured(change: (measured: Measured) => void) {
    return checkChanged(['numerics/measured.json'], (text) => {
        const measured = JSON.parse(text) as Measured;
        change(measured);
        return JSON.stringify(measured);
    });
}

interface Measured {
    quick: boolean;
    slerps: { routine: string | null; label: string; a?: { max: number } }[];
    forms: { name: string; a: { max: number } }[];
    coefficients: { name: string; weight: number }[];
}

const measured = JSON.parse(fs.readFileSync(path.join(DOCS, 'numerics/measured.json'), 'utf8')) as Measured;
const text = fs.readFileSync(path.join(DOCS, 'numerics.md'), 'utf8');

describe('scripts/numerics-doc.mjs', () => {
    test('docs/numerics.md is current, and what it says is so', () => {
        const { status, stdout, stderr } = run('--check');
        expect(stderr).toBe('');
        expect(stdout).toBe('docs/numerics.md: current\n');
        expect(status).toBe(0);
    });

    test('every implementation that slerps lists of quaternions has a row, measured in full', () => {
        expect(measured.quick).toBe(false);
        expect(text).not.toContain('QUICK MODE');
        for (const { name, routines } of implementations()) {
            for (const routine of ['slerpQuats', 'slerpQuatsPerQuat'] as const) {
                // Measured on x86-64.
                if (!routines.includes(routine) || name === 'strict/neon') continue;
                const rows = measured.slerps.filter(
                    (one) => one.routine === routine && one.label.split(',')[0] === name,
                );
                expect([routine, name, rows.length > 0]).toEqual([routine, name, true]);
                for (const { label } of rows) expect(text).toContain(`\`${label}\``);
            }
        }
    });

    test('every strict routine leads to its order, its TypeScript and its C++', () => {
        const strict = implementations().find(({ name }) => name === 'strict/typescript')!;
        expect(strict.routines.length).toBeGreaterThanOrEqual(13);
        for (const routine of strict.routines) {
            const row = text.split('\n').find((line) => line.startsWith(`| \`${routine}\` | [`));
            expect([routine, row]).toEqual([routine, expect.any(String)]);
            expect(row).toMatch(/\]\(#[\w-]+\) \| .*\]\(\.\.\/lib\/strict\/.*\]\(\.\.\/native\/kernels\//);
        }
    });

    test('the strict slerps meet their bounds, and fast ones theirs', () => {
        const most = (routine: string, family: string) =>
            Math.max(
                ...measured.slerps
                    .filter((one) => one.routine === routine && one.label.startsWith(family) && one.a)
                    .flatMap((one) =>
                        ['a', 'b'].map((set) => (one as unknown as Record<string, { max: number }>)[set]!.max),
                    ),
            );
        expect(most('slerpQuats', 'strict/')).toBeLessThanOrEqual(1.6e-7);
        expect(most('slerpQuatsPerQuat', 'strict/')).toBeLessThanOrEqual(2e-7);
        expect(most('slerpQuats', 'fast/')).toBeLessThanOrEqual(4.8e-7);
        expect(most('slerpQuatsPerQuat', 'fast/')).toBeLessThanOrEqual(4.8e-7);
    });

    test('shows its plots, which are small', () => {
        const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1]!);
        expect(pictures).toHaveLength(4);
        for (const picture of pictures) {
            const svg = fs.readFileSync(path.join(DOCS, picture), 'utf8');
            expect(svg).toMatch(/^<svg /);
            expect(svg.length).toBeLessThan(20_000);
            expect(svg).not.toContain('NaN');
        }
    });

    test('--check tells what is stale', () => {
        const files = FILES.filter((name) => !name.endsWith('.json'));
        const { status, stderr } = checkChanged(files, (content) => content.replace('greatest', 'smallest'));
        expect(stderr.match(/\S+ differs/g)).toEqual(files.map((file) => `${file} differs`));
        expect(status).toBe(1);
    });

    test('--check tells an implementation that has no row, and an error that is greater than stated', () => {
        const { status, stderr } = checkMeasured(({ slerps, forms, coefficients }) => {
            slerps.splice(
                slerps.findIndex(({ label }) => label === 'strict/scalar'),
                1,
            );
            slerps.find(({ label }) => label === 'strict/typescript')!.a!.max = 1e-8;
            forms.find(({ name }) => name === 'PSd8')!.a.max = 2e-8;
            coefficients.find(({ name }) => name === 'PS9')!.weight = 1e-9;
        });
        expect(stderr).toMatch(/no row for slerpQuats of strict\/scalar$/m);
        expect(stderr).toMatch(/slerps, strict\/typescript: \(a\) max is \S+e-8, stated 1e-8$/m);
        expect(stderr).toMatch(/forms, PSd8: \(a\) max is \S+e-7, stated 2e-8$/m);
        expect(stderr).toMatch(/coefficients, PS9 is \S+e-9, stated 1e-9$/m);
        expect(status).toBe(1);
    });
});
