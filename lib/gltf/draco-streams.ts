// SPDX-License-Identifier: MIT

import type { AccessorInfo } from './validate/accessors';
import type { Draco } from './validate/meshes';
import { whereStored } from './validate/view';

/**
 * What has to be decoded so that every accessor of the primitives is filled: each stream once, however many views and
 * primitives have it, with all that is taken out of it. Where several streams fill an accessor, the last one does.
 */
export function streamsOf(primitives: readonly Draco[]): Draco[] {
    const last = new Map<AccessorInfo, { readonly draco: Draco; readonly id: number }>();
    const done = new Set<string>();
    for (const draco of primitives) {
        const ids = [...draco.ids].map(([{ index }, id]) => [index, id]);
        const key = JSON.stringify([whereStored(draco.view), ids]);
        if (done.has(key)) continue;
        done.add(key);
        for (const [info, id] of draco.ids) last.set(info, { draco, id });
    }
    const streams = new Map<string, Draco & { readonly ids: Map<AccessorInfo, number> }>();
    for (const [info, { draco, id }] of last) {
        const where = whereStored(draco.view);
        const stream = streams.get(where) ?? { ...draco, ids: new Map<AccessorInfo, number>() };
        stream.ids.set(info, id);
        streams.set(where, stream);
    }
    return [...streams.values()];
}
