// SPDX-License-Identifier: MIT

/** Clips of other humanoids on the command line: the first error, roles, and measures printed by `verify`. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { ReportRetargeted } from '../../lib/report/data';
import { readPage } from '../report/read-page';
import { NAMES, writeHumanoid } from '../support/humanoids';
import { expectRun, inNewFolder, poselane, printed, readJson } from './command-line';

inNewFolder();
beforeEach(() => {
    writeHumanoid('.', 'walk', { step: 1 });
    writeHumanoid('.', 'hero', { names: NAMES.mixamo, thigh: 0.5, shin: 0.3, hip: 0.2, turnedAxes: true });
});

test('the first error names the roles in both files and the option to use; verify prints the measures', async () => {
    const first =
        /the joints do not match by name, but both files have hips, spine, chest, .+ more roles: use --retarget humanoid, or /;
    await expectRun('bake hero.gltf -o out --animations walk.gltf', { code: 3, stderr: first });
    await expectRun('bake hero.gltf -o out --animations walk.gltf --retarget humanoid --quiet');
    const told = await printed('verify hero.gltf out/hero.bake.json');
    expect(told).toMatch(
        /: retargeted: clip #0 'Step': slide [\d.e-]+%, stance .+, low .+, arms .+°, legs .+°, turn .+°, bones .+%\n/,
    );
    await expectRun('bake hero.gltf -o free --animations walk.gltf --retarget humanoid --feet free --quiet');
    // The page has the poses of both, and the places where feet slide.
    await expectRun(
        `bake hero.gltf -o free2 --animations walk.gltf --retarget humanoid --feet free --html page.html --quiet`,
    );
    const { data } = readPage(readFileSync('page.html', 'utf8'));
    const [{ animation, file, measures, trace }] = data.bakes[0]!.retargeted as [ReportRetargeted];
    expect([animation, file]).toEqual([0, 'walk.gltf']);
    expect(measures.map(({ name }) => name)).toEqual(['slide', 'stance', 'low', 'arms', 'legs', 'turn', 'bones']);
    expect(trace.times.length).toBe(25);
    expect(trace.source[0]!.length).toBe(trace.target[0]!.length);
    expect(new Set(trace.marks.flat())).toEqual(new Set([0, 1, 2]));
    expect(await printed('verify hero.gltf free/hero.bake.json')).toMatch(
        /: retargeting POOR: .+ \(\w+: \w+, at [\d.]+ s\)\n/,
    );
});

test('roles: printed with their origin, overridden by flag, file and config', async () => {
    expect(await printed('inspect hero.gltf --roles')).toMatch(
        / {2}roles: 21 joints\n {4}hips: 'mixamorig:Hips' by name\n[\s\S]+ {4}rightToes: 'mixamorig:RightToeBase' by name\n/,
    );
    const given = await printed(['inspect', 'hero.gltf', '--roles', 'head=mixamorig:Neck']);
    expect(given).toMatch(/ {4}head: 'mixamorig:Neck' by --roles\n[\s\S]+ {4}missing: neck\n/);
    const stderr = "poselane: --roles has 'head=Nobody', but hero.gltf has no 'Nobody'\n";
    await expectRun('inspect hero.gltf --roles head=Nobody', { code: 2, stderr });
    await expectRun('inspect --roles hero.gltf', { code: 2, stderr: /put files before --roles/i });
    expect(await printed('inspect hero.gltf --roles head=head --animations walk.gltf')).not.toBe('');
    writeFileSync('roles.json', JSON.stringify({ head: 'mixamorig:Neck' }));
    expect(await printed('inspect hero.gltf --roles roles.json')).toBe(given);
    const [{ roles, animations }] = JSON.parse(
        await printed('inspect hero.gltf --roles --animations walk.gltf --json'),
    );
    expect(roles).toMatchObject({ missing: [], ambiguous: [], isHumanoid: true });
    expect(roles.found[0]).toEqual({ role: 'hips', node: 1, name: 'mixamorig:Hips', how: 'name' });
    expect(animations[0]).toMatchObject({
        retarget: 'humanoid',
        advice: expect.stringMatching(/^--retarget humanoid: /),
    });
    expect(animations[0].differences).toEqual([
        expect.stringMatching(/^hips are 2\.2 times as wide here, /),
        expect.stringMatching(/^thighs are 63% of the leg here, 52% there/),
    ]);
    writeFileSync('poselane.config.json', JSON.stringify({ retarget: 'humanoid', roles: { head: 'mixamorig:Neck' } }));
    await expectRun('bake hero.gltf -o out --animations walk.gltf --quiet');
    expect(readJson('out/hero.bake.json').recipe).toMatchObject({
        retarget: 'humanoid',
        roles: { head: 'mixamorig:Neck' },
    });
});

test('reduce: the bytes of `convert` followed by `reduce`; the cache depends on other clips and options', async () => {
    const how =
        '--animations walk.gltf --retarget humanoid --travel keep --roles hips=mixamorig:Hips --roles head=head';
    await expectRun(`convert hero.gltf -o moving.glb ${how}`, { stdout: null });
    await expectRun('reduce moving.glb -o wanted.glb --quiet');
    const hits: boolean[] = [];
    for (const flags of [how, how, how.replace(' --travel keep', ' --travel scale'), `${how} --feet free`]) {
        const [{ warnings, cache }] = JSON.parse(
            await printed(`reduce hero.gltf -o out/ ${flags} --cache kept --json`),
        ).inputs;
        expect(warnings).toEqual([]);
        if (hits.length < 2) expect(readFileSync('out/hero.glb')).toEqual(readFileSync('wanted.glb'));
        hits.push(cache.hit);
    }
    expect(hits).toEqual([false, true, false, false]);
    writeHumanoid('.', 'walk', { step: 0.9 });
    await expectRun(`reduce hero.gltf -o out/hero.glb ${how} --cache kept --quiet`);
    expect(readFileSync('out/hero.glb')).not.toEqual(readFileSync('wanted.glb'));
    await expectRun('verify moving.glb wanted.glb', { stdout: /within/ });
    const taken = /moving\.glb/;
    await expectRun('reduce hero.gltf -o moving.glb --animations moving.glb', { code: 2, stderr: taken });
    await expectRun('reduce hero.gltf -o out/ --animations walk.gltf', {
        code: 3,
        stderr: /use --retarget humanoid, or /,
    });
    const stderr = /^poselane: unknown option '--root' .+--travel scale or keep\)\n$/;
    await expectRun('reduce hero.gltf -o out/ --root keep', { code: 2, stderr });
});

test.each([
    ['--roles hips', 2, /needs role=joint, such as hips=Pelvis, or a \.json file/i],
    ['--roles none.json', 2, /cannot read it: ENOENT/i],
    ['--roles tail=Hips', 2, /--roles has 'tail'; a role must be one of hips, spine/],
    ['--roles hips=Nobody', 2, /--roles has 'hips=Nobody', but neither hero\.gltf nor walk\.gltf has 'Nobody'/],
    ['--feet loose', 2, /allowed choices are hold, free/i],
    ['--root scale', 2, /allowed choices are keep, .+\(for clips of other skeletons: --travel scale or keep\)\n$/i],
    ['--retarget rotation --travel keep', 2, /--travel has no effect without --retarget humanoid/],
] as const)('%s is refused', async (flags, code, stderr) => {
    const how = flags.includes('--retarget') ? '' : '--retarget humanoid ';
    const { stderr: text, code: exit } = await poselane(`bake hero.gltf -o out --animations walk.gltf ${how}${flags}`);
    expect([exit, text]).toEqual([code, expect.stringMatching(stderr)]);
});
