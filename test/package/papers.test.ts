// SPDX-License-Identifier: MIT

/** docs/papers.md and its tables list all routines, defects and repairs of code and tests. docs.test.ts checks the links. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { implementations } from '../../lib/lists';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

test('every routine of every port has a row, and rows name only routines of ports', () => {
    const wanted = implementations()
        .filter(({ name }) => /^(paper|blueprint|intel|eberly)\//.test(name))
        .flatMap(({ name, routines }) => routines.map((routine) => `${routine} of ${name}`));
    const rows = read('docs/tables/papers-contents.md').matchAll(/^\|.*\| `(\w+)` of (.+) \|$/gm);
    const found = [...rows].flatMap(([, routine, names]) => codes(names!).map((name) => `${routine} of ${name}`));
    expect([...new Set(found)].sort()).toEqual([...wanted].sort());
    expect(found.length).toBeGreaterThan(50);
});

test('defects are numbered from 1, each with one row', () => {
    const numbers = [...read('docs/tables/papers-defects.md').matchAll(/^\| <a id="d(\d+)"><\/a>(\d+) /gm)];
    for (const [, anchor, number] of numbers) expect(anchor).toBe(number);
    const sorted = numbers.map(([, number]) => Number(number)).sort((a, b) => a - b);
    expect(sorted).toEqual(sorted.map((_, k) => k + 1));
    expect(sorted.length).toBeGreaterThan(42);
});

test('the repairs have the headings that the transcriptions name', () => {
    const marks = ['slerping_clock_cycles', 'from_quaternion_to_matrix_and_back', 'the_skeleton_assembly_line'].flatMap(
        (name) =>
            [...read(`test/oracle/${name}.S`).matchAll(/repaired: papers-repairs\.md ([A-Z]-[A-Z6]|Choices)/g)].map(
                (m) => m[1]!,
            ),
    );
    const headings = [...read('docs/tables/papers-repairs.md').matchAll(/^## (.+)$/gm)].map((match) => match[1]!);
    expect(new Set(headings)).toEqual(new Set(marks));
});
