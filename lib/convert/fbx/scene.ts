// SPDX-License-Identifier: MIT

/** From the nodes, skins and keys of Babylon.js to glTF: meters, Y up, authored times. */

import { type Conversion, type ConversionWarning, createDocument, type Document, type Gltf } from '../document';
import { type BabylonScene, type Mesh, meshModels, type Node } from './babylon';
import { addClips, type Morphed, shiftOf, startOf } from './clips';
import { influencesOf, shapeWeights, type Target, targetsOf, type Vertices, verticesOf } from './geometry';
import { convertMaterials, type FindFile } from './materials';
import type { FbxModel, FbxSkin } from './types';

type GltfNode = ReturnType<Document['createNode']>;
type GltfMesh = ReturnType<Document['createMesh']>;

/** @throws Error for numbers that are not finite, and projections. */
export async function convertScene(
    gltf: Gltf,
    scene: BabylonScene,
    find: FindFile,
    source: string,
): Promise<{ document: Document; about: Conversion }> {
    const { fbx } = scene;
    const document = createDocument(gltf);
    const unit = fbx.unitScaleFactor > 0 ? fbx.unitScaleFactor / 100 : 0.01;
    const warnings: ConversionWarning[] = [];
    const nodes = convertNodes(document, scene, unit);
    const materials = await convertMaterials(document, fbx, find, (message) =>
        warnings.push({ code: 'SOURCE_LEFT_OUT', message }),
    );
    const models = meshModels(fbx);
    const morphed: Morphed[] = [];
    const points: number[] = [];
    for (const [i, mesh] of scene.meshes.entries()) {
        const model = models[i]!;
        const node = nodes.get(mesh as unknown as Node)!;
        const vertices = verticesOf(model, mesh, unit);
        const skin = mesh.skeleton ? fbx.skins.find(({ geometryId }) => geometryId === model.geometry!.id) : undefined;
        const shapes = fbx.blendShapes.filter(({ geometryId }) => geometryId === model.geometry!.id);
        const targets = targetsOf(shapes, scene.ignored.vertexWeights, vertices, mesh, unit);
        const influences = skin && influencesOf(vertices, skin, skin.bones.length);
        const converted = convertMesh(document, model, vertices, influences?.sets ?? [], targets);
        for (const [primitive, material] of converted.primitives) {
            primitive.setMaterial(materials.get(model.materials[material]?.id ?? -1) ?? null);
        }
        node.setMesh(converted.mesh);
        if (targets.length > 0) {
            morphed.push({ node, targets, shapes });
            const weights = shapes.flatMap(({ channels }) =>
                channels.flatMap((channel) => shapeWeights(channel.deformPercent, channel)),
            );
            node.setWeights(weights);
            converted.mesh.setWeights(weights);
        }
        if (skin !== undefined && influences !== undefined) {
            node.setSkin(convertSkin(document, scene, { skin, mesh, nodes, unit, isFree: influences.isFree }));
        }
        place(vertices.positions, node, points);
    }
    if (points.length === 0) for (const node of nodes.values()) place([0, 0, 0], node, points);
    warnings.push(...problemsOf(scene));
    const extent = diagonalOf(points);
    addClips({ document, nodes, morphed, unit, extent }, scene);
    checkFinite(document);
    return { document, about: { source, warnings } };
}

/** Nodes with positions in meters. The root of the loader, which is the identity, is left out. */
function convertNodes(document: Document, { nodes }: BabylonScene, unit: number): Map<Node, GltfNode> {
    const [root, ...others] = nodes;
    const converted = new Map(others.map((node) => [node, document.createNode(nameOf(node))]));
    const scene = document.getRoot().getDefaultScene()!;
    for (const [node, made] of converted) {
        const { position: t, scaling: s } = node;
        const q = node.rotationQuaternion ?? node.rotation.toQuaternion();
        made.setTranslation([t.x * unit, t.y * unit, t.z * unit]).setScale([s.x, s.y, s.z]);
        const length = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) || 1;
        made.setRotation([q.x / length, q.y / length, q.z / length, q.w / length]);
        const parent = node.parent as Node | null;
        if (parent === null || parent === root) scene.addChild(made);
        else converted.get(parent)!.addChild(made);
    }
    return converted;
}

function nameOf({ name }: Node): string {
    return name === '__fbx_axis_conversion__' ? 'axes' : name;
}

