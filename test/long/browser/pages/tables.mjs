// SPDX-License-Identifier: MIT

import { BakedTable } from 'poselane/table';

/** The bake `<name>.json` with `<name>.bin`; with `only`, one array of it. */
export async function openTable(name, only) {
    const json = await (await fetch(`${name}.json`)).json();
    if (only !== undefined) json.arrays = { [only]: json.arrays[only] };
    return BakedTable.open(json, await (await fetch(`${name}.bin`)).arrayBuffer());
}

/** A bake in which each row of a palette is a clip. Half floats are a Uint16Array. */
export function frozen({ manifest, columns }, palette, layout = 'mat4') {
    const floats = layout === 'mat4' ? 16 : 12;
    const count = palette.length / columns / floats;
    const { lastFrameTime, ...clip } = manifest.clips[0];
    const still = { ...clip, frameCount: 1, duration: 0, fps: null, discontinuities: [], loop: false };
    const { byteLength } = palette;
    const dtype = palette instanceof Uint16Array ? 'f16' : 'f32';
    const array = { byteOffset: 0, byteLength, dtype, layout, shape: [count, columns, floats] };
    const clips = Array.from({ length: count }, (_, firstRow) => ({ ...still, firstRow }));
    const json = { ...manifest, binary: { ...manifest.binary, byteLength }, clips, arrays: { palette: array } };
    return BakedTable.open(json, new Uint8Array(palette.buffer));
}
