// SPDX-License-Identifier: MIT

import { describe } from '../../base/arguments';
import { InputError } from '../../base/errors';
import { eventWarnings } from '../../gltf/clip-events';
import { movingNodes } from '../../gltf/hierarchy';
import { extrasIn, isObject, nameOf } from '../../gltf/json';
import type {
    RigidMesh,
    SceneAnimation,
    SceneChannel,
    SceneNode,
    SceneSkin,
    SkinnedMesh,
    SkinnedPrimitive,
    Warning,
} from '../../gltf/scene';
import { checkDocument } from './check-document';
import { checkSource } from './check-source';
import { type AccessorLike, floatsOf, type PrimitiveLike, primitivesOf, surfaceOf } from './document-meshes';
import { heldBytes, INTERPOLATIONS, identities, PATHS, type Refuse, type RigSource } from './source';

/**
 * The parts of a glTF-Transform Document that `Rig.fromDocument` reads. The library's own types have private members,
 * so TypeScript would treat its `import` and `require` types as different.
 */
export interface DocumentLike {
    getRoot(): {
        listNodes(): NodeLike[];
        listMeshes(): MeshLike[];
        listSkins(): SkinLike[];
        listAnimations(): { getName(): string; getExtras?(): unknown; listChannels(): ChannelLike[] }[];
    };
}

interface ExtrasLike {
    getExtras?(): unknown;
}

interface NodeLike extends ExtrasLike {
    getName(): string;
    getParentNode(): NodeLike | null;
    getTranslation(): number[];
    getRotation(): number[];
    getScale(): number[];
    getWeights(): number[];
    getMesh(): MeshLike | null;
    getSkin(): SkinLike | null;
    getExtension(name: string): unknown;
}

interface MeshLike {
    getWeights(): number[];
    listPrimitives(): PrimitiveLike[];
}

interface SkinLike extends ExtrasLike {
    getName(): string;
    listJoints(): NodeLike[];
    getInverseBindMatrices(): AccessorLike | null;
}

interface ChannelLike {
    getTargetNode(): NodeLike | null;
    getTargetPath(): string | null;
    getSampler(): {
        getInput(): AccessorLike | null;
        getOutput(): AccessorLike | null;
        getInterpolation(): string | undefined;
    } | null;
}

/**
 * Reads a glTF-Transform Document, which is not changed. Indices are those of its lists.
 *
 * @param routine For messages.
 * @param file The file that the Document stands for, `''` for none.
 * @param methods The methods that will be called on the Document besides `getRoot`.
 * @throws TypeError `ERR_ARGUMENT_TYPE` if it is not a Document, InputError `GLTF_INVALID`.
 */
export function sourceOfDocument(
    document: DocumentLike,
    routine: string,
    file = '',
    methods: readonly string[] = [],
): RigSource {
    checkDocument(routine, document, methods);
    const invalid = (pointer: string, rule: string) => new InputError('GLTF_INVALID', file, pointer, rule);
    const root = document.getRoot();
    const nodes = root.listNodes();
    const indexOf = new Map(nodes.map((node, index) => [node, index]));
    const skins = root.listSkins();
    const meshes = root.listMeshes();
    const refuse: Refuse = (where, rule) => {
        throw invalid(`/${where.join('/')}`, rule);
    };
    const geometries = new Map<MeshLike, ReturnType<typeof primitivesOf>>();
    const warnings: Warning[] = [];
    // The library has an empty object for none.
    const extrasAt = (owner: ExtrasLike, pointer: string) => {
        const extras = owner.getExtras?.();
        const report = { file, warnings, counts: new Map() };
        return isObject(extras) && Object.keys(extras).length > 0 ? extrasIn({ extras }, pointer, report) : {};
    };
    const source: RigSource = {
        name: file,
        warnings,
        nodes: nodes.map((node, index) => ({ ...nodeOf(node, indexOf), ...extrasAt(node, `/nodes/${index}`) })),
        skins: skins.map((skin, index): SceneSkin => {
            const joints = skin.listJoints().map((joint) => indexOf.get(joint) ?? -1);
            const binds = skin.getInverseBindMatrices();
            const inverseBindMatrices = binds === null ? identities(joints.length) : floatsOf(binds);
            return {
                name: nameOf(skin.getName()),
                joints,
                inverseBindMatrices: inverseBindMatrices.subarray(0, joints.length * 16),
                ...extrasAt(skin, `/skins/${index}`),
            };
        }),
        animations: root.listAnimations().map((animation, index): SceneAnimation => {
            const floats = new Map<AccessorLike, Float32Array>();
            const channels = animation.listChannels().flatMap((channel, number): SceneChannel[] => {
                const pointer = `/animations/${index}/channels/${number}`;
                const node = channel.getTargetNode();
                const path = channel.getTargetPath();
                const sampler = channel.getSampler();
                // glTF 2.0, 3.11: ignore channels without a target node or with an unknown path.
                if (node === null || path === null || !PATHS.includes(path)) return [];
                const input = sampler?.getInput() ?? null;
                const output = sampler?.getOutput() ?? null;
                if (sampler === null || input === null || output === null) {
                    const what = `the ${path} of node ${indexOf.get(node)}`;
                    throw invalid(pointer, `${what} has no sampler with both accessors`);
                }
                if (path === 'weights' && morphTargetsOf(node) === 0) return [];
                // A sampler without an interpolation has the default of glTF 2.0, 5.6.
                const interpolation = sampler.getInterpolation() ?? 'LINEAR';
                if (!INTERPOLATIONS.includes(interpolation)) {
                    throw invalid(pointer, `the interpolation is ${describe(interpolation)}`);
                }
                for (const accessor of [input, output]) {
                    if (!floats.has(accessor)) floats.set(accessor, floatsOf(accessor));
                }
                return [
                    {
                        pointer,
                        node: indexOf.get(node)!,
                        path: path as SceneChannel['path'],
                        interpolation: interpolation as SceneChannel['interpolation'],
                        times: floats.get(input)!,
                        values: floats.get(output)!,
                    },
                ];
            });
            const extras = extrasAt(animation, `/animations/${index}`);
            const clip = { name: nameOf(animation.getName()), channels, ...extras };
            warnings.push(...eventWarnings(clip, index));
            return clip;
        }),
        skinnedMeshes: nodes.flatMap((node, index): SkinnedMesh[] => {
            const [mesh, skin] = [node.getMesh(), node.getSkin()];
            if (mesh === null || skin === null) return [];
            const number = meshes.indexOf(mesh);
            const geometry = geometries.get(mesh) ?? primitivesOf(mesh.listPrimitives(), number, refuse, warnings);
            geometries.set(mesh, geometry);
            return [{ node: index, mesh: number, skin: skins.indexOf(skin), ...geometry }];
        }),
    };
    checkSource(source, refuse);
    return { ...source, ownBytes: heldBytes(source) };
}

