// SPDX-License-Identifier: MIT

/** The Rig's kernels in TypeScript: one file for each, and table.ts for all of them. */

export { typescriptRig, typescriptSkinning } from './table';
