// SPDX-License-Identifier: MIT

import { mixQts, QTS_FLOATS } from './qts';
import { type Mix, mixRotation } from './rotation';

/** Linear, element by element: matrices and weights. In double precision, rounded once. */
const mixLinear: Mix = (out, to, a, at, b, bt, floats, part) => {
    const s = part[0]!;
    for (let i = 0; i < floats; i++) {
        const from = a[at + i]!;
        out[to + i] = from + (b[bt + i]! - from) * s;
    }
};

/** The box around both. A point that moves in a straight line from one row to the other stays inside. */
const mixBounds: Mix = (out, to, a, at, b, bt, floats) => {
    for (let i = 0; i < floats; i++) {
        const x = a[at + i]!;
        const y = b[bt + i]!;
        const isMin = i % 6 < 3;
        out[to + i] = x < y === isMin ? x : y;
    }
};

/** T 3, R 4, S 3, repeated: the rotation by `mixRotation`, the others linearly. */
const mixTrs: Mix = (out, to, a, at, b, bt, floats, part) => {
    for (let i = 0; i < floats; i += 10) {
        mixLinear(out, to + i, a, at + i, b, bt + i, 3, part);
        mixRotation(out, to + i + 3, a, at + i + 3, b, bt + i + 3, 4, part);
        mixLinear(out, to + i + 7, a, at + i + 7, b, bt + i + 7, 3, part);
    }
};

/** T 3, R 4. */
const mixTr: Mix = (out, to, a, at, b, bt, _floats, part) => {
    mixLinear(out, to, a, at, b, bt, 3, part);
    mixRotation(out, to + 3, a, at + 3, b, bt + 3, 4, part);
};

export interface Layout {
    /** Floats of the last dimension; 0 for any number. */
    readonly floats: number;
    /** Number of dimensions of the shape, including rows. */
    readonly dimensions: 2 | 3;
    readonly mix: Mix;
}

/** The arrays that a bake can hold: docs/format.md. */
export type ArrayName = 'palette' | 'hit' | 'local' | 'morph' | 'bounds' | 'root';

const MAT4: Layout = { floats: 16, dimensions: 3, mix: mixLinear };
const MAT3X4: Layout = { floats: 12, dimensions: 3, mix: mixLinear };

const QTS16: Layout = { floats: QTS_FLOATS, dimensions: 3, mix: mixQts };

/** The arrays of docs/format.md, and the layouts that each can have. */
export const LAYOUTS: Readonly<Record<ArrayName, Readonly<Record<string, Layout>>>> = {
    palette: { mat4: MAT4, mat3x4: MAT3X4, qts16: QTS16 },
    hit: { mat3x4: MAT3X4 },
    local: { trs: { floats: 10, dimensions: 3, mix: mixTrs } },
    morph: { weights: { floats: 0, dimensions: 2, mix: mixLinear } },
    bounds: { minmax: { floats: 6, dimensions: 2, mix: mixBounds } },
    root: { tr: { floats: 7, dimensions: 2, mix: mixTr } },
};
