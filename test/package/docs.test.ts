// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode, runProgram } from '../support/processes';

const ROOT = join(__dirname, '../..');

function sources(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return sources(path);
        return /\.ts$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
    });
}

describe('documentation', () => {
    test('docs/tables/warnings.md has exactly the warning codes of the reader, the baker and the reducer', () => {
        const reading = /type ReadWarningCode =([\s\S]+?');\n/.exec(sources(join(ROOT, 'lib/gltf')).join('\n'))![1]!;
        const codes = new Set([...reading.matchAll(/'([A-Z_]+)'/g)].map((match) => match[1]!));
        for (const text of ['lib/bake', 'lib/rig/retarget', 'lib/reduce'].flatMap((folder) =>
            sources(join(ROOT, folder)),
        )) {
            for (const match of text.matchAll(/code: '(?!CACHE_)([A-Z]+(?:_[A-Z]+)+)'/g)) codes.add(match[1]!);
        }
        const page = readFileSync(join(ROOT, 'docs/tables/warnings.md'), 'utf8');
        const documented = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map((match) => match[1]!);
        expect(codes.size).toBeGreaterThan(8);
        expect(documented.sort()).toEqual([...codes].sort());
    });

    test('docs/pipeline.md has exactly the codes of a cache', () => {
        const store = readFileSync(join(ROOT, 'lib/cache/store.ts'), 'utf8');
        const codes = /type CacheCode =([\s\S]+?');\n/.exec(store)![1]!.match(/CACHE_[A-Z_]+/g)!;
        const guide = readFileSync(join(ROOT, 'docs/pipeline.md'), 'utf8');
        const documented = [...guide.matchAll(/^\| `(CACHE_[A-Z_]+)` \|/gm)].map((match) => match[1]!);
        expect(documented.sort()).toEqual(codes.sort());
    });

    /** The documents of the package, and its other files. */
    const { stdout } = runProgram('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT });
    const packed = new Set((JSON.parse(stdout) as [{ files: { path: string }[] }])[0].files.map(({ path }) => path));
    const documents = [...packed].filter((file) => file.endsWith('.md') && !file.startsWith('native/'));
    const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

    test('links in the documents lead to files of the package and existing headings', () => {
        const anchorsOf = (file: string) => [
            ...[...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
                heading!
                    .toLowerCase()
                    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
                    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
                    .replaceAll(' ', '-'),
            ),
            ...[...textOf(file).matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!),
        ];
        const faults: string[] = [];
        let links = 0;
        for (const document of documents) {
            for (const [, file, anchor] of textOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
                links++;
                const target = file === '' ? document : join(dirname(document), file!);
                if (!packed.has(target)) faults.push(`${document}: ${target} is not in the package`);
                else if (anchor !== undefined && !anchorsOf(target).includes(anchor))
                    faults.push(`${document}: ${target} has no heading #${anchor}`);
            }
        }
        expect(faults).toEqual([]);
        expect(links).toBeGreaterThan(300);
    });

    test('named files of the repository exist, with the mentioned name or test', () => {
        const faults: string[] = [];
        let mentions = 0;
        // [`name`](file), `name` in `file`, `some.test.ts` "title of a test"
        const mention =
            /(?:`(?:\w+::)?(\w+)` in )?`((?:bench|examples|lib|native|test)\/[\w./@-]+\.\w+)`(?: "([^"]+)")?|\[`(?:\w+::)?(\w+)`\]\(([^)#]+)\)/g;
        for (const document of documents.filter((file) => file.startsWith('docs/'))) {
            for (const [, name, file, title, linked, link] of textOf(document).matchAll(mention)) {
                const path = file ?? join(dirname(document), link!);
                mentions++;
                const words = [name ?? linked, title].filter((word) => word !== undefined);
                if (!existsSync(join(ROOT, path))) faults.push(`${document}: no ${path}`);
                else if (!words.every((word) => textOf(path).includes(word)))
                    faults.push(`${document}: ${path} does not contain "${words.join('", "')}"`);
            }
        }
        expect(faults).toEqual([]);
        expect(mentions).toBeGreaterThan(150);
    });
});

test('tables of the documents follow from the source', () => {
    const { status, stderr } = runNode([join(ROOT, 'scripts/docs/tables.mjs'), '--check'], { cwd: ROOT });
    expect([status, stderr]).toEqual([0, '']);
});

test('npx gets its own options before --, and none of the command', () => {
    const files = [join(ROOT, 'README.md'), ...readdirSync(join(ROOT, 'docs')).map((name) => join(ROOT, 'docs', name))];
    const faulty = files
        .filter((file) => /\.(md|html)$/.test(file))
        .filter((file) => /npx (--?\S+ )+poselane/.test(readFileSync(file, 'utf8').replaceAll('npx --no -- ', '')));
    expect(faulty).toEqual([]);
});
