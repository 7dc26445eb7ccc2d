// SPDX-License-Identifier: MIT

/** scripts/check/docs.mjs reports what doc comments lack. */

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from '../../../support/processes';

const ROOT = path.join(__dirname, '../../../..');

/** In another process, because jest loads no ES modules. */
function faultsOf(api: object): string[] {
    const script = pathToFileURL(path.join(ROOT, 'scripts/check/docs.mjs')).href;
    const code = `import(${JSON.stringify(script)}).then(({ faultsOf }) =>
        console.log(JSON.stringify(faultsOf(JSON.parse(process.argv[1])).faults)));`;
    const { stdout, stderr } = runNode(['-e', code, JSON.stringify(api)]);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as string[];
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
    expect(faultsOf(api)).toEqual([
        'slerpQuats: no description',
        'slerpQuats: parameter joints has no text',
        'slerpQuats: no @returns',
        'slerpQuats: no @throws, nor "Throws nothing"',
        'slerpQuats: no "Source:"',
        'Options.end: no description',
        'JointKernels.gone: no function of that name is exported',
    ]);
});
