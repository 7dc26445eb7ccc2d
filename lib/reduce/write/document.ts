// SPDX-License-Identifier: MIT

import { numberAtEnd } from '../../gltf/json';
import type { TypedArray } from '../../gltf/validate/accessors';
import { putKeys } from '../../rig/source/put-keys';
import type { ChangeableAccessor, ChangeableDocument } from '../../rig/source/sampled-document';
import type { ReducedAnimation } from '../types';

/**
 * Gives clips of a glTF-Transform Document their reduced keys. Channels keep their order and targets, samplers their
 * extras. Lists of the same numbers become one accessor. Unused accessors are removed.
 *
 * @param animations Pointers identify the Document's channels by number. Each clip keeps at least one channel.
 */
export function applyReduced(document: ChangeableDocument, animations: readonly ReducedAnimation[]): void {
    const listed = document.getRoot().listAnimations();
    const accessors = new Map<TypedArray, ChangeableAccessor>();
    const same = onceEach();
    for (const { animation, channels, removed } of animations) {
        if (channels.length + removed.length === 0) continue; // it may have no channel
        const before = listed[animation]!.listChannels();
        for (const pointer of removed) before[numberAtEnd(pointer)]!.dispose();
        const keys = channels.map(({ pointer, path, interpolation, times, values }) => ({
            channel: before[numberAtEnd(pointer)]!,
            path,
            interpolation,
            times: same('times', times),
            values: same(path === 'translation' ? 'scale' : path, values),
        }));
        putKeys(document, listed[animation]!, keys, accessors);
        if (listed[animation]!.listChannels().length > 0) continue;
        throw new Error(`/animations/${animation} must keep a channel (glTF 2.0, 5.5)`);
    }
}

/** Returns the first list of a kind with the same numbers. */
function onceEach(): <T extends TypedArray>(kind: string, list: T) => T {
    const known = new Map<string, TypedArray>();
    return <T extends TypedArray>(kind: string, list: T) => {
        const bytes = new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
        const key = `${kind} ${list.constructor.name} ${bytes.join()}`;
        const first = (known.get(key) ?? list) as T;
        known.set(key, first);
        return first;
    };
}
