// SPDX-License-Identifier: MIT

export {
    type ArrayDifference,
    type BakeDifference,
    diffBakes,
    type GreatestDifference,
    type ManifestDifference,
} from './diff';
