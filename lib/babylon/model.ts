// SPDX-License-Identifier: MIT

/** Finds the table and the columns that move each mesh of a model. Rejects tables of another model. */

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { rangeError } from '../base/errors';
import type { Palettes } from '../table/palettes';
import { needsSkin, type Rescaled, rescaledOf } from '../table/rescaled';
import { isMirrored } from '../table/row-mix';

/** A mesh that the bake moves. */
export interface Part {
    readonly mesh: BABYLON.AbstractMesh;
    /** Index of the table that moves it. */
    readonly table: number;
    /** Column that moves it; -1 for a skinned mesh, whose vertices have joints. */
    readonly column: number;
    /** Index of its first weight in a row of the array `morph`; null if it keeps the mesh's own weights. */
    readonly firstWeight: number | null;
    /** Whether the column turns it inside out. */
    readonly mirrored: boolean;
    /** From its vertices to those of the palette; null if these are the same. */
    readonly rescaled: Rescaled | null;
}

/** A node that the bakes name: a joint, an attachment, or a mesh with morph targets. */
interface Entry {
    readonly node: number;
    readonly name: string;
}

/** A node's name in the file. Copies by `instantiateModelsToScene` have a prefix. */
export const nameOf = ({ name }: BABYLON.Node) => name.replace(/^(Clone of )+/, '');

/** The file's node that the glTF loader made it from. Copies do not have it. */
function indexOf(node: BABYLON.Node): number | undefined {
    const { _internalMetadata } = node as { _internalMetadata?: { gltf?: { pointers?: string[] } } };
    const pointer = _internalMetadata?.gltf?.pointers?.find((one) => /^\/nodes\/\d+$/.test(one));
    return pointer === undefined ? undefined : Number(pointer.slice(7));
}

function is(object: BABYLON.Node, { node, name }: Entry): boolean {
    const own = indexOf(object);
    return (own === undefined || own === node) && nameOf(object) === (name || `node${node}`);
}

/** The mesh, or the parent node if its primitives are separate meshes. */
function nodeOf(mesh: BABYLON.Node): BABYLON.Node {
    const name = /^(.*)_primitive\d+$/.exec(mesh.name)?.[1];
    return indexOf(mesh) === undefined && mesh.parent !== null && mesh.parent.name === name ? mesh.parent : mesh;
}

/** The joints' nodes, in the order of the skin. Babylon's skeletons also contain the nodes between them. */
function jointsOf({ bones }: BABYLON.Skeleton): BABYLON.Bone[] {
    const joints: BABYLON.Bone[] = [];
    for (const bone of bones) if (bone.getIndex() >= 0) joints[bone.getIndex()] = bone;
    return joints;
}

/**
 * The meshes that the tables move, and the nodes of the columns.
 *
 * @param source Whose tables they are. Those of a rig have attachments that the model need not have.
 * @throws RangeError `ERR_MODEL_DIFFERS`: the model and the tables are not of one file; `ERR_AMBIGUOUS_NAME`: names are
 * not enough to match them.
 */
