// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { InputError } from '../errors';
import type { GltfScene, Warning } from '../gltf/scene';
import { KERNEL_VERSION } from '../rig/implementations';
import type { Poses } from '../rig/poses';
import type { Rig } from '../rig/rig';
import { createBatch, evaluateBatch, readOrigins } from './batch';
import { addSkinnedRows, clusterGeometry } from './bounds';
import type { Clock } from './clock';
import { addOrigins, type Extent, extentOf, rowDistance } from './extent';
import { type Box, emptyBox, geometryOfSkin } from './geometry';
import { type Manifest, type ManifestClip, stringifyManifest } from './manifest';
import { allFinite, firstNotFinite, toLittleEndian } from './palette';
import { type BakePlan, clipName, type PlannedClip } from './plan';
import { rigOfSkin, type SkinRig } from './skin-rig';
import { discontinuitiesOf, frameTimesOf } from './timeline';
import { clipWarnings, planWarnings } from './warnings';

/** What is baked of one skin. */
export interface BakeOutput {
    /** Output files are called `<stem>.bake.json` and `<stem>.bake.bin`. */
    readonly stem: string;
    /** Index of the skin in the file. */
    readonly skin: number;
    readonly manifest: Manifest;
    /** The manifest as it is to be written. */
    readonly json: string;
    /** Contents of the `.bin`, as the manifest's `arrays` describe it. */
    readonly bin: Uint8Array;
}

/** How far apart the first and last row of a loop may be, in extents. */
const LOOP_TOLERANCE = 1e-4;

/**
 * Bakes the planned clips for one skin.
 *
 * @throws InputError `NOT_FINITE`; the reason of the clock's signal.
 */
export async function bakeSkin(plan: BakePlan, skin: number, stem: string, clock: Clock): Promise<BakeOutput> {
    const { scene, rows } = plan;
    const { rig, channels } = rigOfSkin(plan, skin);
    const joints = rig.skins[0]!.joints.length;
    const target: Target = {
        plan,
        skin,
        clock,
        rig,
        channels,
        poses: createBatch(
            rig,
            plan.clips.reduce((most, { timeline }) => Math.max(most, timeline.frameCount), 1),
        ),
        rest: restOf(scene, skin, rig),
        palette: new Float32Array(rows * joints * 16),
        warnings: planWarnings(plan),
    };
    const clips: ManifestClip[] = [];
    for (const clip of plan.clips) clips.push(await bakeClip(target, clip));

    const bin = toLittleEndian(target.palette);
    const { byteLength } = bin;
    const manifest: Manifest = {
        format: 'poselane-bake',
        version: 1,
        source: { name: scene.name, sha256: scene.sha256 },
        recipe: { fps: plan.rate, end: 'clamp', space: 'scene', kernel: KERNEL_VERSION },
        binary: { uri: encodeURIComponent(`${stem}.bake.bin`), byteLength, sha256: sha256Of(bin) },
        skin: { index: skin, joints: jointsOf(scene, rig) },
        clips,
        arrays: {
            palette: { byteOffset: 0, byteLength, dtype: 'f32', shape: [rows, joints, 16], layout: 'mat4' },
        },
        warnings: target.warnings,
    };
    return { stem, skin, manifest, json: stringifyManifest(manifest), bin };
}

/** Where the clips of one skin come from and go. */
interface Target extends SkinRig {
    readonly plan: BakePlan;
    readonly skin: number;
    readonly clock: Clock;
    /** For a batch of frames. */
    readonly poses: Poses;
    readonly rest: Rest;
    /** The rows of all clips. */
    readonly palette: Float32Array;
    readonly warnings: Warning[];
}

