// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import { rangeError } from '../../base/errors';
import { eventsOf } from '../../gltf/clip-events';
import { numberAtEnd } from '../../gltf/json';
import type { Interpolation, SceneAnimation, SceneChannel, SceneNode, SceneSkin } from '../../gltf/scene';
import { LOCAL_FLOATS } from '../kernels/contract';
import { checkSource } from './check-source';
import { type MeshParts, meshesAt, placeInMesh } from './part-meshes';
import {
    checkLength,
    floatsAt,
    listAt,
    type Numbers,
    notA,
    numbersAt,
    objectAt,
    ROUTINE,
    stringAt,
} from './read-parts';
import { heldBytes, INTERPOLATIONS, identities, PATHS, type RigSource } from './source';

/** The argument of `Rig.create`. Everything is copied. */
export interface RigParts {
    /** Parent of each node; -1 for a root. Nodes may be in any order. */
    readonly parents: Numbers;
    /** The rest pose, `[node][10]`: T 3, R 4 (x y z w), S 3 (glTF 2.0, 3.5.3). */
    readonly rest: Numbers;
    /** Name of each node. Default: empty names. */
    readonly names?: readonly string[];
    /** For each node null, or 16 numbers, column-major: a matrix that replaces its transform in `rest`. */
    readonly matrices?: readonly (Numbers | null)[];
    /** Default: none. */
    readonly skins?: readonly SkinParts[];
    /** Default: none. */
    readonly clips?: readonly ClipParts[];
    /** Default: none. */
    readonly meshes?: readonly MeshParts[];
}

/** A skin: joints and their inverse bind matrices (glTF 2.0, 3.7.3). */
export interface SkinParts {
    /** Default: the empty name. */
    readonly name?: string;
    /** The joints: indices into `parents`. */
    readonly joints: Numbers;
    /** `[joint][16]`, column-major. Default: identity matrices. */
    readonly inverseBindMatrices?: Numbers;
}

/** An animation (glTF 2.0, 3.11). */
export interface ClipParts {
    /** Default: the empty name. */
    readonly name?: string;
    /** At most one channel per node and path. */
    readonly channels: readonly ChannelParts[];
    /** Events of the clip, such as footsteps. Default: none. */
    readonly events?: readonly ClipEvent[];
}

/** Keys of one property of one node (glTF 2.0, 3.11). */
export interface ChannelParts {
    /** Index into `parents`. */
    readonly node: number;
    /** The animated property. `'weights'` are morph weights; the node must have one of the `meshes` with targets. */
    readonly path: 'translation' | 'rotation' | 'scale' | 'weights';
    /** Default `'LINEAR'`. */
    readonly interpolation?: Interpolation;
    /** Key times in seconds, ascending. */
    readonly times: Numbers;
    /**
     * `[key][n]`, where n is 4 for rotations (x y z w), the number of targets for weights, otherwise 3. CUBICSPLINE:
     * `[key][3][n]`, in-tangent, value, out-tangent.
     */
    readonly values: Numbers;
}