export function partsOf(
    tables: readonly Palettes[],
    meshes: readonly BABYLON.AbstractMesh[],
    source: 'bake' | 'rig',
): { parts: readonly Part[]; moving: ReadonlySet<unknown> } {
    const routine = source === 'bake' ? 'createBakedAnimation' : 'createLiveCrowd';
    function differs(what: string): never {
        const needs = `needs all meshes of the model ${source === 'bake' ? 'that was baked' : 'of the rig'}`;
        throw rangeError('ERR_MODEL_DIFFERS', `${routine}: ${what}: ${needs}`);
    }
    function ambiguous(what: string): never {
        const needs = 'give meshes as the glTF loader made them: they know their nodes';
        throw rangeError('ERR_AMBIGUOUS_NAME', `${routine}: ${what}: ${needs}`);
    }
    /** For each table, the nodes that its columns move. */
    const columns = tables.map(() => new Map<BABYLON.Node, number>());
    /** By table and rescaling. */
    const skeletons = new Map<string, BABYLON.Bone[]>();
    const attached = new Map<Entry, BABYLON.Node>();

    const above = (table: number, from: BABYLON.Node | null): number => {
        for (let node = from; node !== null; node = node.parent) {
            const column = columns[table]!.get(node);
            if (column !== undefined) return column;
        }
        return -1;
    };

    function tableOf(mesh: BABYLON.AbstractMesh): Pick<Part, 'table' | 'rescaled'> {
        const joints = jointsOf(mesh.skeleton!);
        const nodes = joints.map((bone) => bone.getTransformNode() ?? bone);
        const known = nodes[0] && indexOf(nodes[0]) === undefined ? null : /^skeleton(\d+)$/.exec(mesh.skeleton!.id);
        const skin = known === null ? undefined : Number(known[1]);
        const uses = tables.map((table) => rescaledOf(table, skin));
        const differences = tables.map(({ joints: entries, manifest }, table) => {
            if (nodes.length !== entries.length) return `${nodes.length} joints, not ${entries.length}`;
            const wrong = entries.findIndex((joint, i) => !is(nodes[i]!, joint));
            if (wrong >= 0) return `'${nodes[wrong]!.name}' as joint ${wrong}, not '${entries[wrong]!.name}'`;
            const { index, indices = [index] } = manifest.skin!;
            return uses[table] !== undefined ? null : `skin ${skin}, not ${indices}`;
        });
        const found = differences.indexOf(null);
        if (found < 0) differs(`skinned mesh '${mesh.name}' has ${differences.join('; ')} as the ${source}`);
        if (differences.indexOf(null, found + 1) >= 0) ambiguous(`two tables have the joints of '${mesh.name}'`);
        if (skin === undefined && needsSkin(tables[found]!)) ambiguous(`skins share the joints of '${mesh.name}'`);
        const rescaled = uses[found]!;
        const key = `${found} ${rescaled?.skin}`;
        const first = skeletons.get(key) ?? joints;
        const bind = (bone: BABYLON.Bone) => bone.getAbsoluteInverseBindMatrix();
        if (!joints.every((bone, i) => bind(bone).equals(bind(first[i]!)))) {
            differs(`skinned mesh '${mesh.name}' has other inverse bind matrices than the one before`);
        }
        skeletons.set(key, first);
        for (const [i, node] of nodes.entries()) columns[found]!.set(node, i);
        return { table: found, rescaled };
    }

    function attachmentOf(node: BABYLON.Node): { table: number; column: number } | null {
        const known = [...attached].find(([, other]) => other === node)?.[0];
        const exact = known !== undefined || indexOf(node) !== undefined || source === 'rig';
        const found = tables.flatMap(({ attachments }, table) =>
            attachments
                .filter((one) => (known === undefined ? is(node, one) : one === known))
                .filter(({ parent }) => exact || parent === above(table, node.parent))
                .map((one) => ({ table, one })),
        );
        if (found.length === 0) return null;
        const { table, one } = found[0]!;
        if (found.length > 1) ambiguous(`attachments of the ${source} are called '${one.name}'`);
        if ((attached.get(one) ?? node) !== node) ambiguous(`meshes of the model are called '${one.name}'`);
        attached.set(one, node);
        // A joint with a mesh remains the joint of the nodes below.
        if (!columns[table]!.has(node)) columns[table]!.set(node, one.column);
        return { table, column: one.column };
    }

    function weightsOf(mesh: BABYLON.AbstractMesh, table: number, column: number): number | null {
        const { arrays, joints, attachments, manifest } = tables[table]!;
        const count = mesh.morphTargetManager?.numTargets ?? 0;
        if (count === 0 || arrays.morph === undefined || manifest.arrays.morph?.meshes === undefined) return null;
        const own = attachments[column - joints.length]?.node;
        const found = manifest.arrays.morph.meshes.filter((entry) =>
            own !== undefined
                ? entry.node === own
                : is(nodeOf(mesh), entry) && !attachments.some(({ node }) => node === entry.node),
        );
        if (found.length > 1) ambiguous(`skinned meshes with morph targets are called '${mesh.name}'`);
        if (found[0]?.count !== count) {
            differs(`mesh '${mesh.name}' has ${count} morph targets, in the ${source} ${found[0]?.count ?? 'none'}`);
        }
        return found[0]!.first;
    }

    function partOf(mesh: BABYLON.AbstractMesh): Part[] {
        const node = nodeOf(mesh);
        const skinned = tablesOfSkinned.get(mesh);
        if (skinned !== undefined) {
            const firstWeight = weightsOf(mesh, skinned.table, -1);
            return [{ ...skinned, mesh, column: -1, firstWeight, mirrored: false }];
        }
        const attachment = attachmentOf(node);
        if (attachment === null) {
            // The bake left it out.
            if (tables.every(({ manifest }) => manifest.recipe.attachments !== undefined)) return [];
            if (tables.some((_, table) => above(table, node) >= 0)) {
                differs(`mesh '${mesh.name}' moves with a joint or attachment, and the ${source} does not have it`);
            }
            return [];
        }
        const { table, column } = attachment;
        const mirrored = isMirrored(tables[table]!.arrays.palette!, column);
        const firstWeight = weightsOf(mesh, table, column);
        return [{ mesh, table, column, firstWeight, mirrored, rescaled: null }];
    }

    const visible = meshes.filter((mesh) => mesh.getTotalVertices() > 0);
    // Joints first, because attachments are below them, and below one another.
    const tablesOfSkinned = new Map(visible.filter(({ skeleton }) => skeleton).map((mesh) => [mesh, tableOf(mesh)]));
    for (const [table, { joints }] of tables.entries()) {
        if (joints.length > 0 && columns[table]!.size === 0) {
            differs(`no skinned mesh has the ${joints.length} joints of the ${source}, '${joints[0]!.name}' and so on`);
        }
    }
    const depth = (node: BABYLON.Node | null): number => (node === null ? 0 : 1 + depth(node.parent));
    const order = new Map(visible.map((mesh, i) => [mesh, i]));
    const parts = [...visible]
        .sort((a, b) => depth(a) - depth(b))
        .flatMap(partOf)
        .sort((a, b) => order.get(a.mesh)! - order.get(b.mesh)!);
    for (const { attachments } of source === 'bake' ? tables : []) {
        const missing = attachments.find((one) => !attached.has(one));
        if (missing) differs(`the model has no mesh '${missing.name}' (node ${missing.node}), which the bake moves`);
    }
    return { parts, moving: new Set([...columns.flatMap((map) => [...map.keys()]), ...parts.map(({ mesh }) => mesh)]) };
}
