// SPDX-License-Identifier: MIT

/**
 * Every sample of the README and the guides compiles under `strict`, against the declarations of the built package. A comment
 * above a sample, which readers do not see, declares its givens: `<!-- given: declare const times: Float64Array; -->`.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
const SAMPLE = /(?:^<!-- given: (?<given>.*) -->\n)?^```(?:js|mjs|ts)\n(?<code>[\s\S]*?)^```/gm;

/** A page's samples, each with the line of the page that it starts at. */
function samplesOf(page: string): { given: string; code: string; line: number }[] {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(SAMPLE)].map(({ index, groups, 0: all }) => ({
        given: groups!.given ?? '',
        // TypeScript does not know the type of `require`.
        code: groups!.code!.replace(/^const (\{.+?\}) = require\((.+?)\);/gm, 'import $1 from $2;'),
        line: text.slice(0, index + all.indexOf('```')).split('\n').length,
    }));
}

describe('samples in the documents', () => {
    // Inside the package, where its own name and its packages are found.
    const folder = mkdtempSync(join(ROOT, 'build/samples-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('compile under strict', () => {
        const files: string[] = [];
        for (const page of PAGES.filter((name) => name.endsWith('.md'))) {
            for (const { given, code, line } of samplesOf(page)) {
                files.push(`${page.replace('/', '-')}-line-${line}.mts`);
                writeFileSync(join(folder, files.at(-1)!), `${given}\n${code}\nexport {};\n`);
            }
        }
        expect(files.length).toBeGreaterThan(15);
        const compilerOptions = {
            target: 'es2022',
            module: 'node16',
            lib: ['es2023', 'dom', 'esnext.disposable'],
            types: ['node'],
            strict: true,
            noEmit: true,
            skipLibCheck: true,
        };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
        const manifest = require.resolve('typescript/package.json');
        const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
        const { stdout, stderr } = runNode([join(dirname(manifest), bin.tsc), '-p', folder], { cwd: folder });
        expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([]);
        expect(stderr).toBe('');
    });
});
