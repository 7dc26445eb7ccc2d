// SPDX-License-Identifier: MIT

import { GLB_MAGIC, joinChunks } from '../base/glb';
import type { Container } from './container';
import type { SceneChannel } from './scene';

export interface AppendedAnimation {
    readonly name: string;
    readonly channels: readonly Omit<SceneChannel, 'pointer'>[];
}

const FLOAT = 5126;
/** Types of the values of channels (glTF 2.0, 3.11). */
export const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
/** Numbers of an element. */
export const WIDTHS: Readonly<Record<string, number>> = { VEC3: 3, VEC4: 4, SCALAR: 1 };

/** Adds animations, for readers of one file. Their `keys` are the last buffer, which is called `uri`. */
export function appendAnimations(
    { json, bin }: Container,
    animations: readonly AppendedAnimation[],
    uri: string,
): { glb: Uint8Array; keys: Uint8Array } {
    const lists = new Map<Float32Array, number>();
    let length = 0;
    for (const list of animations.flatMap(({ channels }) => channels.flatMap(({ times, values }) => [times, values]))) {
        if (lists.has(list)) continue;
        lists.set(list, length);
        length += list.length;
    }
    const keys = new DataView(new ArrayBuffer(length * 4));
    for (const [list, at] of lists) for (let i = 0; i < list.length; i++) keys.setFloat32((at + i) * 4, list[i]!, true);

    const [buffers, views, accessors, own] = ['buffers', 'bufferViews', 'accessors', 'animations'].map((name) => [
        ...((json[name] ?? []) as object[]),
    ]) as [object[], object[], object[], object[]];
    const byteLength = keys.byteLength;
    const bufferView = views.push({ buffer: buffers.length, byteLength }) - 1;
    buffers.push({ uri, byteLength });
    const accessorOf = (list: Float32Array, type: string) =>
        accessors.push({
            bufferView,
            byteOffset: lists.get(list)! * 4,
            componentType: FLOAT,
            count: list.length / WIDTHS[type]!,
            type,
        }) - 1;
    for (const { name, channels } of animations) {
        own.push({
            name,
            channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
            samplers: channels.map(({ path, interpolation, times, values }) => ({
                input: accessorOf(times, 'SCALAR'),
                output: accessorOf(values, TYPES[path]),
                interpolation,
            })),
        });
    }
    const whole = { ...json, buffers, bufferViews: views, accessors, animations: own };
    return { glb: joinChunks(GLB_MAGIC, 2, whole, bin === null ? [] : [bin]), keys: new Uint8Array(keys.buffer) };
}
