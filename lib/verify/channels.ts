// SPDX-License-Identifier: MIT

import { decodeAccessor } from './accessors';
import { type GltfFile, refuse } from './gltf-file';
import type { GltfTarget } from './gltf-json';
import { normalised, type Sampler } from './sampler';
import { memberOf } from './shape';

/** One channel of an animation, with its keys as doubles. */
export interface Channel {
    readonly node: number;
    readonly path: string;
    /** Whether KHR_animation_pointer addresses the node. */
    readonly byPointer: boolean;
    readonly sampler: Sampler;
}

export interface EvaluatorOptions {
    /** Rotation keys (LINEAR, STEP) are brought to unit length before anything else. */
    readonly renormalize?: boolean;
}

/** Where the locals of a node, T 3, R 4, S 3, have what a path moves. */
export const PLACE: Readonly<Record<string, number>> = { translation: 0, rotation: 3, scale: 7 };
const NODE_POINTER = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/;

/** What glTF says to ignore is not among them: no node, an unknown path, weights where nothing morphs (3.11). */
export function readChannels(file: GltfFile, animation: number, options: EvaluatorOptions): Channel[] {
    const { channels } = file.json.animations![animation]!;
    return channels.flatMap(({ sampler, target }, index): Channel[] => {
        const to = resolve(target);
        if (to === null) return [];
        const pointer = `/animations/${animation}/channels/${index}`;
        if (file.json.nodes?.[to.node] === undefined) refuse(file.path, pointer, 'there is no such node (3.3)');
        if (to.path === 'weights' && morphTargetsOf(file, to.node) === 0) return [];
        return [{ ...to, sampler: samplerOf(file, animation, sampler, to, pointer, options) }];
    });
}

/** How many morph targets the mesh of a node has. */
export function morphTargetsOf({ json }: GltfFile, node: number): number {
    const { mesh } = json.nodes![node]!;
    return mesh === undefined ? 0 : (json.meshes?.[mesh]?.primitives[0]?.targets?.length ?? 0);
}

type Target = Omit<Channel, 'sampler'>;

function resolve({ node, path, extensions }: GltfTarget): Target | null {
    if (path !== 'pointer') {
        const known = memberOf(PLACE, path) !== undefined || path === 'weights';
        return node === undefined || !known ? null : { node, path, byPointer: false };
    }
    const match = NODE_POINTER.exec(extensions?.KHR_animation_pointer?.pointer ?? '');
    return match === null ? null : { node: Number(match[1]), path: match[2]!, byPointer: true };
}

function samplerOf(
    file: GltfFile,
    animation: number,
    index: number,
    { node, path }: Target,
    pointer: string,
    { renormalize }: EvaluatorOptions,
): Sampler {
    const described = file.json.animations![animation]!.samplers[index];
    if (described === undefined) refuse(file.path, pointer, 'there is no such sampler (3.11)');
    const { input, output, interpolation = 'LINEAR' } = described;
    const times = decodeAccessor(file, input);
    const values = decodeAccessor(file, output);
    const rotation = path === 'rotation';
    const width = rotation ? 4 : path === 'weights' ? morphTargetsOf(file, node) : 3;
    const cubic = interpolation === 'CUBICSPLINE';
    if (values.length !== times.length * width * (cubic ? 3 : 1)) {
        refuse(file.path, pointer, 'its sampler has not one value for each key (3.11)');
    }
    if (rotation && !cubic && renormalize === true) {
        for (let at = 0; at < values.length; at += 4) {
            values.set(normalised(Array.from(values.subarray(at, at + 4))), at);
        }
    }
    return { times, values, interpolation, width, rotation };
}
