// SPDX-License-Identifier: MIT

import { cached } from '../../base/cached';
import { arrayAt, extensionOf, floatsAt, integerAt, type JsonObject, objectAt } from '../json';
import { fail, invalid, type Report, warn } from '../reading';
import {
    type AccessorInfo,
    type AccessorTable,
    BYTE,
    expectFormat,
    FLOAT,
    type Format,
    SHORT,
    UNSIGNED_BYTE,
    UNSIGNED_SHORT,
} from './accessors';
import type { FileClaims } from './claims';
import { type View, type ViewTable, whereStored } from './views';

/** The parts of a primitive that evaluation needs. */
export interface CheckedPrimitive {
    readonly pointer: string;
    readonly position: AccessorInfo;
    /** JOINTS_n and WEIGHTS_n, n from 0. Empty for a mesh without a skin. */
    readonly joints: readonly AccessorInfo[];
    readonly weights: readonly AccessorInfo[];
    readonly draco: Draco | null;
    /** Normals and morph targets for skinning; null unless requested. */
    readonly surface: CheckedSurface | null;
}

/** The place of a primitive. */
interface Place {
    readonly index: number;
    readonly mesh: number;
    readonly pointer: string;
}

export interface CheckedSurface {
    /** The primitive's index in the mesh. */
    readonly index: number;
    /** Whether only displacements are wanted, which need not be finite. */
    readonly loose: boolean;
    readonly normal: AccessorInfo | null;
    readonly targets: readonly { readonly position: AccessorInfo | null; readonly normal: AccessorInfo | null }[];
}

/** KHR_draco_mesh_compression: the attributes above that are in the compressed data, by their Draco id. */
export interface Draco {
    readonly pointer: string;
    readonly view: View;
    readonly ids: ReadonlyMap<AccessorInfo, number>;
}

