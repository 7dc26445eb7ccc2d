// SPDX-License-Identifier: MIT

import type { Manifest } from '../format/manifest';
import type { BakedTable, TableAttachment } from './table';

type Skin = NonNullable<Manifest['skin']>;

/** Rows of matrices that move a model, and the nodes that they move: a bake, or the poses of a Rig. */
export interface Palettes extends Pick<BakedTable, 'joints' | 'columns' | 'rows'> {
    readonly attachments: readonly Omit<TableAttachment, 'mesh'>[];
    readonly arrays: Pick<BakedTable['arrays'], 'palette' | 'morph'>;
    readonly manifest: {
        readonly skin: Pick<Skin, 'index' | 'indices' | 'rescaled' | 'root'> | null;
        readonly recipe: Pick<Manifest['recipe'], 'attachments' | 'space'>;
        readonly arrays: { readonly morph?: Pick<NonNullable<Manifest['arrays']['morph']>, 'meshes'> };
    };
}
