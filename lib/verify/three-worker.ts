// SPDX-License-Identifier: MIT

/** three.js in a thread of its own, so that it can be terminated at any point. */

import { parentPort, workerData } from 'node:worker_threads';
import { packedKeys } from './packed-keys';

// Types of the modules that the dynamic imports below load.
type Three = typeof import('three', { with: { 'resolution-mode': 'import' }});
type Object3D = import('three', { with: { 'resolution-mode': 'import' }}).Object3D;
type Skeleton = import('three', { with: { 'resolution-mode': 'import' }}).Skeleton;
type AnimationAction = import('three', { with: { 'resolution-mode': 'import' }}).AnimationAction;
type Addons = typeof import('three/addons/loaders/GLTFLoader.js', { with: { 'resolution-mode': 'import' }});
type Loader = InstanceType<Addons['GLTFLoader']>;
type Gltf = Awaited<ReturnType<Loader['parseAsync']>>;

/** Input of the thread. */
export interface ThreeFile {
    readonly bytes: Uint8Array;
    /** In the order of the JSON; null for a buffer without data. */
    readonly buffers: readonly (Uint8Array | null)[];
    /** The skin; null for none. */
    readonly skin: number | null;
    /** Nodes of attachments. */
    readonly attached: readonly number[];
}

/**
 * A request for poses of a clip at ascending times. With `isFirst` they start from the rest pose, without effects of
 * the clip before.
 */
export interface ThreeRequest {
    readonly animation: number;
    readonly times: readonly number[];
    readonly isFirst: boolean;
}

/** Global matrices at each time, joints first, column-major; or the reason why there are none. */
export type ThreeAnswer = { readonly matrices: Float64Array } | { readonly rule: string };

const NEEDED = "oracle 'three' needs the optional package three: npm install three";

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function open({ bytes, buffers, skin, attached }: ThreeFile) {
    let three: Three;
    let addons: Addons;
    try {
        three = await import('three');
        addons = await import('three/addons/loaders/GLTFLoader.js');
    } catch {
        throw new Error(NEEDED);
    }
    const gltf = await load(bytes, buffers, new addons.GLTFLoader(), three).catch((error) => {
        throw new Error(`three.js cannot load it: ${reasonOf(error)}`);
    });
    const skeleton = skin === null ? null : ((await gltf.parser.getDependency('skin', skin)) as Skeleton);
    const others = attached.map((node) => gltf.parser.getDependency('node', node) as Promise<Object3D>);
    const objects = [...(skeleton?.bones ?? []), ...(await Promise.all(others))];

    // Joints can be outside the scene that the file shows first.
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
    return ({ animation, times, isFirst }: ThreeRequest): Float64Array => {
        if (isFirst) {
            mixer.stopAllAction();
            mixer.uncacheRoot(root);
            for (const restore of rest) restore();
            mixer = new three.AnimationMixer(root);
            action = mixer.clipAction(gltf.animations[animation]!);
            action.setLoop(three.LoopOnce, 1);
            action.clampWhenFinished = true;
            action.play();
        }
        const matrices = new Float64Array(times.length * objects.length * 16);
        for (const [i, time] of times.entries()) {
            // An action that has reached its end pauses itself and would return frame 0 after that.
            action!.paused = false;
            mixer.setTime(Math.fround(time));
            root.updateMatrixWorld(true);
            for (const [column, { matrixWorld }] of objects.entries()) {
                matrices.set(matrixWorld.elements, (i * objects.length + column) * 16);
            }
        }
        return matrices;
    };
}

function topOf(object: Object3D): Object3D {
    let top = object;
    while (top.parent !== null) top = top.parent;
    return top;
}

/** Meshes and images are removed: they move no joint, and Node cannot decode images. */
async function load(
    bytes: Uint8Array,
    buffers: readonly (Uint8Array | null)[],
    loader: Loader,
    three: Three,
): Promise<Gltf> {
    // Used by views with meshopt compression.
    loader.setMeshoptDecoder(require('meshoptimizer/decoder.cjs'));
    // Draco compresses only vertices, which are not read, so a stub is enough.
    loader.setDRACOLoader({ preload: () => {} } as unknown as Parameters<Loader['setDRACOLoader']>[0]);
    loader.register((parser) => {
        parser.loadBuffer = (index: number) => Promise.resolve(copyOf(buffers[index] ?? new Uint8Array(0)));
        parser.loadMesh = () => Promise.resolve(new three.Group());
        return packedKeys(parser, three.BufferAttribute);
    });
    // The loader expects `self`.
    (globalThis as { self?: unknown }).self ??= globalThis;
    return loader.parseAsync(copyOf(bytes), '');
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

const opened = open(workerData as ThreeFile);
opened.catch(() => {}); // each request reports it
parentPort!.on('message', async (request: ThreeRequest) => {
    const answer: ThreeAnswer = await opened.then(
        (pose) => ({ matrices: pose(request) }),
        (error) => ({ rule: reasonOf(error) }),
    );
    parentPort!.postMessage(answer);
});
