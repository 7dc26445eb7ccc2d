// SPDX-License-Identifier: MIT

/** node scripts/docs/qts16.mjs: the rows of the table of docs/format.md that holds `qts16` against matrices; after the build. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { bakeFile } from '../../dist/index.mjs';
import { root } from '../lib.mjs';

const MODELS = path.join(root, '../shared/models');
const FILES = ['RobotExpressive/RobotExpressive.glb', 'KayKit/Knight.glb', 'KayKit/Rogue.glb', 'Fox.glb'];
const MORE = ['RiggedFigure/RiggedFigure.gltf', 'SimpleSkin/SimpleSkin.gltf'];

const size = (bytes) => (bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const percent = (share) => `${Number((share * 100).toPrecision(2))}%`;

for (const file of [...FILES, ...MORE]) {
    const input = path.join(MODELS, file);
    if (!fs.existsSync(input)) continue;
    const cells = [];
    for (const fps of [30, 60]) {
        for (const layout of ['mat4', 'qts16']) {
            const { outputs } = await bakeFile(input, { fps, layout });
            const bytes = outputs.reduce((sum, { bin }) => sum + bin.byteLength, 0);
            const errors = outputs.flatMap(({ manifest }) => manifest.clips.map(({ error }) => error.maxLerpShare));
            cells.push(size(bytes), percent(Math.max(...errors)));
        }
    }
    console.log(`| ${[path.parse(file).name, ...cells].join(' | ')} |`);
}
