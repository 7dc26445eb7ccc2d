// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { implementations, type Routine } from '../../lib/lists';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '../..');
const DOCUMENT = path.join(ROOT, 'docs/accuracy.md');

const scratch = scratchFolder();

/** The first check measures, all others take what it measured. */
function run(...options: string[]) {
    const script = path.join(ROOT, 'scripts/accuracy.mjs');
    const args = [script, '--measurement', path.join(scratch(), 'measured'), ...options];
    const { status, stdout, stderr } = runNode(args);
    return { status, stdout, stderr };
}

/** `--check` of a document that says something else. */
function checkChanged(change: (text: string) => string) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-accuracy-'));
    try {
        const text = fs.readFileSync(DOCUMENT, 'utf8');
        const changed = change(text);
        expect(changed).not.toBe(text);
        fs.writeFileSync(path.join(folder, 'accuracy.md'), changed);
        return run('--check', '--folder', folder);
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

/** The lines of a section of the document. */
function section(title: string): string[] {
    const text = fs.readFileSync(DOCUMENT, 'utf8');
    const start = text.search(new RegExp(`^### ${title}\\b`, 'm'));
    expect([title, start]).not.toEqual([title, -1]);
    const [, ...lines] = text.slice(start).split('\n');
    const end = lines.findIndex((line) => line.startsWith('##'));
    return lines.slice(0, end);
}

describe('scripts/accuracy.mjs', () => {
    test('docs/accuracy.md has a row for every implementation, and no error is greater than it says', () => {
        const { status, stdout, stderr } = run('--check');
        expect(stderr).toBe('');
        expect(stdout).toMatch(/^docs\/accuracy\.md: \d\d+ rows, current\n$/);
        expect(status).toBe(0);
    });

    test('every implementation is in the section of every routine that it has', () => {
        const measured: readonly Routine[] = [
            'slerpQuats',
            'slerp',
            'slerpTransformed',
            'slerpOptimized',
            'slerpOptimizedExact',
            'lerp',
            'lerpQuats',
            'slerpQuatsPerQuat',
            'slerpJoints',
            'slerpJointsPerJoint',
            'lerpJoints',
            'normalizeJoints',
            'reciprocalSqrt',
            'sinZeroHalfPI',
            'atanPositive',
            'convertJointQuatsToJointMats',
            'convertJointMatsToJointQuats',
            'transformSkeleton',
        ];
        for (const routine of measured) {
            const lines = section(routine);
            for (const { name, routines, maxTerms } of implementations()) {
                // Measured on x86-64.
                if (!routines.includes(routine) || name === 'strict/neon') continue;
                for (const terms of maxTerms && routine !== 'slerp'
                    ? [', 8 terms', ', 12 terms', ', 16 terms']
                    : ['']) {
                    const rows = lines.filter((line) => line.startsWith(`| \`${name}${terms}\``));
                    expect([routine, name, terms, rows.length]).toEqual([routine, name, terms, 1]);
                }
            }
        }
    });

    test('--check names a row that is missing, an error that is greater than the document says, and no more', () => {
        const { status, stderr } = checkChanged((text) =>
            text
                .replace(/^\| `eberly\/typescript, 12 terms`.*\n/m, '')
                .replace(/^\| `intel\/typescript` \| \S+ /m, '| `intel/typescript` | 1.00e-8 '),
        );
        const lines = stderr.trimEnd().split('\n').sort();
        expect(lines).toEqual([
            expect.stringMatching(/accuracy\.md: no row for slerpQuats: eberly\/typescript, 12 terms$/),
            expect.stringMatching(
                /accuracy\.md: slerpQuats: intel\/typescript: max on \(a\) is \S+e-7, stated 1\.00e-8$/,
            ),
        ]);
        expect(status).toBe(1);
    });

    test('--quick writes the document and its plots, and says that it was quick', () => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-accuracy-'));
        try {
            const { status, stderr } = run('--quick', '--folder', folder);
            expect(stderr).toBe('');
            expect(status).toBe(0);
            const text = fs.readFileSync(path.join(folder, 'accuracy.md'), 'utf8');
            expect(text).toContain('QUICK MODE');
            const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1]!);
            expect(pictures.length).toBeGreaterThan(2);
            for (const picture of pictures) {
                expect(fs.readFileSync(path.join(folder, picture), 'utf8')).toMatch(/^<svg /);
                expect(fs.existsSync(path.join(ROOT, 'docs', picture))).toBe(true);
            }
        } finally {
            fs.rmSync(folder, { recursive: true });
        }
    });

    test('the document was not written in quick mode, and names its machine', () => {
        const text = fs.readFileSync(DOCUMENT, 'utf8');
        expect(text).not.toContain('QUICK MODE');
        expect(text).toMatch(/^Measured on: .+, Node \d+\.\d+\.\d+\. /m);
        expect(text).not.toMatch(/\b(NaN|Infinity|undefined) [|]/);
        expect(text).not.toMatch(/^#.*undefined/m);
    });
});
