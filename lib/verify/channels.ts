// SPDX-License-Identifier: MIT

import type { GltfFile, GltfJson, GltfTarget } from './gltf';
import { normalised, type Sampler } from './sampler';
import { memberOf } from './shape';

/** The node and property that a channel moves. */
interface Target {
    readonly node: number;
    readonly path: string;
    /** Whether KHR_animation_pointer addresses the node. */
    readonly byPointer: boolean;
}

/** One channel of an animation, with its keys as doubles. */
export interface Channel extends Target {
    readonly sampler: Sampler;
}

export interface EvaluatorOptions {
    /** Whether rotation keys (LINEAR, STEP) are normalized before anything else. */
    readonly renormalize?: boolean;
}

/** Offset of each path among a node's ten numbers (T 3, R 4, S 3). */
export const PLACE: Readonly<Record<string, number>> = { translation: 0, rotation: 3, scale: 7 };
const NODE_POINTER = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/;

/**
 * Returns the channels with their samplers, except those that glTF says to ignore: without a node, with an unknown
 * path, or for weights without morph targets (3.11).
 *
 * @param loose Keeps weights of nodes without a mesh. For a file that only provides clips.
 */
export function usedChannels(json: GltfJson, animation: number, loose = false) {
    const { channels = [], samplers = [] } = json.animations![animation]!;
    return channels.flatMap(({ sampler, target }) => {
        const to = resolve(target);
        if (to === null) return [];
        const isLoose = loose && json.nodes![to.node]!.mesh === undefined;
        if (to.path === 'weights' && morphTargetsOf(json, to.node) === 0 && !isLoose) return [];
        return [{ to, sampler: samplers[sampler]! }];
    });
}

/** The number of morph targets of a node's mesh. */
export function morphTargetsOf(json: GltfJson, node: number): number {
    const { mesh } = json.nodes![node]!;
    return mesh === undefined ? 0 : (json.meshes![mesh]!.primitives?.[0]?.targets?.length ?? 0);
}

/** The target of a channel; null if it is not a node's transform or weights. */
export function resolve({ node, path, extensions }: GltfTarget): Target | null {
    if (path !== 'pointer') {
        const known = memberOf(PLACE, path) !== undefined || path === 'weights';
        return node === undefined || !known ? null : { node, path, byPointer: false };
    }
    const match = NODE_POINTER.exec(extensions?.KHR_animation_pointer?.pointer ?? '');
    return match === null ? null : { node: Number(match[1]), path: match[2]!, byPointer: true };
}

export function readChannels({ json, numbers }: GltfFile, animation: number, options: EvaluatorOptions): Channel[] {
    return usedChannels(json, animation).map(({ to, sampler: { input, output, interpolation = 'LINEAR' } }) => {
        const times = numbers.get(input)!;
        let values = numbers.get(output)!;
        const rotation = to.path === 'rotation';
        if (rotation && interpolation !== 'CUBICSPLINE' && options.renormalize === true) {
            values = values.slice();
            for (let at = 0; at < values.length; at += 4) {
                values.set(normalised(Array.from(values.subarray(at, at + 4))), at);
            }
        }
        const width = rotation ? 4 : to.path === 'weights' ? morphTargetsOf(json, to.node) : 3;
        return { ...to, sampler: { times, values, interpolation, width, rotation } };
    });
}
