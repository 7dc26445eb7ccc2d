// SPDX-License-Identifier: MIT

/** Reads an FBX file with the loader of Babylon.js. Its keys are samples, so the frame rate is raised first. */

import type { AnimationGroup as Group } from '@babylonjs/core/Animations/animationGroup.js' with {
    'resolution-mode': 'import',
};
import type { IAnimationKey as Key } from '@babylonjs/core/Animations/animationKey.js' with {
    'resolution-mode': 'import',
};
import type { Matrix } from '@babylonjs/core/Maths/math.vector.js' with { 'resolution-mode': 'import' };
import type { AbstractMesh as Mesh } from '@babylonjs/core/Meshes/abstractMesh.js' with { 'resolution-mode': 'import' };
import type { TransformNode as Node } from '@babylonjs/core/Meshes/transformNode.js' with {
    'resolution-mode': 'import',
};
import type { evaluateLayeredProperty } from '@babylonjs/loaders/FBX/interpreter/animation.js' with {
    'resolution-mode': 'import',
};
import { checkBraces, type FbxDocument, type Ignored, ignoredOf, withLocalRanges, withSettings } from './objects';
import { sampledOften } from './rate';
import type { Fbx, FbxModel, FbxStack } from './types';

export type { Group, Key, Matrix, Mesh, Node };

/** A file as Babylon.js builds it, with the data that it is built from. */
export interface BabylonScene {
    readonly fbx: Fbx;
    /** Samples a second. */
    readonly rate: number;
    /** Clips of few samples a frame. */
    readonly coarse: readonly FbxStack[];
    readonly ignored: Ignored;
    readonly nodes: readonly Node[];
    /** In the order of the models that have triangles. */
    readonly meshes: readonly Mesh[];
    /** Groups of the stacks that move nodes. */
    readonly groups: ReadonlyMap<FbxStack, Group>;
    /** By the identifier of the model. */
    readonly nodeOf: ReadonlyMap<number, Node>;
    readonly fromArray: (values: ArrayLike<number>) => Matrix;
    /** Value of a property of a stack's layers. */
    readonly evaluate: typeof evaluateLayeredProperty;
}

/** The methods of the loader that are called or replaced here. They are not public. */
interface Loader {
    _parse(data: ArrayBuffer): FbxDocument;
    _buildScene(fbx: Fbx, scene: unknown, rootUrl: string, names: null): Built;
    _createAnimationGroup(...args: unknown[]): Group | null;
    _isVector3KeysConstant(keys: readonly Key[]): boolean;
}

interface Built {
    readonly transformNodes: readonly Node[];
    readonly meshes: readonly Mesh[];
}

/** The loader is missing, or does not have the methods above. */
export class NoLoader extends Error {}

/** The first release whose loader is right. */
const OLDEST = [9, 26, 1];

/** @throws NoLoader if a package is too old. */
function checkVersion(name: string): void {
    const { version } = require(`${name}/package.json`) as { version: string };
    const parts = version.split('.').map((part) => Number.parseInt(part, 10));
    const at = OLDEST.findIndex((part, i) => part !== parts[i]);
    if (at >= 0 && !(parts[at]! > OLDEST[at]!)) throw new NoLoader(`${name} is ${version}`);
}

async function modules() {
    for (const name of ['@babylonjs/core', '@babylonjs/loaders']) checkVersion(name);
    const { PerformanceConfigurator } = await import('@babylonjs/core/Engines/performanceConfigurator.js');
    PerformanceConfigurator.SetMatrixPrecision(true); // before the first matrix
    const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js');
    const { Scene } = await import('@babylonjs/core/scene.js');
    const { Matrix } = await import('@babylonjs/core/Maths/math.vector.js');
    const { FBXFileLoader } = await import('@babylonjs/loaders/FBX/fbxFileLoader.js');
    const { interpretFBX } = await import('@babylonjs/loaders/FBX/interpreter/fbxInterpreter.js');
    const { evaluateLayeredProperty } = await import('@babylonjs/loaders/FBX/interpreter/animation.js');
    return { NullEngine, Scene, Matrix, FBXFileLoader, interpretFBX, evaluateLayeredProperty };
}

/** A key that differs from all others. Without it the loader would leave out channels that move little. */
export const MARK = -1e300;