function convertMesh(
    document: Document,
    { name, geometry }: FbxModel,
    vertices: Vertices,
    influences: ReturnType<typeof influencesOf>['sets'],
    targets: readonly Target[],
): { mesh: GltfMesh; primitives: [ReturnType<Document['createPrimitive']>, number][] } {
    const buffer = document.getRoot().listBuffers()[0]!;
    const accessor = (
        type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4',
        array: Float32Array | Uint32Array | Uint16Array | Uint8Array,
    ) =>
        document
            .createAccessor()
            .setType(type)
            .setArray(array as Float32Array<ArrayBuffer>)
            .setBuffer(buffer);
    const attributes = new Map<string, ReturnType<typeof accessor>>([
        ['POSITION', accessor('VEC3', vertices.positions)],
    ]);
    if (vertices.normals) attributes.set('NORMAL', accessor('VEC3', vertices.normals));
    for (const [set, uv] of vertices.uvs.entries()) attributes.set(`TEXCOORD_${set}`, accessor('VEC2', uv));
    if (vertices.colors) attributes.set('COLOR_0', accessor('VEC4', vertices.colors));
    for (const [set, { joints, weights }] of influences.entries()) {
        const small = joints.every((joint) => joint < 256);
        attributes.set(`JOINTS_${set}`, accessor('VEC4', small ? Uint8Array.from(joints) : joints));
        attributes.set(`WEIGHTS_${set}`, accessor('VEC4', weights));
    }
    const morphs = targets.map(({ name: target, positions, normals }) => {
        const made = document.createPrimitiveTarget(target).setAttribute('POSITION', accessor('VEC3', positions));
        return normals ? made.setAttribute('NORMAL', accessor('VEC3', normals)) : made;
    });
    const mesh = document.createMesh(geometry!.name || name);
    if (targets.length > 0) mesh.setExtras({ targetNames: targets.map((target) => target.name) });
    const primitives = [...vertices.triangles].map(([material, list]) => {
        const indices = vertices.points.length < 65536 ? Uint16Array.from(list) : Uint32Array.from(list);
        const primitive = document.createPrimitive().setIndices(accessor('SCALAR', indices));
        for (const [semantic, values] of attributes) primitive.setAttribute(semantic, values);
        for (const morph of morphs) primitive.addTarget(morph);
        mesh.addPrimitive(primitive);
        return [primitive, material] as [typeof primitive, number];
    });
    return { mesh, primitives };
}

interface SkinParts {
    readonly skin: FbxSkin;
    readonly mesh: Mesh;
    readonly nodes: ReadonlyMap<Node, GltfNode>;
    readonly unit: number;
    /** Whether a vertex has no weight. */
    readonly isFree: boolean;
}

/**
 * A skin with the matrices of its own clusters: the loader keeps one bind pose for each joint, and of an instanced skin
 * only that of its first mesh. Vertices without a weight need one more joint: the mesh's node, with the identity.
 */
function convertSkin(
    document: Document,
    { fbx, fromArray }: BabylonScene,
    { skin, mesh, nodes, unit, isFree }: SkinParts,
) {
    const binding = fbx.rigs.flatMap(({ skinBindings }) => skinBindings).find(({ skinId }) => skinId === skin.id)!;
    const bones = new Map(mesh.skeleton!.bones.map((bone) => [bone.getIndex(), bone]));
    const bind = mesh.getPoseMatrix().clone().invert();
    const made = document.createSkin(mesh.name);
    const matrices = new Float32Array((skin.bones.length + (isFree ? 1 : 0)) * 16);
    for (const [i, { bindPoseMatrix, transformLinkMatrix }] of skin.bones.entries()) {
        const bone = bones.get(binding.skinBoneIndexToRigBoneIndex[i]!)!;
        made.addJoint(nodes.get(bone.getTransformNode()!)!);
        const inverse = transformLinkMatrix
            ? fromArray(transformLinkMatrix).invert()
            : bone.getAbsoluteInverseBindMatrix();
        matrices.set(bindPoseMatrix ?? bind.multiply(inverse).asArray(), i * 16);
    }
    if (isFree) made.addJoint(nodes.get(mesh as unknown as Node)!);
    for (let c = 0; isFree && c < 4; c++) matrices[skin.bones.length * 16 + c * 5] = 1;
    for (let at = 0; at < matrices.length; at += 16) {
        for (let c = 12; c < 15; c++) matrices[at + c] = matrices[at + c]! * unit;
    }
    const buffer = document.getRoot().listBuffers()[0]!;
    return made.setInverseBindMatrices(document.createAccessor().setType('MAT4').setArray(matrices).setBuffer(buffer));
}

