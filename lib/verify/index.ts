// SPDX-License-Identifier: MIT

export type { VerifyProblem, VerifyProblemCode } from './check-manifest';
export {
    type ArrayDifference,
    type BakeDifference,
    type ClipFrames,
    diffBakes,
    type GreatestDifference,
    type ManifestDifference,
    type RetimedClip,
} from './diff';
export { type FolderVerification, type VertexPlace, verifyFolder } from './engines/folder';
export type { VerifyOptions } from './options';
export {
    type ReducedProblem,
    type ReducedProblemCode,
    type ReducedVerdict,
    type ReducedVerification,
    type VerifyReducedOptions,
    verifyReduced,
} from './reduced';
export type { RetargetMeasure, RetargetMeasureName, RetargetMeasures, RetargetVerdict } from './retargeted';
export type { ArrayVerdict, ClipVerdict, PlaybackVerdict, Verification } from './verdict';
export { verifyBake } from './verify';
