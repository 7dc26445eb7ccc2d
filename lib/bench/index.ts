// SPDX-License-Identifier: MIT

/** The benchmarks behind `poselane bench`. */

export { type CompareOptions, type Comparison, compare, type Slower } from './compare';
export { ANGLES, type Angles, createData } from './data';
export { cpuModel } from './machine';
export type { CaseName, Delay, Result } from './measure';
export { comparisonText, runText } from './print';
export { type BenchOptions, type BenchRun, bench, compareRuns, problemOfRun, type Session, type Settings } from './run';
