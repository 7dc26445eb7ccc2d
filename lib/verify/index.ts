// SPDX-License-Identifier: MIT

export type { VerifyProblem, VerifyProblemCode } from './check-manifest';
export {
    type ArrayDifference,
    type BakeDifference,
    diffBakes,
    type GreatestDifference,
    type ManifestDifference,
} from './diff';
export type { VerifyOptions } from './options';
export type { ArrayVerdict, ClipVerdict, PlaybackVerdict, Verification } from './verdict';
export { verifyBake } from './verify';
