// SPDX-License-Identifier: MIT

/** Invalid clips in files that are read again. Nobody has chosen them, so they must not cause an error. */

import { isObject, type JsonObject } from './json';
import type { SceneAnimation } from './scene';

function listOf({ animations }: JsonObject): readonly unknown[] {
    return Array.isArray(animations) ? animations : [];
}

export function faultyClips({ animations }: { readonly animations: readonly SceneAnimation[] }): Set<number> {
    return new Set([...animations.keys()].filter((index) => animations[index]!.fault !== undefined));
}

/** The JSON with the same clips and names. Clips with a fault lose their channels. */
export function withoutFaultyClips(json: JsonObject, faulty: ReadonlySet<number>): JsonObject {
    if (faulty.size === 0) return json;
    const animations = listOf(json).map((clip, index) => {
        if (!faulty.has(index)) return clip;
        return { ...(isObject(clip) && 'name' in clip ? { name: clip.name } : {}), channels: [], samplers: [] };
    });
    return { ...json, animations };
}

export function accessorsOfFaultyClips(json: JsonObject, faulty: ReadonlySet<number>): Set<unknown> {
    const found = new Set<unknown>();
    for (const index of faulty) {
        const clip = listOf(json)[index];
        const samplers = isObject(clip) && Array.isArray(clip.samplers) ? clip.samplers : [];
        for (const sampler of samplers) if (isObject(sampler)) found.add(sampler.input).add(sampler.output);
    }
    return found;
}
