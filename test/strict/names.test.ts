// SPDX-License-Identifier: MIT

/** A file with a kernel names its twin in the other language, which has the same name and names it back. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { STRICT_ROUTINES } from '../../lib/lists/routines';

const ROOT = path.join(__dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const filesOf = (folder: string) => fs.readdirSync(path.join(ROOT, folder)).map((file) => `${folder}/${file}`);
const twinOf = (file: string) => /^\/\/ Twin: (\S+)$/m.exec(read(file))?.[1];

const strict = filesOf('lib/strict');
const ALONE = /\/(version|between)\.ts$|\/(blocks|joint_blocks|mat_product|rounds|table)\.h$/;

test.each([...strict, ...filesOf('native/kernels')].filter((file) => !ALONE.test(file)))('%s', (file) => {
    const twin = twinOf(file)!;
    expect(twinOf(twin)).toBe(file);
    const [typescript, native] = file.endsWith('.ts') ? [file, twin] : [twin, file];
    const name = path.basename(typescript, '.ts').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(native).toBe(`native/kernels/${name}.h`);
});

test.each([...filesOf('lib/rig/kernels'), ...filesOf('native/rig')].filter(twinOf))('%s', (file) => {
    expect(twinOf(twinOf(file)!)).toBe(file);
});

test.each(STRICT_ROUTINES)('%s has its kernel in both languages', (routine) => {
    const file = strict.find((one) => read(one).includes(`export function ${routine}(`))!;
    expect(read(twinOf(file)!)).toContain(`void ${routine}(`);
});