/** Without a decoder, rejects primitives that have no uncompressed data, for the reason `why`. The others use that. */
export function requireFallback(primitives: readonly Draco[], report: Report, why: string): void {
    for (const { pointer, ids } of primitives) {
        if ([...ids.keys()].every(({ view }) => view !== null)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', pointer, why);
    }
}

export interface MeshTable {
    /** Number of morph targets of a mesh, the same for each primitive (3.7.2.2). */
    morphTargets(mesh: number): number;
    /** A node's morph weights at rest: its own, otherwise its mesh's, otherwise zeros (3.7.4). */
    restWeights(node: JsonObject, mesh: number, pointer: string): Float32Array;
    /** The primitives of a mesh that a skin can move, or, without a skin, all that have vertices. */
    primitives(mesh: number, skinned?: boolean): readonly CheckedPrimitive[];
}

/** Integers and floats. Viewers apply KHR_mesh_quantization even if it is not declared. */
const POSITION: Format = {
    type: 'VEC3',
    componentTypes: [FLOAT, BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT],
    normalized: 'either',
};
const JOINTS: Format = { type: 'VEC4', componentTypes: [UNSIGNED_BYTE, UNSIGNED_SHORT], normalized: false };
const WEIGHTS: Format = { type: 'VEC4', componentTypes: [FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT], normalized: true };

/** Morph targets have only signed numbers; those of normals are normalized. */
const NORMAL: Format = { type: 'VEC3', componentTypes: [FLOAT, BYTE, SHORT], normalized: true };
const TARGET_POSITION: Format = { type: 'VEC3', componentTypes: [FLOAT, BYTE, SHORT], normalized: 'either' };

export const DRACO = 'KHR_draco_mesh_compression';

/** A table of the JSON's meshes, whose accessors are checked on first use. `surfacesOf` says what more to read. */
export function createMeshTable(
    json: JsonObject,
    accessors: AccessorTable,
    views: ViewTable,
    claims: FileClaims,
    report: Report,
    surfacesOf: (mesh: number) => 'all' | 'targets' | 'none',
): MeshTable {
    const values = arrayAt(report, json.meshes, '/meshes');
    const targetCounts = new Map<number, number>();
    const checked = { skinned: new Map<number, CheckedPrimitive[]>(), rigid: new Map<number, CheckedPrimitive[]>() };

    function primitivesOf(mesh: number): JsonObject[] {
        const pointer = `/meshes/${mesh}/primitives`;
        const { primitives } = objectAt(report, values[mesh], `/meshes/${mesh}`);
        return arrayAt(report, primitives, pointer).map((value, i) => objectAt(report, value, `${pointer}/${i}`));
    }

    function countTargets(mesh: number): number {
        const counts = primitivesOf(mesh).map(
            (primitive, i) => arrayAt(report, primitive.targets, `/meshes/${mesh}/primitives/${i}/targets`).length,
        );
        const count = counts[0] ?? 0;
        const other = counts.findIndex((value) => value !== count);
        if (other !== -1) {
            const pointer = `/meshes/${mesh}/primitives/${other}/targets`;
            invalid(report, pointer, `${counts[other]} morph targets, the first primitive has ${count} (3.7.2.2)`);
        }
        return count;
    }

    const morphTargets = (mesh: number) => cached(targetCounts, mesh, () => countTargets(mesh));

    const sharedWeights = new Map<number, Float32Array>();
    function restWeights(node: JsonObject, mesh: number, pointer: string): Float32Array {
        const count = morphTargets(mesh);
        if (node.weights !== undefined && count > 0)
            return floatsAt(report, node.weights, new Float32Array(count), `${pointer}/weights`);
        return cached(sharedWeights, mesh, () => {
            const own = (values[mesh] as JsonObject).weights;
            const weights = new Float32Array(count);
            if (own !== undefined && count > 0) floatsAt(report, own, weights, `/meshes/${mesh}/weights`);
            return weights;
        });
    }

    /** JOINTS_0, JOINTS_1, ... without a gap. Both attributes must have the same number of sets (glTF 2.0, 3.7.3.3). */
    function attributeSets(attributes: JsonObject, semantic: string, format: Format, count: number, pointer: string) {
        const sets: AccessorInfo[] = [];
        for (let n = 0; attributes[`${semantic}_${n}`] !== undefined; n++) {
            sets.push(attribute(attributes, `${semantic}_${n}`, format, count, `${pointer}/attributes`, '3.7.3.3'));
        }
        return sets;
    }

    function attribute(
        attributes: JsonObject,
        semantic: string,
        format: Format,
        count: number | null,
        pointer: string,
        clause: string,
    ): AccessorInfo {
        const at = `${pointer}/${semantic}`;
        const info = accessors(attributes[semantic], at);
        expectFormat(report, info, format, at, clause);
        if (count !== null && info.count !== count) {
            const rule = `accessor ${info.index} has ${info.count} elements, POSITION has ${count} (3.7.2.1)`;
            invalid(report, at, rule);
        }
        return info;
    }

    function checkDraco(primitive: JsonObject, used: ReadonlyMap<string, AccessorInfo>, pointer: string): Draco | null {
        const extension = extensionOf(primitive, DRACO);
        if (extension === undefined) return null;
        const at = `${pointer}/extensions/${DRACO}`;
        const attributes = objectAt(report, extension.attributes, `${at}/attributes`);
        const ids = new Map<AccessorInfo, number>();
        for (const [semantic, info] of used) {
            if (attributes[semantic] === undefined) continue;
            ids.set(info, integerAt(report, attributes[semantic], `${at}/attributes/${semantic}`));
            if (info.sparse !== null) {
                invalid(report, `${info.pointer}/sparse`, `an accessor that Draco fills must not be sparse (${DRACO})`);
            }
        }
        if (ids.size === 0) return null;
        const view = views(extension.bufferView, `${at}/bufferView`);
        claims.decodeStream(whereStored(view), view.storedLength, `${at}/bufferView`);
        return { pointer: at, view, ids };
    }

    function checkSurface(
        primitive: JsonObject,
        count: number,
        { index, mesh, pointer }: Place,
    ): CheckedSurface | null {
        const wanted = surfacesOf(mesh);
        if (wanted === 'none') return null;
        const loose = wanted === 'targets';
        const optional = (list: JsonObject, semantic: string, format: Format, at: string) =>
            list[semantic] === undefined || (loose && semantic === 'NORMAL')
                ? null
                : attribute(list, semantic, format, count, at, '3.7.2');
        const targets = arrayAt(report, primitive.targets, `${pointer}/targets`).map((value, n) => {
            const at = `${pointer}/targets/${n}`;
            const target = objectAt(report, value, at);
            return {
                position: optional(target, 'POSITION', TARGET_POSITION, at),
                normal: optional(target, 'NORMAL', NORMAL, at),
            };
        });
        const normal = optional(primitive.attributes as JsonObject, 'NORMAL', NORMAL, `${pointer}/attributes`);
        return { index, loose, normal, targets };
    }

    function checkPrimitive(primitive: JsonObject, place: Place, skinned: boolean): CheckedPrimitive | null {
        const { pointer } = place;
        const attributes = objectAt(report, primitive.attributes, `${pointer}/attributes`);
        const none = ['JOINTS_0', 'WEIGHTS_0'].every((semantic) => attributes[semantic] === undefined);
        if (attributes.POSITION === undefined || (skinned && none)) {
            if (!skinned) return null;
            const missing = attributes.POSITION === undefined ? 'POSITION' : 'JOINTS_0 and WEIGHTS_0';
            warn(
                report,
                'PRIMITIVE_NOT_SKINNED',
                pointer,
                `left out: no ${missing} (3.7.2.1, 3.7.3.3); bind it to the joints, or give it a node without a skin`,
            );
            return null;
        }
        const position = attribute(attributes, 'POSITION', POSITION, null, `${pointer}/attributes`, '3.7.2.1');
        // Without a skin, joints and weights are ignored (3.7.3.3).
        const setsOf = (semantic: string, format: Format) =>
            skinned ? attributeSets(attributes, semantic, format, position.count, pointer) : [];
        const [joints, weights] = [setsOf('JOINTS', JOINTS), setsOf('WEIGHTS', WEIGHTS)];
        if (joints.length !== weights.length) {
            const rule = `${joints.length} sets of JOINTS_n, ${weights.length} of WEIGHTS_n: must be as many (3.7.3.3)`;
            invalid(report, `${pointer}/attributes`, rule);
        }
        // Several sets are interleaved for each primitive, so shared accessors count again.
        if (joints.length > 1) claims.interleave(position.count * joints.length * 8, `${pointer}/attributes`);
        const surface = checkSurface(primitive, position.count, place);
        const used = new Map([['POSITION', position]]);
        if (surface !== null && surface.normal !== null) used.set('NORMAL', surface.normal);
        for (const [n, info] of joints.entries()) used.set(`JOINTS_${n}`, info);
        for (const [n, info] of weights.entries()) used.set(`WEIGHTS_${n}`, info);
        return { pointer, position, joints, weights, draco: checkDraco(primitive, used, pointer), surface };
    }

    function primitives(mesh: number, skinned = true): readonly CheckedPrimitive[] {
        return cached(skinned ? checked.skinned : checked.rigid, mesh, () =>
            primitivesOf(mesh)
                .map((primitive, index) => {
                    const place = { index, mesh, pointer: `/meshes/${mesh}/primitives/${index}` };
                    return checkPrimitive(primitive, place, skinned);
                })
                .filter((primitive) => primitive !== null),
        );
    }

    return { morphTargets, restWeights, primitives };
}
