// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const PAGES = ['rig', 'blending-and-ik', 'walk-look-plant', 'hits', 'lists'].map((page) =>
    readFileSync(join(ROOT, `docs/${page}.md`), 'utf8'),
);
const BLOCKS = [...PAGES.join('\n').matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match) => match[1]!);

/** Runs code as a module at the package's root, where its own name and its examples are found. */
function run(code: string): string {
    const args = ['--input-type=module', '-e', code.replace("'hero.glb'", "'examples/character.glb'")];
    const { status, stdout, stderr } = runNode(args, { cwd: ROOT });
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
}

/** A scene of three.js with the example in it, `mesh`, and a Rig of the same file. */
const SCENE = `
globalThis.self = globalThis;
import { readFileSync } from 'node:fs';
import { Rig } from 'poselane';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const file = 'examples/character.glb';
const gltf = await new GLTFLoader().parseAsync(new Uint8Array(readFileSync(file)).buffer, '');
const rig = await Rig.load(file);
let mesh;
gltf.scene.traverse((object) => { if (object.isSkinnedMesh) mesh ??= object; });
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
mixer.setTime(Math.fround(0.3));
gltf.scene.updateMatrixWorld(true);
mesh.skeleton.update();
const live = mesh.skeleton.boneMatrices.slice();
`;

/** The max difference of boneMatrices from those of three.js, after the recipe. */
const COMPARED = `
mesh.skeleton.boneMatrices.fill(0);
frame(Math.fround(0.3));
mesh.skeleton.update();
const own = mesh.skeleton.boneMatrices;
console.log(JSON.stringify({ worst: Math.max(...own.map((x, i) => Math.abs(x - live[i]))), count: own.length }));
`;

describe('samples of rig.md, blending-and-ik.md, walk-look-plant.md, hits.md and lists.md', () => {
    test('every sample that imports poselane runs, and has output', () => {
        const samples = BLOCKS.map((code) =>
            code.replace(/^const (\{.+?\}) = require\('poselane'\);/m, "import $1 from 'poselane';"),
        );
        for (const sample of samples.filter((code) => code.includes("from 'poselane'"))) {
            const said = run(sample);
            expect(said).not.toBe('');
            expect(said).not.toContain('NaN');
            const [, promised] = /\/\/ prints: (.+)/.exec(sample) ?? [];
            if (promised !== undefined) expect(said.trim()).toBe(promised.trim());
        }
    });

    test('the recipe for three.js writes the boneMatrices of three.js', () => {
        const recipe = BLOCKS.find((code) => code.includes('boneMatrices'))!;
        const { worst, count } = JSON.parse(run(`${SCENE}${recipe}${COMPARED}`)) as { worst: number; count: number };
        expect(count).toBeGreaterThan(100);
        expect(worst).toBeLessThan(2e-5);
    });
});
