// SPDX-License-Identifier: MIT

/** The arithmetic that an addon built with -ffast-math leaves on for the whole process. */

import * as path from 'node:path';
import { runProgram } from './processes';

interface Implementation {
    name: string;
    kernels: Record<string, (...args: unknown[]) => void>;
}

/** Runs a function in the other arithmetic. */
export type Disturb = <T>(body: () => T) => T;

const other = require('../long/sweep/other-arithmetic.cjs') as {
    SOURCE: string;
    VALUES: Record<string, unknown>;
    compilerOptions(headers: string, file: string): string[];
    loadDisturbance(file: string): Disturb;
    disturbedRoutines(disturb: Disturb, implementation: Implementation): Implementation;
    disturbedRig<R extends object>(disturb: Disturb, implementation: R): R;
};

export const { disturbedRoutines, disturbedRig } = other;

const { findCompiler } = require('../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

/** Why it is not available here, or null. The tests compile its addon, even if the addon under test is a prebuild. */
export const noOtherArithmetic: string | null = !(process.platform === 'linux' && process.arch in other.VALUES)
    ? 'needs Linux on x86-64 or arm64'
    : findCompiler() === null
      ? 'no C++ compiler'
      : null;

/** Builds the addon that changes the arithmetic, into a folder. */
export function buildDisturbance(folder: string): Disturb {
    const headers = (require('node-api-headers') as { include_dir: string }).include_dir;
    const file = path.join(folder, 'float_control.node');
    const [command, ...options] = findCompiler()!.split(' ');
    const { status, stderr } = runProgram(command!, [...options, ...other.compilerOptions(headers, file)], {
        input: other.SOURCE,
    });
    expect([status, stderr]).toEqual([0, '']);
    return other.loadDisturbance(file);
}