/** As {@link sourceOfDocument}, with the meshes without a skin. */
export function rigSourceOfDocument(document: DocumentLike): RigSource {
    const source = sourceOfDocument(document, 'Rig.fromDocument');
    return { ...source, rigidMeshes: rigidMeshesOf(document, source) };
}

/** The meshes without a skin of the Document that a source was read of. */
export function rigidMeshesOf(document: DocumentLike, source: RigSource): RigidMesh[] {
    const root = document.getRoot();
    const indexOf = new Map(root.listMeshes().map((mesh, index) => [mesh, index]));
    const read = new Map<MeshLike, SkinnedPrimitive[]>();
    const verticesOf = (mesh: MeshLike): SkinnedPrimitive[] => {
        const none = { influences: 0, joints: new Uint16Array(0), weights: new Float32Array(0) };
        const accessors = mesh.listPrimitives().flatMap((primitive) => primitive.getAttribute('POSITION') ?? []);
        return accessors.map((accessor) => {
            const positions = floatsOf(accessor);
            if (accessor.getElementSize() === 3 && positions.every(Number.isFinite)) return { ...none, positions };
            const rule = 'its vertices must be finite numbers, three each (3.7.2.1)';
            throw new InputError('GLTF_INVALID', source.name, `/meshes/${indexOf.get(mesh)}`, rule);
        });
    };
    const surfacesOf = (mesh: MeshLike) =>
        mesh
            .listPrimitives()
            .flatMap((primitive, index) =>
                primitive.getAttribute('POSITION') === null ? [] : [surfaceOf(primitive, index)],
            );
    const moving = movingNodes(source);
    return root.listNodes().flatMap((node, index): RigidMesh[] => {
        const mesh = node.getMesh();
        if (mesh === null || node.getSkin() !== null) return [];
        const moves = moving[index] === 1;
        const primitives = moves ? (read.get(mesh) ?? verticesOf(mesh)) : [];
        if (moves) read.set(mesh, primitives);
        const rigid = { node: index, mesh: indexOf.get(mesh)!, moves, primitives };
        return [{ ...rigid, surfaces: moves ? surfacesOf(mesh) : [], ...(moves ? instancesOf(node) : {}) }];
    });
}

/** By EXTMeshGPUInstancing. */
function instancesOf(node: NodeLike): Pick<RigidMesh, 'instances'> {
    const extension = node.getExtension('EXT_mesh_gpu_instancing') as InstancesLike | null;
    const lists = ['TRANSLATION', 'ROTATION', 'SCALE'].map((name) => extension?.getAttribute(name) ?? null);
    const counts = lists.flatMap((list) => list?.getCount() ?? []);
    if (counts.length === 0) return {};
    const [translations, rotations, scales] = lists.map((list) => list && floatsOf(list));
    const places = Array.from({ length: Math.min(...counts) }, (_, i) => [
        ...(translations?.subarray(i * 3, i * 3 + 3) ?? [0, 0, 0]),
        ...(rotations?.subarray(i * 4, i * 4 + 4) ?? [0, 0, 0, 1]),
        ...(scales?.subarray(i * 3, i * 3 + 3) ?? [1, 1, 1]),
    ]);
    return { instances: Float32Array.from(places.flat()) };
}

interface InstancesLike {
    getAttribute(semantic: string): AccessorLike | null;
}

function nodeOf(node: NodeLike, indexOf: ReadonlyMap<NodeLike, number>): SceneNode {
    const parent = node.getParentNode();
    const morphs = morphTargetsOf(node);
    const own = node.getWeights();
    const weights = own.length > 0 ? own : (node.getMesh()?.getWeights() ?? []);
    return {
        name: nameOf(node.getName()),
        parent: parent === null ? -1 : (indexOf.get(parent) ?? -1),
        matrix: null,
        translation: Float32Array.from(node.getTranslation()),
        rotation: Float32Array.from(node.getRotation()),
        scale: Float32Array.from(node.getScale()),
        weights: Float32Array.from({ length: morphs }, (_, i) => weights[i] ?? 0),
    };
}

function morphTargetsOf(node: NodeLike): number {
    return node.getMesh()?.listPrimitives()[0]?.listTargets().length ?? 0;
}
