// SPDX-License-Identifier: MIT

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

describe('README.md', () => {
    test('the scripts that its commands name exist', () => {
        const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
        const named = [...README.matchAll(/npm (?:run (?<script>[\w:-]+)|(?<builtin>test))/g)].map(
            (match) => match.groups!.script ?? match.groups!.builtin!,
        );
        expect(named.length).toBeGreaterThan(3);
        for (const name of named) expect(Object.keys(scripts)).toContain(name);
    });

    test('its speeds are those of the benchmark pages, and its ratios match its speeds', () => {
        const table = README.split('<!-- speed -->')[1]!.split('<!-- /speed -->')[0]!;
        const measured = readdirSync(join(ROOT, 'docs'), { recursive: true })
            .map(String)
            .filter((name) => /benchmarks\.md$/.test(name))
            .flatMap((name) =>
                readFileSync(join(ROOT, 'docs', name), 'utf8')
                    .match(/\d+\.?\d*/g)!
                    .map(Number),
            );
        const rows = [...table.matchAll(/\| (?<ours>[\d.]+) [mn]s \|.*? (?<other>[\d.]+) [mn]s \| (?<ratio>[\d.]+)×/g)];
        expect(rows.length).toBeGreaterThan(5);
        for (const { groups } of rows) {
            const { ours, other, ratio } = groups!;
            for (const time of [ours!, other!]) {
                const digits = time.replace(/^0\.0*|\./g, '').length;
                const isPublished = measured.some((x) => Number(x.toPrecision(digits)) === Number(time));
                expect([time, isPublished]).toEqual([time, true]);
            }
            expect(Math.abs(Number(ratio) / (Number(other) / Number(ours)) - 1)).toBeLessThan(0.03);
        }
    });
});
