// SPDX-License-Identifier: MIT
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inNewFolder } from '../../cli/command-line';
import { movingGltf } from '../../cli/moving-gltf';
import { smallGltf } from '../../cli/small-gltf';
import { type GltfBuilder, MODEL, skinnedModel } from '../../gltf/support/builder';
import { dracoModel, encodeVertices } from '../../gltf/support/draco';
import { compressedView } from '../../gltf/support/meshopt';
import { CHARACTER } from '../../support/models';
import { runNode, runProgram } from '../../support/processes';
import { NOT_POSIX, testUnless } from '../../support/unless';

// The built command in its own process, for properties that only a real process has.
const MAIN = join(__dirname, '../../../dist/cli/main.js');

inNewFolder();

const quote = (text: string) => `'${text}'`;

testUnless(NOT_POSIX, 'a reader that goes away is no error', () => {
    const command = [process.execPath, MAIN, 'bake', CHARACTER.path, '-o', '.', '--fps', '60'].map(quote).join(' ');
    const { stdout, stderr } = runProgram('sh', ['-c', `{ ${command}; echo "code $?" >&2; } | true`]);
    expect([stdout, stderr]).toEqual(['', 'code 0\n']);
    expect(existsSync('character.bake.json')).toBe(true);
});

test.each([
    // Fewer files take less time than a thread takes to start.
    ['bake', 70, smallGltf],
    ['reduce', 70, () => movingGltf().text],
])('%s: no thread is started for cached files', (command, files, make) => {
    for (let i = 0; i < files; i++) writeFileSync(`${i}.gltf`, make());
    const count = './count.cjs';
    writeFileSync(count, "process.on('worker', () => process.stderr.write('a thread\\n'));");
    const argv = [command, '.', '-o', 'out', '-j', '2', '--cache', 'cache'];
    const run = () => runNode(['-r', count, MAIN, ...argv]);
    expect(run().stderr).toContain('a thread');
    const { status, stdout, stderr } = run();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`; ${files} from the cache\n`);
});

test('reduce: the same bytes from threads for clips, threads for files, and one thread', () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(`${name}.gltf`, movingGltf().text);
    const reduce = (out: string, ...argv: string[]) => {
        const { status, stderr } = runNode([MAIN, 'reduce', ...argv, '-o', out, '--quiet']);
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    };
    reduce('one', 'a.gltf', '-j', '1');
    reduce('clips', 'a.gltf', '-j', '2');
    reduce('files', '*.gltf', '-j', '2');
    const wanted = readFileSync('one/a.glb');
    for (const path of ['clips/a', 'files/a', 'files/b', 'files/c']) {
        expect(readFileSync(`${path}.glb`).equals(wanted)).toBe(true);
    }
});

describe('without WebAssembly, compressed data is refused and not called invalid', () => {
    const meshopt = () => {
        const model = skinnedModel();
        const rotations = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        model.json.accessors[MODEL.rotations].bufferView = compressedView(model, rotations, { count: 3, stride: 16 });
        return model;
    };
    // Made here, in the repository's folder, where the encoders are found.
    const cases: [name: string, model: GltfBuilder, pointer: string][] = [
        ['meshopt', meshopt(), '/bufferViews/\\d+'],
        ['draco', dracoModel(encodeVertices(), false), '/meshes/0/primitives/0[^:]*'],
    ];
    for (const [name, model, pointer] of cases) {
        test(name, () => {
            const input = `${name}.glb`;
            writeFileSync(input, model.toGlb());
            const poselane = (flags: string[], ...argv: string[]) =>
                runNode([...flags, MAIN, ...argv], { env: { ...process.env, POSELANE_BACKEND: '' } });
            expect(poselane([], 'bake', input, '-o', 'out').status).toBe(0);
            const message = new RegExp(
                `^poselane: ${input}#${pointer}: the decoder of this compression needs WebAssembly, .+\n$`,
                'm',
            );
            for (const argv of [
                ['bake', input, '-o', 'none'],
                ['bake', input, '-o', 'none', '--emit', 'glb'],
                ['verify', input, `out/${name}.bake.json`],
            ]) {
                const { status, stderr } = poselane(['--jitless'], ...argv);
                expect(stderr).toMatch(message);
                expect({ argv, status }).toEqual({ argv, status: 3 });
            }
        });
    }
});

test('--fail-fast: ends the work of other threads, and leaves none of their files', () => {
    writeFileSync('bad.gltf', '{}');
    // Each takes a moment.
    for (let i = 0; i < 20; i++) writeFileSync(`${i}.gltf`, smallGltf({ duration: 300 }));
    const argv = ['bake', 'bad.gltf', '.', '-o', 'out', '-j', '2', '--fps', '240', '--fail-fast', '--json'];
    const { status, stdout, stderr } = runNode([MAIN, ...argv]);
    expect(stderr).toMatch(/^poselane: bad\.gltf[^\n]+\nposelane: --fail-fast: 'bad\.gltf' could not be baked\n$/);
    const { baked, failed, notBegun, inputs } = JSON.parse(stdout);
    expect([status, baked + failed + notBegun]).toEqual([5, 21]);
    expect(notBegun).toBeGreaterThan(0);
    const codes = inputs.flatMap(({ error }: { error: { exitCode: number } | null }) => error?.exitCode ?? []);
    expect(codes.filter((code: number) => code === 130)).toHaveLength(failed - 1);
    const left = baked === 0 ? [] : readdirSync('out');
    expect(left).toHaveLength(baked * 2);
});
