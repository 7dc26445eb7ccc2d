// SPDX-License-Identifier: MIT

/** What bakers of glTF get wrong, case by case: every scene is one of these. */
export const ROWS = [
    'frame times',
    'outside the keys, late first key',
    't = duration',
    'duplicate key times',
    'LINEAR rotation',
    'CUBICSPLINE',
    'STEP',
    'normalised integer, sparse, strided accessors',
    'joint order',
    'nodes that are not joints, above or between',
    "the skinned mesh's own node transform",
    '`skin.skeleton`',
    'inverse bind matrices missing',
    'several skins, shared joints',
    'non-uniform and negative scale',
    '`matrix` nodes',
    'joints that a clip does not animate',
    'morph weights',
    'KHR_animation_pointer',
    'EXT_meshopt_compression, KHR_meshopt_compression, Draco, KHR_mesh_quantization',
    'names',
    'malformed input (cycles in the hierarchy, two parents, channel without sampler, counts past the buffer, NaN keys, unsorted keys, missing external buffers, `joints` out of range)',
] as const;

export type Row = (typeof ROWS)[number];
