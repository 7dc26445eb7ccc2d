// SPDX-License-Identifier: MIT

/** scripts/check/docs.mjs reports what doc comments lack, and scripts/docs/site/links.mjs each dead link. */

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

const comment = (text: string, ...tags: string[]) => ({
    summary: [{ kind: 'text', text }],
    blockTags: tags.map((tag) => ({ tag, content: [{ kind: 'text', text: 'A text.' }] })),
});
let id = 0;
const node = (name: string, kind: number, rest: object) => ({ id: ++id, name, variant: 'declaration', kind, ...rest });
const routine = (name: string, about: object | undefined, parameter: string) => {
    const parameters = [{ id: ++id, variant: 'param', name: 'joints', comment: comment(parameter) }];
    const type = { type: 'intrinsic', name: 'number' };
    return node(name, 64, { signatures: [{ id: ++id, variant: 'signature', comment: about, parameters, type }] });
};

test('each thing that a comment lacks is a fault; a comment may refer to another one', () => {
    const good = routine('slerpJoints', comment('Slerp. Source: a paper.', '@throws', '@returns'), 'JointQuats.');
    const reference = { kind: 'inline-tag', tag: '@link', text: 'slerpJoints', target: good.id };
    const about = { summary: [{ kind: 'text', text: 'Lerp; the rest as in ' }, reference], blockTags: [] };
    const property = (name: string, text: string) => node(name, 1024, { comment: comment(text) });
    const options = [property('fps', 'A rate.'), property('end', '')];
    const listed = node('gone', 2048, { signatures: [] });
    const children = [
        good,
        routine('lerpJoints', about, ''),
        routine('slerpQuats', undefined, ''),
        node('Options', 256, { comment: comment('Options.'), children: options }),
        node('JointKernels', 256, { comment: comment('All.'), children: [listed] }),
    ];
    const api = { children: [node('m', 2, { comment: comment('A module.'), children })] };
    expect(call<{ faults: string[] }>('scripts/check/docs.mjs', 'faultsOf', api).faults).toEqual([
        'slerpQuats: says not what it does',
        'slerpQuats: parameter joints has no text',
        'slerpQuats: no @returns',
        'slerpQuats: no @throws, nor "Throws nothing"',
        'slerpQuats: no "Source:"',
        'Options.end: says not what it is',
        'JointKernels.gone: no function of that name is exported',
    ]);
});

const folder = scratchFolder();

test('files and anchors that are not there are dead links; samples, buttons and other sites are none', () => {
    fs.mkdirSync(path.join(folder(), 'sub'));
    const index = `<a href="sub/page.html#here">1</a><a href="sub/page.html#gone">2</a><a href="gone.html">3</a>
        <img src="gone.png"><a href="#">4</a><a href="https://example.org/gone">5</a><pre>&lt;a href="no"&gt;</pre>`;
    fs.writeFileSync(path.join(folder(), 'index.html'), index);
    fs.writeFileSync(path.join(folder(), 'sub/page.html'), '<h1 id="here">x</h1><a href="../index.html">1</a>');
    const pages = ['index.html', 'sub/page.html'];
    const { dead } = call<{ dead: { link: string }[] }>('scripts/docs/site/links.mjs', 'deadLinks', folder(), pages);
    expect(dead.map(({ link }) => link)).toEqual(['sub/page.html#gone', 'gone.html', 'gone.png']);
});
