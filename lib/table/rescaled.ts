// SPDX-License-Identifier: MIT

import type { ManifestRescaled } from '../format/manifest';
import type { Palettes } from './palettes';

/** From the vertices of a skin, as stored, to the space of its palette. */
export type Rescaled = Pick<ManifestRescaled, 'skin' | 'scale' | 'translation'>;

/**
 * How a skin of the file uses a table's palette: with its vertices as stored (null), or rescaled. Undefined if it has
 * another palette.
 *
 * @param skin Index in the file; undefined if it is not known.
 */
export function rescaledOf({ manifest }: Palettes, skin: number | undefined): Rescaled | null | undefined {
    if (manifest.skin === null) return undefined;
    const { index, indices = [index], rescaled = [] } = manifest.skin;
    if (skin === undefined || indices.includes(skin)) return null;
    return rescaled.find((one) => one.skin === skin);
}

/** Whether a mesh must tell its skin. Otherwise its joints are enough. */
export function needsSkin({ manifest }: Palettes): boolean {
    return manifest.skin!.rescaled !== undefined;
}

/** Moves positions, `vertices * 3`, into the space of the palette. */
export function rescale(positions: Float32Array, { scale, translation }: Rescaled): Float32Array {
    return positions.map((x, i) => scale * x + translation[i % 3]!);
}
