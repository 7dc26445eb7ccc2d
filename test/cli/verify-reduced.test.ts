// SPDX-License-Identifier: MIT

/** `poselane verify` of a model with fewer keys, in this process. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { CHARACTER } from '../support/models';
import { scratchFolder } from '../support/temporary-folder';
import { smallGltf } from './small-gltf';

const folder = scratchFolder();

async function poselane(...argv: string[]) {
    const outcome = { stdout: '', stderr: '' };
    const output = (name: 'stdout' | 'stderr') => ({
        write: (text: string) => {
            outcome[name] += text;
        },
    });
    const code = await run(argv, { stdout: output('stdout'), stderr: output('stderr') });
    return { code, ...outcome };
}

/** The small model, whose joint 1 goes this far up instead of 1. */
function small(name: string, up = 1, change = (text: string) => text): string {
    const path = join(folder(), name);
    writeFileSync(path, change(smallGltf({ up })));
    return path;
}

test('within what is allowed: one line, exit 0', async () => {
    const [source, reduced] = [small('source.gltf'), small('near.gltf', 1.0001)];
    // There are no vertices. Both joints are at the origin, and one travels up by 1.
    const { code, stdout, stderr } = await poselane('verify', source, reduced, '--max-error', '0.5mm');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
        `${reduced}: within 0.05% of the extent (0.5 mm): off by at most 0.01% of the extent (0.1 mm): clip #0 'Walk', joint 'knee' (node 1) at 1 s\n`,
    );
    const same = await poselane('verify', CHARACTER.path, CHARACTER.path);
    expect(same).toEqual({
        code: 0,
        stdout: `${CHARACTER.path}: within 0.1% of the extent (1.6 mm): no vertex is off in any of 3 clips\n`,
        stderr: '',
    });
});

test('beyond: the clips, and exit 4', async () => {
    const [source, reduced] = [small('source.gltf'), small('far.gltf', 3)];
    const { code, stdout, stderr } = await poselane('verify', source, reduced, '--max-error', '2cm');
    expect(code).toBe(4);
    const place = (animation: number, name: string) =>
        `off by 200% of the extent (2 m): clip #${animation} '${name}', joint 'knee' (node 1) at 1 s`;
    expect(stdout).toBe(
        `${place(0, 'Walk')}\n${place(1, 'Run')}\n${reduced}: BEYOND 2% of the extent (20 mm): ${place(0, 'Walk').replace('by', 'by at most')}\n`,
    );
    expect(stderr).toBe(`poselane: ${reduced}: further off than allowed\n`);
});

test('more than the keys was changed: what, and exit 4', async () => {
    const source = small('source.gltf');
    const reduced = small('renamed.gltf', 1, (text) => text.replace('knee', 'elbow'));
    const { code, stdout, stderr } = await poselane('verify', source, reduced, '--max-error', '0.02');
    expect(code).toBe(4);
    expect(stdout).toBe(
        `FILE_DIFFERS ${reduced}#/nodes/1/name: is "elbow", in the source "knee"\n` +
            `${reduced}: DIFFERS from ${source} in more than its keys: no vertex is off in any of 2 clips\n`,
    );
    expect(stderr).toBe(`poselane: ${reduced}: more than the keys of ${source} was changed\n`);
});

test('--json, --max-angle and --keep-joints', async () => {
    const [source, reduced] = [small('source.gltf'), small('far.gltf', 3)];
    const judged = await poselane('verify', source, reduced, '--json', '--max-angle', 'inf');
    expect(judged.code).toBe(0);
    expect(JSON.parse(judged.stdout)).toMatchObject({ ok: true, clips: [{ error: 0 }, { error: 0 }] });
    const kept = await poselane('verify', source, reduced, '--json', '--max-angle', 'inf', '--keep-joints', 'knee');
    expect(kept.code).toBe(4);
    expect(JSON.parse(kept.stdout)).toMatchObject({ ok: false, worst: { error: 2, time: 1 } });
});

test('wrong use: exit 2; a file that is none: exit 3', async () => {
    const source = small('source.gltf');
    for (const wrong of [
        ['--max-error', 'much'],
        ['--max-angle', '-1'],
        ['--keep-joints', '('],
        ['--keep-joints', 'no such joint'],
        ['--tol', '1'],
        ['--oracle', 'three'],
    ]) {
        const { code, stdout } = await poselane('verify', source, source, ...wrong);
        expect({ wrong, code, stdout }).toEqual({ wrong, code: 2, stdout: '' });
    }
    const bake = join(folder(), 'out');
    expect((await poselane('bake', source, '-o', bake)).code).toBe(0);
    const refused = await poselane('verify', source, join(bake, 'source.bake.json'), '--max-error', '1mm');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('and not for bakes') });
    expect((await poselane('verify', source, join(folder(), 'no.glb'))).code).toBe(3);
    expect((await poselane('verify', join(folder(), 'no.glb'), source)).code).toBe(3);
});