/** Adds the places of points of a node's space. */
function place(points: ArrayLike<number>, node: GltfNode, into: number[]): void {
    const m = node.getWorldMatrix();
    for (let i = 0; i < points.length; i += 3) {
        const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!];
        for (let c = 0; c < 3; c++) into.push(m[c]! * x + m[4 + c]! * y + m[8 + c]! * z + m[12 + c]!);
    }
}

function diagonalOf(points: readonly number[]): number {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
        let [min, max] = [Infinity, -Infinity];
        for (let i = c; i < points.length; i += 3) {
            if (points[i]! < min) min = points[i]!;
            if (points[i]! > max) max = points[i]!;
        }
        if (max > min) sum += (max - min) * (max - min);
    }
    return Math.sqrt(sum);
}

/** Features of the file that the loader or glTF does not have. */
function* problemsOf({ fbx, coarse, nodeOf, ignored }: BabylonScene): Generator<ConversionWarning> {
    const approximated = (message: string): ConversionWarning => ({ code: 'SOURCE_APPROXIMATED', message });
    const { dualQuaternions, crowdedSkins, vertexWeights, problems } = ignored;
    yield* problems.map(approximated);
    for (const { name } of coarse)
        yield approximated(`clip '${name}' is long, so it has few samples: it may differ between frames`);
    const models = meshModels(fbx);
    const nameOf = (geometryId: number) => models.find(({ geometry }) => geometry!.id === geometryId)?.name ?? '';
    for (const { id, geometryId, bones } of fbx.skins) {
        const name = nameOf(geometryId);
        if (dualQuaternions.has(id))
            yield approximated(`'${name}': its skin blends by dual quaternions; glTF blends linearly`);
        if (crowdedSkins.has(id))
            yield approximated(`'${name}': vertices follow more than 8 joints; 8 of each are kept`);
        if (
            bones.some(({ diagnostics }) => diagnostics.some(({ type }) => type === 'cluster-mode-runtime-unsupported'))
        )
            yield approximated(`'${name}': its skin adds up joints; here their weights are shares`);
    }
    for (const { geometryId, channels } of fbx.blendShapes) {
        for (const { id, name, diagnostics, shapes } of channels) {
            const isKnown = shapes.length === 1 && vertexWeights.get(id)?.length === shapes[0]!.indices.length;
            if (diagnostics.length === 0 || isKnown) continue;
            yield approximated(`'${nameOf(geometryId)}': the weights of blend shape '${name}' do not match its shapes`);
        }
    }
    for (const { name, type } of fbx.constraints)
        yield approximated(`'${name}': the constraint (${type}) is not applied; bake it to keys before the export`);
    for (const stack of fbx.animations) {
        const start = startOf(stack);
        const how = shiftOf(stack, fbx.frameRate) > 0 ? 'here it begins at 0' : 'the part before 0 is left out';
        if (start < 0) yield approximated(`clip '${stack.name}' begins at ${Number(start.toFixed(4))} s; ${how}`);
        for (const { targetId, propertyName = '', curves } of stack.unsupportedCurveNodes) {
            const node = nodeOf.get(targetId ?? Number.NaN);
            const changes = curves.some(({ keys }) => keys.some(({ value }) => value !== keys[0]!.value));
            if (changes && node !== undefined && propertyName === 'Visibility')
                yield { code: 'SOURCE_LEFT_OUT', message: `'${node.name}': clip '${stack.name}' shows and hides it` };
        }
    }
    for (const { name } of fbx.curves) yield { code: 'SOURCE_LEFT_OUT', message: `'${name}': a curve without surface` };
}

/** Tolerance for the last row of a matrix: that of our glTF reader. */
const ROW_TOLERANCE = 1e-5;

/** @throws Error */
function checkFinite(document: Document): void {
    const root = document.getRoot();
    const fine = (values: Iterable<number> | null) => Array.from(values ?? []).every(Number.isFinite);
    for (const node of root.listNodes()) {
        if (fine(node.getTranslation()) && fine(node.getRotation()) && fine(node.getScale())) continue;
        throw new Error(`node '${node.getName()}' has a transform that is not finite`);
    }
    for (const accessor of root.listAccessors()) {
        const values = accessor.getArray();
        if (values instanceof Float32Array && !values.every(Number.isFinite))
            throw new Error('a vertex, matrix or key is not finite');
        if (accessor.getType() !== 'MAT4') continue;
        for (let i = 3; i < values!.length; i += 4) {
            if (Math.abs(values![i]! - (i % 16 === 15 ? 1 : 0)) <= ROW_TOLERANCE) continue;
            throw new Error('the matrix of a joint is a projection');
        }
    }
}
