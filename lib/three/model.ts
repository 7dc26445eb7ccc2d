// SPDX-License-Identifier: MIT

/** Finds the table and the columns that move each mesh of a model. Rejects tables of another model. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { rangeError } from '../base/errors';
import type { Palettes } from '../table/palettes';
import { needsSkin, type Rescaled, rescaledOf } from '../table/rescaled';
import { isMirrored } from '../table/row-mix';
import type { LoadedModel, SharedThree } from './types';
import type { Follows } from './vertex-shader';

const EXACTLY = 'pass the whole gltf of GLTFLoader instead of only its scene: it knows the node of each object';

/** A mesh of the model. */
export interface Part {
    readonly mesh: THREE.Mesh;
    readonly follows: Follows;
    /** Index of the table that moves it. */
    readonly table: number;
    /** Column that moves it, if `follows` is `column`. */
    readonly column: number;
    /** Its transform, if `follows` is `rest`. */
    readonly rest: THREE.Matrix4;
    /** Index of its first weight in a row of the array `morph`; null if it keeps the mesh's own weights. */
    readonly firstWeight: number | null;
    /** Whether three.js would turn its faces. */
    readonly mirrored: boolean;
    /** Whether it and all its ancestors are visible. */
    readonly visible: boolean;
    /** From its vertices to those of the palette; null if these are the same. */
    readonly rescaled: Rescaled | null;
}

type Skinned = THREE.SkinnedMesh;

/** A node that the bakes name: a joint, an attachment, or a mesh with morph targets. */
interface Entry {
    readonly node: number;
    readonly name: string;
}

/**
 * The meshes of a model, in the order of its scene.
 *
 * @param source Whose tables they are. Those of a rig have attachments that the model need not have.
 * @throws RangeError `ERR_MODEL_DIFFERS`: the model and the tables are not of one file; `ERR_AMBIGUOUS_NAME`: names are
 * not enough to match them.
 */
