// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../support/processes';

const ROOT = join(__dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The code blocks of one language, in order. */
function blocks(language: string): string[] {
    return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
}

describe('README.md', () => {
    test('its sample runs as printed, by `require` and by `import`, and prints what the README says it prints', () => {
        const sample = blocks('js')[0]!;
        const [, said] = /\/\/ prints: (.+)/.exec(sample)!;
        const asModule = sample.replace(/^const (\{.+?\}) = require\('poselane'\);/m, "import $1 from 'poselane';");
        expect(asModule).not.toBe(sample);
        for (const args of [
            ['--input-type=commonjs', '-e', sample],
            ['--input-type=module', '-e', asModule],
        ]) {
            // The package's own name resolves to itself inside its folder: this is what `npm run build` made.
            const { stdout, stderr } = runNode(args, { cwd: ROOT });
            expect(stderr).toBe('');
            expect(stdout.trim()).toBe(said!.trim());
        }
    });

    test('the scripts that its commands name exist', () => {
        const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
        const named = [...README.matchAll(/npm (?:run (?<script>[\w:-]+)|(?<builtin>test))/g)].map(
            (match) => match.groups!.script ?? match.groups!.builtin!,
        );
        expect(named.length).toBeGreaterThan(3);
        for (const name of named) expect(Object.keys(scripts)).toContain(name);
    });
});
