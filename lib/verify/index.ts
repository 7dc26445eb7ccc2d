// SPDX-License-Identifier: MIT

export type { VerifyProblem, VerifyProblemCode } from './check-manifest';
export { type ArrayVerdict, type ClipVerdict, type Verification, type VerifyOptions, verifyBake } from './verify';