/** Checks the parts and copies them. */
export function sourceOfParts(parts: RigParts): RigSource {
    const { parents, rest, names, matrices, skins = [], clips = [], meshes = [] } = objectAt('parts', parts);
    const parentList = numbersAt('parents', parents);
    const count = parentList.length;
    const restFloats = floatsAt('rest', rest);
    checkLength('rest', restFloats.length, count * LOCAL_FLOATS, `10 for each of ${count} nodes`);
    const nameList = names === undefined ? [] : listAt('names', names);
    if (names !== undefined) checkLength('names', nameList.length, count, 'one for each node');
    const matrixList = matrices === undefined ? [] : listAt('matrices', matrices);
    if (matrices !== undefined) checkLength('matrices', matrixList.length, count, 'one for each node');

    const { skinnedMeshes, targetWeights } = meshesAt(meshes, count, listAt('skins', skins).length);

    const nodes = parentList.map((parent, node): SceneNode => {
        const at = node * LOCAL_FLOATS;
        const matrix = matrixList[node] ?? null;
        return {
            name: stringAt(`names[${node}]`, nameList[node] ?? ''),
            parent,
            matrix: matrix === null ? null : matrixAt(`matrices[${node}]`, matrix),
            translation: restFloats.subarray(at, at + 3),
            rotation: restFloats.subarray(at + 3, at + 7),
            scale: restFloats.subarray(at + 7, at + 10),
            weights: targetWeights.get(node) ?? new Float32Array(0),
        };
    });
    const source: RigSource = {
        name: ROUTINE,
        nodes,
        skins: listAt('skins', skins).map((skin, index) => skinAt(`skins[${index}]`, skin as SkinParts)),
        animations: listAt('clips', clips).map((clip, index) => clipAt(`clips[${index}]`, clip as ClipParts)),
        skinnedMeshes,
    };
    checkSource(source, (where, rule) => {
        throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${placeOf(where)} ${rule}`);
    });
    return { ...source, ownBytes: heldBytes(source) };
}

/** Converts a path in the source to the caller's name for it. */
function placeOf([list, index, property, ...rest]: readonly (string | number)[]): string {
    const within = (segments: readonly (string | number)[]) =>
        segments.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`)).join('');
    if (list === 'meshes') return `meshes[${index}]${placeInMesh(rest.slice(1))}`;
    if (list !== 'nodes') return within([list === 'animations' ? 'clips' : list!, index!, property!, ...rest]).slice(1);
    if (property === 'parent') return `parents[${index}]`;
    if (property === 'matrix') return `matrices[${index}]${within(rest)}`;
    const first = { translation: 0, rotation: 3, scale: 7 }[property as 'translation' | 'rotation' | 'scale'];
    return `rest[${Number(index) * LOCAL_FLOATS + first + Number(rest[0])}] (${property} of node ${index})`;
}

function skinAt(argument: string, skin: SkinParts): SceneSkin {
    const { name = '', joints, inverseBindMatrices } = objectAt(argument, skin);
    const list = numbersAt(`${argument}.joints`, joints);
    return {
        name: stringAt(`${argument}.name`, name),
        joints: list,
        inverseBindMatrices:
            inverseBindMatrices === undefined
                ? identities(list.length)
                : floatsAt(`${argument}.inverseBindMatrices`, inverseBindMatrices),
    };
}

function clipAt(argument: string, clip: ClipParts): SceneAnimation {
    const { name = '', channels, events } = objectAt(argument, clip);
    const list = listAt(`${argument}.channels`, channels) as readonly ChannelParts[];
    const made = {
        name: stringAt(`${argument}.name`, name),
        channels: list.map((channel, index) => channelAt(`${argument}.channels[${index}]`, channel)),
    };
    if (events === undefined) return made;
    const extras = { events: [...listAt(`${argument}.events`, events)] };
    const [fault] = eventsOf({ ...made, extras }).faults;
    if (fault === undefined) return { ...made, extras };
    const where = `${argument}.events[${numberAtEnd(fault.pointer)}]`;
    throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${where} ${fault.rule}`);
}

function channelAt(argument: string, channel: ChannelParts): SceneChannel {
    const { node, path, interpolation = 'LINEAR', times, values } = objectAt(argument, channel);
    if (typeof node !== 'number') throw notA(`${argument}.node`, 'a number', node);
    checkOneOf(`${argument}.path`, PATHS, path);
    checkOneOf(`${argument}.interpolation`, INTERPOLATIONS, interpolation);
    return {
        pointer: '',
        node,
        path,
        interpolation,
        times: floatsAt(`${argument}.times`, times),
        values: floatsAt(`${argument}.values`, values),
    };
}

function checkOneOf(argument: string, allowed: readonly string[], value: string): void {
    if (!allowed.includes(value))
        throw notA(argument, `one of ${allowed.map((name) => `'${name}'`).join(', ')}`, value);
}

function matrixAt(argument: string, value: unknown): Float32Array {
    const matrix = floatsAt(argument, value);
    checkLength(argument, matrix.length, 16, 'column-major 4x4');
    return matrix;
}
