// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import { readWhole } from './clips-file';
import type { DoubleEvaluator } from './evaluator';
import type { Columns } from './gltf';
import { multiply } from './matrix';

// Types of the instances that the dynamic imports below load.
type Three = typeof import('three', { with: { 'resolution-mode': 'import' }});
type Object3D = import('three', { with: { 'resolution-mode': 'import' }}).Object3D;
type Skeleton = import('three', { with: { 'resolution-mode': 'import' }}).Skeleton;
type AnimationAction = import('three', { with: { 'resolution-mode': 'import' }}).AnimationAction;
type Addons = typeof import('three/addons/loaders/GLTFLoader.js', { with: { 'resolution-mode': 'import' }});
type Loader = InstanceType<Addons['GLTFLoader']>;
type Gltf = Awaited<ReturnType<Loader['parseAsync']>>;

/** Nodes posed by three.js: a second judge, of the global matrices of joints and attachments. */
export interface ThreeJudge {
    /** Starts a clip: from the rest pose, so that nothing of the one before is left. */
    start(animation: number): void;
    /**
     * Writes the matrices of joints and attachments, column-major, over those of their nodes; times ascend.
     *
     * @param base What takes the scene to the space that is wanted, null for the scene.
     */
    pose(time: number, globals: Float64Array, base: Float64Array | null): void;
}

/**
 * Loads a file with three.js (an optional package) and its GLTFLoader. Meshes and images are left out: they move no
 * joint, and Node has nothing to decode images with.
 *
 * @throws InputError `EXTENSION_UNSUPPORTED` where three.js is not installed or cannot load the file.
 */
export async function loadThree(evaluator: DoubleEvaluator, { skins, nodes, joints }: Columns): Promise<ThreeJudge> {
    const { file } = evaluator;
    let three: Three;
    let addons: Addons;
    try {
        three = await import('three');
        addons = await import('three/addons/loaders/GLTFLoader.js');
    } catch (cause) {
        const rule = "oracle 'three' needs the optional package three: npm install three";
        throw new InputError('EXTENSION_UNSUPPORTED', file.path, '', rule, { cause });
    }
    const gltf = await load(evaluator, new addons.GLTFLoader(), three);
    const skeleton = skins[0] === undefined ? null : ((await gltf.parser.getDependency('skin', skins[0])) as Skeleton);
    const attached = nodes.slice(joints).map((node) => gltf.parser.getDependency('node', node) as Promise<Object3D>);
    const objects = [...(skeleton?.bones ?? []), ...(await Promise.all(attached))];

    // Joints may hang outside the scene that the file shows first.
    const root = new three.Group();
    const tops = new Set(objects.map((object) => topOf(object)));
    for (const top of [gltf.scene, ...tops]) if (top !== root) root.add(top);
    const rest: (() => void)[] = [];
    root.traverse(({ position, quaternion, scale }) => {
        const saved = [position.clone(), quaternion.clone(), scale.clone()] as const;
        rest.push(() => {
            position.copy(saved[0]);
            quaternion.copy(saved[1]);
            scale.copy(saved[2]);
        });
    });
    let mixer = new three.AnimationMixer(root);
    let action: AnimationAction | null = null;
    return {
        start(animation) {
            mixer.stopAllAction();
            mixer.uncacheRoot(root);
            for (const restore of rest) restore();
            mixer = new three.AnimationMixer(root);
            action = mixer.clipAction(gltf.animations[animation]!);
            action.setLoop(three.LoopOnce, 1);
            action.clampWhenFinished = true;
            action.play();
        },
        pose(time, globals, base) {
            // An action that has reached its end pauses itself and would give frame 0 from then on.
            action!.paused = false;
            mixer.setTime(Math.fround(time));
            root.updateMatrixWorld(true);
            for (const [column, { matrixWorld }] of objects.entries()) {
                if (base === null) globals.set(matrixWorld.elements, nodes[column]! * 16);
                else multiply(globals, nodes[column]! * 16, base, 0, matrixWorld.elements, 0);
            }
        },
    };
}

function topOf(object: Object3D): Object3D {
    let top = object;
    while (top.parent !== null) top = top.parent;
    return top;
}

async function load(evaluator: DoubleEvaluator, loader: Loader, three: Three): Promise<Gltf> {
    const { file } = evaluator;
    const { bytes, keys } = await readWhole(evaluator);
    // Used where a view asks for it.
    loader.setMeshoptDecoder(require('meshoptimizer/decoder.cjs'));
    // Draco compresses vertices alone, and they are not read: any decoder will do.
    loader.setDRACOLoader({ preload: () => {} } as unknown as Parameters<Loader['setDRACOLoader']>[0]);
    loader.register((parser) => {
        parser.loadBuffer = (index: number) =>
            Promise.resolve(copyOf([...file.buffers, keys][index] ?? new Uint8Array(0)));
        parser.loadMesh = () => Promise.resolve(new three.Group());
        return { name: 'NODE_WITHOUT_MESHES' };
    });
    const globals = globalThis as { self?: unknown };
    const hadSelf = 'self' in globals;
    if (!hadSelf) globals.self = globalThis;
    try {
        return await loader.parseAsync(copyOf(bytes), '');
    } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new InputError('EXTENSION_UNSUPPORTED', file.path, '', `three.js cannot load it: ${reason}`, { cause });
    } finally {
        if (!hadSelf) delete globals.self;
    }
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/** How far a rotation key may be from unit length for three.js to agree. */
const UNIT = 1e-6;

/**
 * Why three.js may show something else than the specification asks for; nothing where both have to agree.
 *
 * @param chain The nodes that place the skin.
 */
export function threeDifferences(evaluator: DoubleEvaluator, chain: Int32Array, animation: number): string[] {
    const wanted = new Set(chain);
    const reasons = new Set<string>();
    for (const { node, path, byPointer, sampler } of evaluator.channelsOf(animation)) {
        if (!wanted.has(node) || path === 'weights') continue;
        const { times, values, interpolation, rotation } = sampler;
        if (byPointer) reasons.add('it does not know KHR_animation_pointer');
        if (times.some((time, k) => k > 0 && time === times[k - 1])) reasons.add('keys at the same time');
        const cubic = interpolation === 'CUBICSPLINE';
        for (let at = cubic ? 4 : 0; rotation && at < values.length; at += cubic ? 12 : 4) {
            const length = Math.hypot(values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
            if (Math.abs(length - 1) > UNIT) reasons.add('rotation keys that are not of unit length');
        }
    }
    for (const node of chain) {
        const matrix = evaluator.matrixOf(node);
        if (matrix !== null && !isDecomposable(matrix))
            reasons.add('it takes matrices apart, and one has shear or no volume');
    }
    return [...reasons];
}

/** Whether the columns are at right angles and none is zero. */
function isDecomposable(m: readonly number[]): boolean {
    const columns = [0, 4, 8].map((c) => [m[c]!, m[c + 1]!, m[c + 2]!] as const);
    const lengths = columns.map((column) => Math.hypot(...column));
    if (lengths.some((length) => length === 0)) return false;
    return [0, 1, 2].every((c) => {
        const [a, b] = [columns[c]!, columns[(c + 1) % 3]!];
        const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        return Math.abs(dot) <= UNIT * lengths[c]! * lengths[(c + 1) % 3]!;
    });
}
