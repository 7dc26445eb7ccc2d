// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { InputError } from '../errors';
import type { GltfScene, Warning } from '../gltf/scene';
import { packClip } from '../rig/clip';
import { createEvaluator, type Evaluator, evaluateFrames, startClip } from '../rig/evaluate';
import { KERNEL_VERSION } from '../rig/kernels';
import { rigOfSkin, type SkinRig } from '../rig/skin';
import { addSkinnedRows, clusterGeometry } from './bounds';
import type { Clock } from './clock';
import { addOrigins, type Extent, extentOf, rowDistance } from './extent';
import { type Box, emptyBox, geometryOfSkin } from './geometry';
import { type Manifest, type ManifestClip, stringifyManifest } from './manifest';
import { firstNotFinite, storeMat4Rows, toLittleEndian } from './palette';
import { type BakePlan, clipName, type PlannedClip } from './plan';
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
    const rig = rigOfSkin(scene, skin);
    const joints = rig.jointNodes.length;
    const evaluator = createEvaluator(
        rig,
        plan.clips.reduce((most, { timeline }) => Math.max(most, timeline.frameCount), 1),
    );
    const target: Target = {
        plan,
        clock,
        evaluator,
        rest: restOf(scene, evaluator),
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

/** Where the clips of one skin go. */
interface Target {
    readonly plan: BakePlan;
    readonly clock: Clock;
    readonly evaluator: Evaluator;
    readonly rest: Rest;
    /** The rows of all clips. */
    readonly palette: Float32Array;
    readonly warnings: Warning[];
}

async function bakeClip(target: Target, { animation, firstRow, timeline }: PlannedClip): Promise<ManifestClip> {
    const { plan, clock, evaluator, rest, palette, warnings } = target;
    const { rig, batchFrames } = evaluator;
    const { frameCount, duration } = timeline;
    const joints = rig.jointNodes.length;
    const row = joints * 12;
    const source = plan.scene.animations[animation]!;
    const times = frameTimesOf(timeline);
    const clip = packClip(source, rig.slots);
    warnings.push(...clipWarnings(plan, animation, rig.skin, clip, times));

    const firstPose = new Float32Array(row);
    const lastPose = new Float32Array(row);
    const box = emptyBox();
    startClip(evaluator, clip);
    for (let first = 0; first < frameCount; first += batchFrames) {
        const count = Math.min(frameCount - first, batchFrames);
        clock.start();
        evaluateFrames(evaluator, times, first, count);
        const finite = storeMat4Rows(palette, (firstRow + first) * joints, evaluator.palette, count * joints);
        clock.stop();
        if (!finite) throw notFinite(plan, animation, evaluator, first);
        rest.addRows(box, evaluator, count);
        if (first === 0) firstPose.set(evaluator.palette.subarray(0, row));
        if (first + count === frameCount) lastPose.set(evaluator.palette.subarray((count - 1) * row, count * row));
        if (clock.advance(count)) await clock.turnOver();
    }
    return {
        name: source.name,
        animation,
        firstRow,
        frameCount,
        duration,
        fps: timeline.rate === null ? null : timeline.rate[0] / timeline.rate[1],
        lastFrameTime: timeline.lastShortened ? duration : undefined,
        loop: rowDistance(rest.corners, firstPose, lastPose) <= LOOP_TOLERANCE * rest.extent,
        animated: clip.channels.length > 0,
        discontinuities: discontinuitiesOf(clip.channels, times),
        bounds: Array.from(box, (value) => Math.fround(value) + 0), // float32, and a zero is +0
    };
}

interface Rest extends Extent {
    /** Grows a box by the model in the rows that the evaluator holds. */
    addRows(box: Box, evaluator: Evaluator, count: number): void;
}

/** Evaluates the rest pose, as the clip without channels. */
function restOf(scene: GltfScene, evaluator: Evaluator): Rest {
    const { rig } = evaluator;
    const joints = rig.jointNodes.length;
    const geometry = geometryOfSkin(scene, rig.skin);
    startClip(evaluator, packClip({ name: '', channels: [] }, rig.slots));
    evaluateFrames(evaluator, new Float32Array(1), 0, 1);
    const extent = extentOf(
        geometry,
        evaluator.palette.subarray(0, joints * 12),
        evaluator.globals.subarray(0, joints * 12),
        evaluator.slotGlobals.subarray(0, rig.slots.nodes.length * 12),
    );
    const clusters = geometry === null ? null : clusterGeometry(geometry, joints);
    return {
        ...extent,
        addRows(box, { palette, globals }, count) {
            if (clusters === null) addOrigins(box, globals, 0, count * joints * 12);
            else addSkinnedRows(box, clusters, palette, count);
        },
    };
}

function jointsOf(scene: GltfScene, rig: SkinRig): Manifest['skin']['joints'] {
    return Array.from(rig.jointNodes, (node, joint) => ({
        node,
        name: scene.nodes[node]!.name,
        parent: rig.jointParents[joint]!,
    }));
}

function notFinite({ scene, file }: BakePlan, animation: number, evaluator: Evaluator, first: number): InputError {
    const { jointNodes } = evaluator.rig;
    const at = firstNotFinite(evaluator.palette);
    const joint = at % jointNodes.length;
    const frame = first + (at - joint) / jointNodes.length;
    const node = jointNodes[joint]!;
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