export function partsOf(
    three: SharedThree,
    tables: readonly Palettes[],
    model: LoadedModel | THREE.Object3D,
    source: 'bake' | 'rig',
): readonly Part[] {
    const routine = source === 'bake' ? 'createBakedCrowd' : 'createLiveCrowd';
    function differs(what: string): never {
        const needs = source === 'bake' ? 'the model that was baked' : 'the model of the rig';
        throw rangeError('ERR_MODEL_DIFFERS', `${routine}: ${what}: needs ${needs}`);
    }
    function ambiguous(what: string): never {
        throw rangeError('ERR_AMBIGUOUS_NAME', `${routine}: ${what}: ${EXACTLY}`);
    }
    const { scene, parser } = 'parser' in model ? model : { scene: model, parser: undefined };
    const nodes = (object: THREE.Object3D) =>
        (parser?.associations.get(object) as { nodes?: number } | undefined)?.nodes;
    const is = (object: THREE.Object3D, { node, name }: Entry) =>
        parser === undefined ? isNamed(three, object, name) : nodes(object) === node && isNamed(three, object, name);
    /** For each table, the objects that its columns move. */
    const columns = tables.map(() => new Map<THREE.Object3D, number>());
    const skeletons = new Map<number, THREE.Skeleton>();
    /** By table and rescaling. */
    const binds = new Map<string, readonly THREE.Matrix4[]>();

    const above = (table: number, from: THREE.Object3D | null): number => {
        for (let object = from; object !== null; object = object.parent) {
            const column = columns[table]!.get(object);
            if (column !== undefined) return column;
        }
        return -1;
    };

    /**
     * The object of the mesh's node: the mesh itself, the group of its primitives, or the bone that it is attached to.
     */
    function nodeOf(mesh: THREE.Object3D): THREE.Object3D {
        const { parent } = mesh;
        const own = parser === undefined ? mesh.userData.name : nodes(mesh);
        if (own !== undefined || parent === null || parent === scene) return mesh;
        if (parser !== undefined) return nodes(parent) === undefined ? mesh : parent;
        return 'isGroup' in parent || ('isBone' in parent && 'name' in parent.userData) ? parent : mesh;
    }

    function tableOf(mesh: Skinned): Pick<Part, 'table' | 'rescaled'> {
        const skin = parser?.json.nodes[nodes(nodeOf(mesh)) ?? -1]?.skin as number | undefined;
        const { bones } = mesh.skeleton;
        const uses = tables.map((table) => rescaledOf(table, skin));
        const differences = tables.map(({ joints, manifest }, table) => {
            if (bones.length !== joints.length) return `${bones.length} joints, not ${joints.length}`;
            const wrong = joints.findIndex((joint, i) => !is(bones[i]!, joint));
            if (wrong >= 0) return `'${nameOf(bones[wrong]!)}' as joint ${wrong}, not '${joints[wrong]!.name}'`;
            const { index, indices = [index] } = manifest.skin!;
            return uses[table] !== undefined ? null : `skin ${skin}, not ${indices.join(' or ')}`;
        });
        const found = differences.indexOf(null);
        if (found < 0) differs(`skinned mesh '${nameOf(mesh)}' has ${differences.join('; ')} as the ${source}`);
        if (differences.indexOf(null, found + 1) >= 0) ambiguous(`two tables have the joints of '${nameOf(mesh)}'`);
        if (skin === undefined && needsSkin(tables[found]!)) ambiguous(`skins share the joints of '${nameOf(mesh)}'`);
        const rescaled = uses[found]!;
        const { boneInverses } = mesh.skeleton;
        const key = `${found} ${rescaled?.skin}`;
        const first = binds.get(key) ?? boneInverses;
        if (!first.every((inverse, i) => inverse.equals(boneInverses[i]!))) {
            differs(`skinned mesh '${nameOf(mesh)}' has other inverse bind matrices than the one before; ${EXACTLY}`);
        }
        binds.set(key, first);
        if (!skeletons.has(found)) skeletons.set(found, mesh.skeleton);
        for (const [i, bone] of bones.entries()) columns[found]!.set(bone, i);
        return { table: found, rescaled };
    }

    const attached = new Map<Entry, THREE.Object3D>();

    function attachmentOf(node: THREE.Object3D): { table: number; column: number } | null {
        const known = [...attached].find(([, object]) => object === node)?.[0];
        const exact = known !== undefined || parser !== undefined || source === 'rig';
        const found = tables.flatMap(({ attachments }, table) =>
            attachments
                .filter((one) => one === known || (known === undefined && is(node, one)))
                .filter(({ parent }) => exact || parent === above(table, node))
                .map((one) => ({ table, one })),
        );
        if (found.length === 0) return null;
        const { table, one } = found[0]!;
        const other = attached.get(one);
        if (found.length > 1 || (other !== undefined && other !== node)) {
            ambiguous(
                `${found.length > 1 ? `attachments of the ${source}` : 'meshes of the model'} are called '${one.name}'`,
            );
        }
        attached.set(one, node);
        return { table, column: one.column };
    }

    function weightsOf(mesh: THREE.Mesh, node: THREE.Object3D, table: number, column: number): number | null {
        const { arrays, joints, attachments } = tables[table]!;
        const entries = tables[table]!.manifest.arrays.morph?.meshes;
        const count = mesh.morphTargetInfluences?.length ?? 0;
        if (count === 0 || arrays.morph === undefined || entries === undefined) return null;
        const own = attachments[column - joints.length]?.node;
        const found = entries.filter((entry) =>
            own !== undefined
                ? entry.node === own
                : is(node, entry) && !attachments.some((attachment) => attachment.node === entry.node),
        );
        if (found.length > 1) ambiguous(`skinned meshes with morph targets are called '${nameOf(node)}'`);
        if (found[0]?.count !== count) {
            differs(`mesh '${nameOf(mesh)}' has ${count} morph targets, in the ${source} ${found[0]?.count ?? 'none'}`);
        }
        return found[0]!.first;
    }

    scene.updateWorldMatrix(true, true);
    const toScene = scene.matrixWorld.clone().invert();
    const meshes: THREE.Mesh[] = [];
    scene.traverse((object) => {
        if (!(object as THREE.Mesh).isMesh) return;
        if ('isInstancedMesh' in object)
            differs(
                `mesh '${nameOf(object)}' is instanced (EXT_mesh_gpu_instancing), and the ${source} does not have the instances: make nodes of them (gltf-transform uninstance) first`,
            );
        meshes.push(object as THREE.Mesh);
    });
    // Joints first, because attachments are below them.
    const tablesOfSkinned = new Map(meshes.filter(isSkinned).map((mesh) => [mesh as THREE.Mesh, tableOf(mesh)]));
    for (const [table, { joints }] of tables.entries()) {
        if (joints.length > 0 && !skeletons.has(table)) {
            differs(`no skinned mesh has the ${joints.length} joints of the ${source}, '${joints[0]!.name}' and so on`);
        }
    }
    const parts = meshes.flatMap((mesh): Part[] => {
        const node = nodeOf(mesh);
        const skinned = tablesOfSkinned.get(mesh);
        const rest = toScene.clone().multiply(mesh.matrixWorld);
        const common = { mesh, rest, visible: isVisible(mesh, scene), rescaled: null };
        if (skinned !== undefined) {
            const firstWeight = weightsOf(mesh, node, skinned.table, 0);
            const mirrored = rest.determinant() < 0;
            return [{ ...common, ...skinned, follows: 'joints', column: -1, firstWeight, mirrored }];
        }
        const attachment = attachmentOf(node);
        if (attachment === null) {
            // The bake left it out.
            if (tables.every(({ manifest }) => manifest.recipe.attachments !== undefined)) return [];
            if (tables.some((_, index) => above(index, node) >= 0)) {
                differs(`mesh '${nameOf(mesh)}' moves with a joint or attachment, and the ${source} does not have it`);
            }
            const mirrored = rest.determinant() < 0;
            rest.premultiply(spaceOf(tables[0]!, skeletons.get(0), toScene));
            return [{ ...common, follows: 'rest', table: 0, column: -1, firstWeight: null, mirrored }];
        }
        const { column } = attachment;
        // A joint with a mesh remains the joint of the nodes below.
        if (!columns[attachment.table]!.has(node)) columns[attachment.table]!.set(node, column);
        const mirrored = isMirrored(tables[attachment.table]!.arrays.palette!, column);
        const firstWeight = weightsOf(mesh, node, attachment.table, column);
        return [{ ...common, ...attachment, follows: 'column', firstWeight, mirrored }];
    });
    for (const { attachments } of source === 'bake' ? tables : []) {
        const missing = attachments.find((one) => !attached.has(one));
        if (missing) differs(`the model has no mesh '${missing.name}' (node ${missing.node}), which the bake moves`);
    }
    return parts;
}

