// SPDX-License-Identifier: MIT

import { rangeError } from '../../base/errors';
import type { SkinnedMesh, SkinnedSurface } from '../../gltf/scene';
import { checkLength, floatsAt, listAt, type Numbers, notA, numbersAt, objectAt, ROUTINE } from './read-parts';

/** A mesh that a skin moves (glTF 2.0, 3.7.3.3). */
export interface MeshParts {
    /** The node that has the mesh; index into `parents`. A node has at most one mesh. Its transform has no effect. */
    readonly node: number;
    /** Index into `skins`. */
    readonly skin: number;
    /** `[vertex][3]`: positions. */
    readonly positions: Numbers;
    /** `[vertex][3]`: normals. Default: the mesh has no normals. */
    readonly normals?: Numbers;
    /** Number of joints per vertex. Default: 4. */
    readonly influences?: number;
    /** `[vertex][influences]`: indices into the joints of the skin. */
    readonly joints: Numbers;
    /**
     * `[vertex][influences]`: weights. They are not normalized: a vertex whose weights do not add up to 1 is scaled by
     * their sum.
     */
    readonly weights: Numbers;
    /** Morph targets (glTF 2.0, 3.7.2.2): displacements, `[vertex][3]`. */
    readonly targets?: readonly { readonly positions?: Numbers; readonly normals?: Numbers }[];
    /** Weights of the targets at rest. Default: zeros. */
    readonly targetWeights?: Numbers;
}

const ATTRIBUTES: Readonly<Record<string, string>> = { POSITION: 'positions', NORMAL: 'normals' };

/** JSON pointers within `/meshes/M/primitives/P` of a glTF. */
export function placeInMesh([list, ...rest]: readonly (string | number)[]): string {
    const name = (semantic: string) => {
        return ATTRIBUTES[semantic] ?? (semantic.startsWith('JOINTS') ? 'joints' : 'weights');
    };
    if (list === 'attributes') return `.${name(String(rest[0]))}`;
    return rest.length === 0 ? '.targets' : `.targets[${rest[0]}].${name(String(rest[1]))}`;
}

/** @returns The meshes, and the rest weights of the nodes that have one. */
export function meshesAt(
    value: unknown,
    nodes: number,
    skins: number,
): { skinnedMeshes: SkinnedMesh[]; targetWeights: ReadonlyMap<number, Float32Array> } {
    const skinnedMeshes: SkinnedMesh[] = [];
    const targetWeights = new Map<number, Float32Array>();
    for (const [index, parts] of listAt('meshes', value).entries()) {
        const { mesh, weights } = meshAt(index, parts as MeshParts, nodes, skins);
        if (targetWeights.has(mesh.node)) {
            const what = `meshes[${index}].node ${mesh.node} has a mesh already: one for each node`;
            throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${what}`);
        }
        skinnedMeshes.push(mesh);
        targetWeights.set(mesh.node, weights);
    }
    return { skinnedMeshes, targetWeights };
}

function meshAt(
    index: number,
    mesh: MeshParts,
    nodes: number,
    skins: number,
): { mesh: SkinnedMesh; weights: Float32Array } {
    const at = `meshes[${index}]`;
    const { node, skin, positions, normals, influences = 4, joints, weights, targets = [] } = objectAt(at, mesh);
    const { targetWeights } = mesh;
    integerAt(`${at}.node`, node, nodes, 'node');
    integerAt(`${at}.skin`, skin, skins, 'skin');
    if (typeof influences !== 'number') throw notA(`${at}.influences`, 'a number', influences);
    const optional = (argument: string, value: Numbers | undefined) =>
        value === undefined ? null : floatsAt(argument, value);
    const surface: SkinnedSurface = {
        index: 0,
        normals: optional(`${at}.normals`, normals),
        targets: listAt(`${at}.targets`, targets).map((value, t) => {
            const target = objectAt(`${at}.targets[${t}]`, value as NonNullable<MeshParts['targets']>[number]);
            return {
                positions: optional(`${at}.targets[${t}].positions`, target.positions),
                normals: optional(`${at}.targets[${t}].normals`, target.normals),
            };
        }),
    };
    const rest = optional(`${at}.targetWeights`, targetWeights) ?? new Float32Array(surface.targets.length);
    checkLength(`${at}.targetWeights`, rest.length, surface.targets.length, 'one for each target');
    const bad = rest.findIndex((weight) => !Number.isFinite(weight));
    if (bad >= 0) {
        const what = `${at}.targetWeights[${bad}] is ${rest[bad]}, must be finite`;
        throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${what}`);
    }
    const primitive = {
        positions: floatsAt(`${at}.positions`, positions),
        influences,
        joints: jointsAt(`${at}.joints`, joints),
        weights: floatsAt(`${at}.weights`, weights),
    };
    return { mesh: { node, mesh: index, skin, primitives: [primitive], surfaces: [surface] }, weights: rest };
}

function jointsAt(argument: string, value: unknown): Uint16Array {
    const joints = numbersAt(argument, value);
    const bad = joints.findIndex((joint) => joint !== (joint & 0xffff));
    if (bad < 0) return Uint16Array.from(joints);
    const needs = 'must be an integer from 0 to 65535';
    throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${argument}[${bad}] is ${joints[bad]}, ${needs}`);
}

function integerAt(argument: string, value: unknown, limit: number, noun: string): void {
    if (typeof value !== 'number') throw notA(argument, 'a number', value);
    if (Number.isInteger(value) && value >= 0 && value < limit) return;
    const needs = limit === 0 ? `but there is no ${noun}` : `must be a ${noun}, 0 to ${limit - 1}`;
    throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${argument} is ${value}, ${needs}`);
}