/** @throws NoLoader; the loader's own errors for a damaged file. */
export async function readFbx(bytes: Uint8Array): Promise<BabylonScene> {
    const babylon = await modules().catch((error: unknown) => {
        throw error instanceof NoLoader ? error : new NoLoader('they are not installed');
    });
    const { FBXFileLoader } = babylon;
    const loader = new FBXFileLoader({ rebaseAnimations: false }) as unknown as Loader;
    const statics = FBXFileLoader as unknown as { _pushMatrixKeys?: (keys: KeySet, frame: number, m: Matrix) => void };
    const own = [loader._parse, loader._buildScene, loader._createAnimationGroup, loader._isVector3KeysConstant];
    if (![...own, statics._pushMatrixKeys].every((method) => typeof method === 'function')) {
        throw new NoLoader('this release has other methods');
    }
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    checkBraces(bytes);
    const document = withLocalRanges(withSettings(loader._parse(buffer)));
    const fbx = babylon.interpretFBX(document as never, { rebaseKeyframes: false });
    const ignored = ignoredOf(document);
    const models = meshModels(fbx);
    for (const { geometryId, channels } of fbx.blendShapes) {
        const name = models.find(({ geometry }) => geometry!.id === geometryId)?.name;
        const percentOf = ignored.percentOf.get(geometryId) ?? ignored.percentOf.get(name);
        for (const channel of channels) {
            const percent = ignored.percents.get(channel.id) ?? channel.deformPercent;
            channel.deformPercent = percent || (percentOf?.get(channel.name) ?? 0);
        }
    }
    const { fbx: sampled, stackOf, rate, coarse } = sampledOften(fbx);

    const groups = new Map<FbxStack, Group>();
    let nodeOf = new Map<number, Node>();
    const createGroup = loader._createAnimationGroup;
    loader._createAnimationGroup = (...args) => {
        nodeOf = args[4] as Map<number, Node>;
        const group = createGroup.apply(loader, args);
        if (group !== null) groups.set(stackOf.get(args[0] as FbxStack)!, group);
        return group;
    };
    loader._isVector3KeysConstant = (keys) => keys.length === 0;
    const pushKeys = statics._pushMatrixKeys!;
    statics._pushMatrixKeys = (keys, frame, matrix) => {
        if (keys.rotKeys.length === 0) keys.rotKeys.push({ frame: MARK, value: { x: 9, y: 9, z: 9, w: 9 } });
        pushKeys(keys, frame, matrix);
    };

    const engine = new babylon.NullEngine();
    const scene = new babylon.Scene(engine);
    scene.useRightHandedSystem = true; // then the root has no mirror
    try {
        const { transformNodes, meshes } = loader._buildScene(withoutLooks(sampled), scene, '', null);
        return {
            fbx,
            rate,
            coarse,
            ignored,
            nodes: [...transformNodes, ...(meshes as unknown as Node[])],
            meshes,
            groups,
            nodeOf,
            fromArray: (values) => babylon.Matrix.FromArray(values),
            evaluate: babylon.evaluateLayeredProperty,
        };
    } finally {
        statics._pushMatrixKeys = pushKeys;
    }
}

/** The models that become meshes, in the loader's order. */
export function meshModels({ rootModels }: Fbx): FbxModel[] {
    const walk = (models: readonly FbxModel[]): FbxModel[] =>
        models.flatMap((model) => [...(model.geometry?.indices.length ? [model] : []), ...walk(model.children)]);
    return walk(rootModels);
}

interface KeySet {
    readonly rotKeys: Key[];
}

/**
 * The file without materials, textures, shapes and attributes of vertices, which are converted from the file's own
 * data: the loader would fetch textures and compute tangents.
 */
function withoutLooks(fbx: Fbx): Fbx {
    const models = (list: Fbx['rootModels']): Fbx['rootModels'] =>
        list.map((model) => ({
            ...model,
            materials: [],
            children: models(model.children),
            ...(model.geometry && {
                geometry: { ...model.geometry, uvs: null, uvSets: [], colors: null, tangents: null },
            }),
        }));
    return { ...fbx, rootModels: models(fbx.rootModels), materials: [], blendShapes: [], cameras: [], lights: [] };
}
