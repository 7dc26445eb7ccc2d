// SPDX-License-Identifier: MIT

/** The check of the addon finds shared state and missing objects in addons that have these faults. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';
import { describeUnless } from '../../../support/unless';

const ROOT = join(__dirname, '../../../..');
const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const reason = process.platform !== 'linux' ? 'needs Linux' : findCompiler() === null && 'no C++ compiler';

describeUnless(reason, 'scripts/check/addon.mjs', () => {
    const scratch = scratchFolder();

    /** The faults that the check finds in an addon linked from this source. */
    function faultsOf(source: string, ...flags: string[]): string[] {
        const file = join(scratch(), 'Release/poselane.node');
        mkdirSync(join(scratch(), 'Release'), { recursive: true });
        const [command, ...args] = findCompiler()!.split(' ');
        const options = ['-shared', '-fPIC', '-fvisibility=hidden', '-o', file, '-x', 'c', '-', ...flags];
        const { status, stderr } = runProgram(command!, [...args, ...options], { input: source });
        expect([status, stderr]).toEqual([0, '']);
        const checked = runNode(['scripts/check/addon.mjs', file], { cwd: ROOT });
        expect(checked.status).toBe(1);
        return checked.stderr.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
    }

    const isState = (fault: string) => / can be written|read-only/.test(fault);
    const CONSTANT = 'static int f(void) { return 1; } int (*const table[])(void) = {f};';

    test('objects that are not there', () => {
        const faults = faultsOf(CONSTANT);
        expect(faults).toContainEqual(expect.stringContaining('native/isa/strict_scalar.cpp: no object of it in '));
        expect(faults.filter(isState)).toEqual([]);
    });

    test.each([
        ['.data', 'int count = 1;'],
        ['.bss', 'int count;'],
        ['.tdata', '__thread int count = 1;'],
        ['.tbss', '__thread int count;'],
    ])('a variable in %s', (section, source) => {
        expect(faultsOf(CONSTANT + source).filter(isState)).toEqual([
            `count in ${section} can be written, by all threads and contexts`,
        ]);
    });

    test('variables without names', () => {
        expect(faultsOf(`${CONSTANT} char many[4096];`, '-Wl,-s').filter(isState)).toEqual([
            expect.stringMatching(/^\.bss has 41\d\d bytes that can be written$/),
        ]);
    });

    test('constants that stay writable', () => {
        expect(faultsOf(CONSTANT, '-Wl,-z,norelro').filter(isState)).toContain('constants are not made read-only');
    });
});
