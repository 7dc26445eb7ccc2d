// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode } from '../support/processes';

const ROOT = join(__dirname, '../..');

function sources(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return sources(path);
        return /\.ts$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
    });
}

describe('documentation', () => {
    test('docs/faq.md has every warning code of the reader, the baker and the reducer, and no other', () => {
        const reading = /type ReadWarningCode =([\s\S]+?');\n/.exec(sources(join(ROOT, 'lib/gltf')).join('\n'))![1]!;
        const codes = new Set([...reading.matchAll(/'([A-Z_]+)'/g)].map((match) => match[1]!));
        for (const text of ['lib/bake', 'lib/rig/retarget', 'lib/reduce'].flatMap((folder) =>
            sources(join(ROOT, folder)),
        )) {
            for (const match of text.matchAll(/code: '(?!CACHE_)([A-Z]+(?:_[A-Z]+)+)'/g)) codes.add(match[1]!);
        }
        const section = readFileSync(join(ROOT, 'docs/faq.md'), 'utf8').split('## Warnings')[1]!.split('\n## ')[0]!;
        const documented = [...section.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map((match) => match[1]!);
        expect(codes.size).toBeGreaterThan(8);
        expect(documented.sort()).toEqual([...codes].sort());
    });

    test('docs/pipeline.md has every code of a cache, and no other', () => {
        const store = readFileSync(join(ROOT, 'lib/cache/store.ts'), 'utf8');
        const codes = /type CacheCode =([\s\S]+?');\n/.exec(store)![1]!.match(/CACHE_[A-Z_]+/g)!;
        const guide = readFileSync(join(ROOT, 'docs/pipeline.md'), 'utf8');
        const documented = [...guide.matchAll(/^\| `(CACHE_[A-Z_]+)` \|/gm)].map((match) => match[1]!);
        expect(documented.sort()).toEqual(codes.sort());
    });

    test('links in the documents lead to files that exist, with the name or the test that they mention', () => {
        const documents = [
            ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
            ...['docs', 'docs/tables'].flatMap((folder) =>
                readdirSync(join(ROOT, folder))
                    .filter((file) => file.endsWith('.md'))
                    .map((file) => `${folder}/${file}`),
            ),
        ];
        const faults: string[] = [];
        let links = 0;
        for (const document of documents) {
            const text = readFileSync(join(ROOT, document), 'utf8');
            // [words](file), [`a::name`](file), [some.test.ts](file) "title of a test"
            for (const match of text.matchAll(/\[([^\]]*)\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)(?: "([^"]+)")?/g)) {
                const [, words, file, title] = match;
                links++;
                const target = join(ROOT, dirname(document), file!);
                if (!existsSync(target)) {
                    faults.push(`${document}: no ${file}`);
                    continue;
                }
                const name = /^`(?:\w+::)?(\w+)`$/.exec(words!)?.[1];
                for (const mention of [name, /\.test\.ts$/.test(file!) ? title : undefined]) {
                    if (mention !== undefined && !readFileSync(target, 'utf8').includes(mention))
                        faults.push(`${document}: ${file} does not contain "${mention}"`);
                }
            }
        }
        expect(faults).toEqual([]);
        expect(links).toBeGreaterThan(300);
    });
});

test('docs/api follows from the source', () => {
    const { status, stderr } = runNode([join(ROOT, 'scripts/docs/api.mjs'), '--check'], { cwd: ROOT });
    expect([status, stderr]).toEqual([0, '']);
});

test('npx takes options of its own before --, and none of the command', () => {
    const files = [join(ROOT, 'README.md'), ...readdirSync(join(ROOT, 'docs')).map((name) => join(ROOT, 'docs', name))];
    const faulty = files
        .filter((file) => /\.(md|html)$/.test(file))
        .filter((file) => /npx (--?\S+ )+poselane/.test(readFileSync(file, 'utf8').replaceAll('npx --no -- ', '')));
    expect(faulty).toEqual([]);
});