/** From the scene to the space of the bake: that of the lowest node above all joints, at rest, or the scene itself. */
function spaceOf({ manifest }: Palettes, skeleton: THREE.Skeleton | undefined, toScene: THREE.Matrix4) {
    const space = toScene.clone().identity();
    if (manifest.recipe.space !== 'skin-root' || skeleton === undefined || manifest.skin!.root < 0) return space;
    let root: THREE.Object3D = skeleton.bones[0]!;
    const holds = (bone: THREE.Object3D | null): boolean => bone !== null && (bone === root || holds(bone.parent));
    while (!skeleton.bones.every(holds)) root = root.parent!;
    return space.multiplyMatrices(toScene, root.matrixWorld).invert();
}

/** Whether an object's node has that name. GLTFLoader changes names with characters that it does not support. */
function isNamed({ PropertyBinding }: SharedThree, object: THREE.Object3D, name: string): boolean {
    const { name: kept } = object.userData;
    if (typeof kept === 'string') return kept === name;
    if (name === '') return true;
    const own = PropertyBinding.sanitizeNodeName(name);
    return (
        object.name === own || (object.name.startsWith(`${own}_`) && /^\d+$/.test(object.name.slice(own.length + 1)))
    );
}

const nameOf = ({ userData, name }: THREE.Object3D) => String(userData.name ?? name);

const isSkinned = (mesh: THREE.Mesh): mesh is Skinned => 'isSkinnedMesh' in mesh;

function isVisible(object: THREE.Object3D, scene: THREE.Object3D): boolean {
    return object.visible && (object === scene || isVisible(object.parent!, scene));
}
