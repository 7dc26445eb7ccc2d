// SPDX-License-Identifier: MIT

/**
 * Measures retargeted clips of the models in ../shared by `verify`, and prints the table of docs/retarget.md. With `--write` it puts the
 * table there.
 *
 *     npm run build && node bench/retarget.mjs
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bakeFile, verifyBake, writeBake } from '../dist/index.js';

const root = join(import.meta.dirname, '..');
const model = (path) => join(root, '../shared/models', path);
const [KNIGHT, ROBOT] = [model('KayKit/Knight.glb'), model('RobotExpressive/RobotExpressive.glb')];
const TARGETS = ['quaternius_platformer.glb', 'mixamo_names.glb', 'debug_robot.vrm'].map((name) =>
    model(`humanoids/${name}`),
);
const CLIPS = [
    [KNIGHT, '1H_Melee_Attack_Chop'],
    [KNIGHT, 'Idle'],
    [KNIGHT, 'Walking_A'],
    [ROBOT, 'Walking'],
    [ROBOT, 'Dance'],
];
const MEASURES = ['slide', 'stance', 'low', 'arms', 'legs', 'turn', 'bones'];

const folder = mkdtempSync(join(tmpdir(), 'poselane-retarget-'));
const rows = [];
try {
    for (const target of TARGETS) {
        for (const source of [KNIGHT, ROBOT]) {
            const clips = CLIPS.filter(([file]) => file === source).map(([, clip]) => clip);
            const options = { animations: [source], retarget: 'humanoid', clips, emit: ['hit'], fps: 30 };
            const [{ json }] = await writeBake(await bakeFile(target, options), folder);
            const { ok, retargeted } = await verifyBake(target, json, { animations: [source] });
            if (!ok) throw new Error(`${target}: not what its recipe gives`);
            for (const { name, measures } of retargeted) rows.push({ source, target, name, measures });
        }
    }
} finally {
    rmSync(folder, { recursive: true });
}

const shown = (measure, value) =>
    ['arms', 'legs', 'turn'].includes(measure) ? value.toFixed(1) : (value * 100).toFixed(2);
const stem = (path) => basename(path).replace(/\.\w+$/, '');
const lines = [
    '| clip | target | slide | stance | low | arms° | legs° | turn° | bones |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|',
    ...CLIPS.flatMap(([source, clip]) =>
        rows
            .filter((row) => row.source === source && row.name === clip)
            .map(({ target, measures }) => {
                const values = MEASURES.map((measure) => shown(measure, measures[measure].value));
                return `| ${stem(source)} ${clip} | ${stem(target)} | ${values.join(' | ')} |`;
            }),
    ),
];
console.log(lines.join('\n'));
if (process.argv.includes('--write')) {
    const file = join(root, 'docs/retarget.md');
    const [before, rest] = readFileSync(file, 'utf8').split('<!-- measures -->\n');
    const [, after] = rest.split('<!-- /measures -->');
    writeFileSync(file, `${before}<!-- measures -->\n${lines.join('\n')}\n<!-- /measures -->${after}`);
}