async function bakeClip(target: Target, { animation, firstRow, timeline }: PlannedClip): Promise<ManifestClip> {
    const { plan, skin, clock, rig, poses, rest, palette, warnings } = target;
    const { frameCount, duration } = timeline;
    const row = rig.skins[0]!.joints.length * 16;
    const channels = target.channels.get(animation)!;
    const times = frameTimesOf(timeline);
    warnings.push(...clipWarnings(plan, animation, skin, channels, times));

    const rowAt = (frame: number) => (firstRow + frame) * row;
    const box = emptyBox();
    for (let first = 0; first < frameCount; first += poses.capacity) {
        const end = Math.min(frameCount, first + poses.capacity);
        const batch = palette.subarray(rowAt(first), rowAt(end));
        clock.start();
        evaluateBatch(rig, poses, animation, times.subarray(first, end), batch);
        clock.stop();
        if (!allFinite(batch)) throw notFinite(target, animation, first, batch);
        rest.addRows(box, poses, batch);
        if (clock.advance(end - first)) await clock.turnOver();
    }
    const firstPose = palette.subarray(rowAt(0), rowAt(1));
    const lastPose = palette.subarray(rowAt(frameCount - 1), rowAt(frameCount));
    return {
        name: plan.scene.animations[animation]!.name,
        animation,
        firstRow,
        frameCount,
        duration,
        fps: timeline.rate === null ? null : timeline.rate[0] / timeline.rate[1],
        lastFrameTime: timeline.lastShortened ? duration : undefined,
        loop: rowDistance(rest.corners, firstPose, lastPose) <= LOOP_TOLERANCE * rest.extent,
        animated: channels.length > 0,
        discontinuities: discontinuitiesOf(channels, times),
        bounds: Array.from(box, (value) => Math.fround(value) + 0), // float32, and a zero is +0
    };
}

interface Rest extends Extent {
    /** Grows a box by the model in the rows that a batch has just been evaluated to. */
    addRows(box: Box, poses: Poses, palette: Float32Array): void;
}

function restOf(scene: GltfScene, skin: number, rig: Rig): Rest {
    const { joints } = rig.skins[0]!;
    const geometry = geometryOfSkin(scene, skin);
    const atRest = rig.createPoses(1);
    rig.toGlobal(atRest);
    const restPalette = new Float32Array(joints.length * 16);
    rig.palettes(atRest, 0, restPalette, 'mat4');
    const restJoints = new Float32Array(joints.length * 3);
    readOrigins(restJoints, atRest, joints);
    const restSlots = new Float32Array(rig.slots.length * 3);
    readOrigins(restSlots, atRest, Int32Array.from(rig.slots.keys()));
    const extent = extentOf(geometry, restPalette, restJoints, restSlots);
    if (geometry !== null) {
        const clusters = clusterGeometry(geometry, joints.length);
        return {
            ...extent,
            addRows: (box, poses, palette) => addSkinnedRows(box, clusters, palette, poses.count),
        };
    }
    let origins = new Float32Array(0);
    return {
        ...extent,
        addRows(box, poses) {
            const floats = poses.count * joints.length * 3;
            if (origins.length < floats) origins = new Float32Array(floats);
            readOrigins(origins, poses, joints);
            addOrigins(box, origins, floats);
        },
    };
}

function jointsOf(scene: GltfScene, rig: Rig): Manifest['skin']['joints'] {
    const { joints, parents } = rig.skins[0]!;
    return Array.from(joints, (slot, joint) => {
        const { node } = rig.slots[slot]!;
        return { node, name: scene.nodes[node]!.name, parent: parents[joint]! };
    });
}

/** @param palette Of the frames from `first` on. */
function notFinite({ plan, skin }: Target, animation: number, first: number, palette: Float32Array): InputError {
    const { scene, file } = plan;
    const { joints } = scene.skins[skin]!;
    const at = firstNotFinite(palette);
    const joint = at % joints.length;
    const frame = first + (at - joint) / joints.length;
    const node = joints[joint]!;
    return new InputError(
        'NOT_FINITE',
        file,
        `/animations/${animation}`,
        `${clipName(scene, animation)}, frame ${frame}, joint ${joint} '${scene.nodes[node]!.name}' (node ${node}): ` +
            'the baked matrix is not finite',
    );
}

function sha256Of(bytes: Uint8Array): string {
    const hash = createHash('sha256');
    const chunk = 64 * 1024 * 1024; // a hash takes less than 2 GiB at once
    for (let at = 0; at < bytes.byteLength; at += chunk) hash.update(bytes.subarray(at, at + chunk));
    return hash.digest('hex');
}
