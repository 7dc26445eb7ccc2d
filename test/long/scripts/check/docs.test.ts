// SPDX-License-Identifier: MIT

/** What scripts/check/docs.mjs finds missing in doc comments, and scripts/docs/site/links.mjs dead in pages. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../../..');

/** Calls a function of an ES module in another process: jest loads none. */
function call<Result>(script: string, name: string, ...args: unknown[]): Result {
    const code = `import(${JSON.stringify(`file://${path.join(ROOT, script)}`)}).then((module) =>
        console.log(JSON.stringify(module.${name}(...JSON.parse(process.argv[1])))));`;
    const { stdout, stderr } = runNode(['-e', code, JSON.stringify(args)]);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Result;
}

const text = (words: string) => [{ kind: 'text', text: words }];
const comment = (summary: string, tags: Record<string, string> = {}) => ({
    summary: text(summary),
    blockTags: Object.entries(tags).map(([tag, content]) => ({ tag, content: text(content) })),
});

let id = 100;
function routine(name: string, signature: object) {
    id += 10;
    return {
        id,
        name,
        variant: 'declaration',
        kind: 64,
        signatures: [{ id: id + 1, variant: 'signature', ...signature }],
    };
}

/** A documentation of one module with these symbols. */
const api = (...children: object[]) => ({
    children: [{ id: 1, name: 'm', variant: 'declaration', kind: 2, comment: comment('A module.'), children }],
});
const faultsOf = (...children: object[]) =>
    call<{ faults: string[]; symbols: number }>('scripts/check/docs.mjs', 'faultsOf', api(...children)).faults;

const parameter = (name: string, words = '') => ({ id: ++id, variant: 'param', name, comment: comment(words) });
const number = { type: 'intrinsic', name: 'number' };
const nothing = { type: 'intrinsic', name: 'void' };

/** A routine of a paper that has all it needs. */
const good = routine('slerpJoints', {
    comment: comment('Slerp. Source: the paper, section 3.', { '@throws': 'RangeError.', '@returns': 'How many.' }),
    parameters: [parameter('joints', 'JointQuats, written.')],
    type: number,
});

describe('check-docs', () => {
    test('a complete comment is in order', () => {
        expect(faultsOf(good)).toEqual([]);
    });

    test('each thing that is missing is a fault', () => {
        const bare = routine('slerpJoints', { parameters: [parameter('joints')], type: number });
        expect(faultsOf(bare)).toEqual([
            'slerpJoints: says not what it does',
            'slerpJoints: parameter joints has no text',
            'slerpJoints: no @returns',
            'slerpJoints: no @throws, nor "Throws nothing"',
            'slerpJoints: no "Source:"',
        ]);
    });

    test('what returns nothing, throws nothing and is of no paper need not say more', () => {
        expect(faultsOf(routine('dispose', { comment: comment('Frees it. Throws nothing.'), type: nothing }))).toEqual(
            [],
        );
    });

    test('what is missing may stand where a comment refers to, and only there', () => {
        const linking = (words: string) => {
            const link = { kind: 'inline-tag', tag: '@link', text: 'slerpJoints', target: good.id };
            return routine('lerpJoints', {
                comment: { summary: [{ kind: 'text', text: words }, link] },
                parameters: [parameter('joints')],
                type: number,
            });
        };
        expect(faultsOf(good, linking('Lerp; arguments, source and errors as in '))).toEqual([]);
        expect(faultsOf(good, linking('Cheaper than '))).toHaveLength(4);
    });

    test('members need to say what they are', () => {
        const member = (name: string, words: string) => ({
            id: ++id,
            variant: 'declaration',
            kind: 1024,
            name,
            comment: comment(words),
        });
        const options = (...children: object[]) => ({
            ...{ id: ++id, name: 'Options', variant: 'declaration', kind: 256, comment: comment('Options.') },
            children,
        });
        expect(faultsOf(options(member('fps', 'Frames per second.'), member('end', '')))).toEqual([
            'Options.end: says not what it is',
        ]);
    });

    test('lists of functions need a function for each of their names', () => {
        const list = (name: string) => ({
            ...{ id: ++id, name: 'JointKernels', variant: 'declaration', kind: 256, comment: comment('All.') },
            children: [{ id: ++id, name, variant: 'declaration', kind: 2048, signatures: [] }],
        });
        expect(faultsOf(good, list('slerpJoints'))).toEqual([]);
        expect(faultsOf(good, list('lerpJoints'))).toEqual([
            'JointKernels.lerpJoints: no function of that name is exported',
        ]);
    });
});

describe('dead links', () => {
    const folder = scratchFolder();

    test('files and anchors that are not there are found; samples, buttons and other sites are not looked at', () => {
        fs.mkdirSync(path.join(folder(), 'sub'));
        fs.writeFileSync(
            path.join(folder(), 'index.html'),
            `<a href="sub/page.html#here">1</a><a href="sub/page.html#gone">2</a><a href="gone.html">3</a><img src="gone.png">
            <a href="#">button</a><a href="https://example.org/gone">4</a><pre>&lt;a href="gone"&gt;</pre><a href="sub">5</a>`,
        );
        fs.writeFileSync(
            path.join(folder(), 'sub/page.html'),
            '<h1 id="here">x</h1><a href="../index.html">1</a><a href="#no">2</a>',
        );
        const pages = call<string[]>('scripts/docs/site/links.mjs', 'pagesIn', folder());
        expect(pages).toEqual(['index.html', 'sub/page.html']);
        const { dead, links } = call<{ dead: { page: string; link: string }[]; links: number }>(
            'scripts/docs/site/links.mjs',
            'deadLinks',
            folder(),
            pages,
        );
        expect(dead.map(({ page, link }) => `${page} ${link}`)).toEqual([
            'index.html sub/page.html#gone',
            'index.html gone.html',
            'index.html gone.png',
            'index.html sub',
            'sub/page.html #no',
        ]);
        expect(links).toBe(7);
    });
});
