// SPDX-License-Identifier: MIT

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashInput, loadBuffers, type Resolve } from './buffers';
import { openContainer } from './container';
import { channelName, checkFinite, checkTimes, findNonUnitKey, warnNonUnit } from './contents';
import { type Decoded, decodeAccessors } from './decode';
import { fail, type Report } from './report';
import type { GltfScene, SceneAnimation, SceneChannel, SceneSkin } from './scene';
import { buildSkinnedMeshes } from './skinned-meshes';
import { type CheckedGltf, validate } from './validate';
import type { AccessorInfo } from './validate/accessors';
import type { CheckedChannel } from './validate/animations';
import { checkExtensions } from './validate/extensions';
import { checkLastRow } from './validate/matrix';
import type { CheckedSkin } from './validate/skins';

export interface ReadOptions {
    /** Whether the skinned meshes' normals and morph targets are wanted: {@link SkinnedMesh.surfaces}. */
    readonly surfaces?: boolean;
    /**
     * `false`: no accessor of a mesh is looked at. The skinned meshes are then without primitives, and what is wrong with
     * their vertices is no fault.
     */
    readonly vertices?: boolean;
}

/** How {@link readGltfBytes} names its input and reaches the files beside it. */
export interface ReadBytesOptions extends ReadOptions {
    /** The file's name, for messages, and without its folder for {@link GltfScene.name}. */
    readonly name: string;
    /** Reads the external buffers; without it a file that has any is refused. */
    readonly resolve?: Resolve;
}

/** Every accessor that the scene needs. */
function* accessorsOf(checked: CheckedGltf): Generator<AccessorInfo> {
    for (const { inverseBindMatrices } of checked.skins) {
        if (inverseBindMatrices !== null) yield inverseBindMatrices;
    }
    for (const { channels } of checked.animations) {
        for (const { sampler } of channels) {
            yield sampler.input;
            yield sampler.output;
        }
    }
    for (const { primitives } of checked.skinnedMeshes) {
        for (const { position, joints, weights, surface } of primitives) {
            yield position;
            yield* joints;
            yield* weights;
            if (surface === null) continue;
            const { normal, targets } = surface;
            const all = [normal, ...targets.flatMap((target) => [target.position, target.normal])];
            yield* all.filter((info) => info !== null);
        }
    }
}

function buildSkin(skin: CheckedSkin, decoded: Decoded, report: Report): SceneSkin {
    const { name, joints } = skin;
    const length = joints.length * 16;
    if (skin.inverseBindMatrices === null) {
        // glTF 2.0, 5.28.1: identities where there are none.
        const identities = new Float32Array(length);
        for (let i = 0; i < length; i++) if ((i % 16) % 5 === 0) identities[i] = 1;
        return { name, joints, inverseBindMatrices: identities };
    }
    const pointer = `${skin.pointer}/inverseBindMatrices`;
    const matrices = decoded.floats(skin.inverseBindMatrices).subarray(0, length);
    checkFinite(matrices, skin.inverseBindMatrices, pointer, report);
    for (let at = 0; at < length; at += 16) checkLastRow(matrices, at, pointer, '3.7.3.1', report);
    return { name, joints, inverseBindMatrices: matrices };
}

/** Checks each accessor of the samplers once, however many channels share it. */
function buildAnimations(checked: CheckedGltf, decoded: Decoded, report: Report): SceneAnimation[] {
    const timesDone = new Set<AccessorInfo>();
    const valuesDone = new Set<AccessorInfo>();
    const nonUnit = new Map<string, number>();

    function buildChannel(channel: CheckedChannel): SceneChannel {
        const { pointer, node, path: property, sampler } = channel;
        const times = decoded.floats(sampler.input);
        if (!timesDone.has(sampler.input)) checkTimes(times, channel, report);
        timesDone.add(sampler.input);
        const values = decoded.floats(sampler.output);
        if (!valuesDone.has(sampler.output)) {
            checkFinite(values, sampler.output, `${sampler.pointer}/output`, report, channelName(channel));
        }
        valuesDone.add(sampler.output);
        if (property === 'rotation') {
            const cubic = sampler.interpolation === 'CUBICSPLINE';
            const layout = `${sampler.output.index} ${cubic}`;
            const key = nonUnit.get(layout) ?? findNonUnitKey(values, sampler.output, cubic);
            nonUnit.set(layout, key);
            if (key !== -1) warnNonUnit(channel, values, key, report);
        }
        return { pointer, node, path: property, interpolation: sampler.interpolation, times, values };
    }

    return checked.animations.map(({ name, channels }) => ({ name, channels: channels.map(buildChannel) }));
}

async function read(
    bytes: Uint8Array,
    file: string,
    resolve: Resolve | undefined,
    { surfaces, vertices }: ReadOptions,
): Promise<GltfScene> {
    const report: Report = { file, warnings: [] };
    const { json, jsonBytes, bin } = openContainer(bytes, report);
    checkExtensions(json, report);
    const buffers = await loadBuffers(json, bin, resolve, report);
    const checked = validate(json, buffers, report, { surfaces, vertices });
    const compressed = checked.skinnedMeshes.flatMap(({ primitives }) => primitives.map(({ draco }) => draco));
    const draco = [...new Set(compressed)].filter((primitive) => primitive !== null);
    const decoded = await decodeAccessors(accessorsOf(checked), draco, buffers, report);
    return {
        name: path.basename(file),
        sha256: hashInput(jsonBytes, buffers),
        nodes: checked.nodes.nodes,
        skins: checked.skins.map((skin) => buildSkin(skin, decoded, report)),
        animations: buildAnimations(checked, decoded, report),
        skinnedMeshes: buildSkinnedMeshes(checked.skinnedMeshes, checked.skins, decoded, report),
        warnings: report.warnings,
    };
}

/**
 * Reads a `.glb` or `.gltf` file, with the buffers beside it, into plain data.
 *
 * The raw JSON is checked first; then glTF-Transform decodes the accessors that skins, animations and skinned
 * meshes need. A file without skins or animations is fine here.
 *
 * @throws {@link InputError} with the JSON pointer and the rule of the first fault that could change a pose:
 *   `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID` or `EXTENSION_UNSUPPORTED`. What cannot is in
 *   {@link GltfScene.warnings}, under the codes of {@link ReadWarningCode}.
 */
export async function readGltf(file: string, options: ReadOptions = {}): Promise<GltfScene> {
    let bytes: Uint8Array;
    try {
        bytes = await readFile(file);
    } catch (cause) {
        const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
        fail({ file, warnings: [] }, 'FILE_UNREADABLE', '', `cannot read the file: ${code}`, cause);
    }
    const folder = path.dirname(file);
    return read(bytes, file, (relative) => readFile(path.join(folder, relative)), options);
}

/** The same for a file that is already in memory. `bytes` is not written to, and not kept. */
export function readGltfBytes(bytes: Uint8Array, options: ReadBytesOptions): Promise<GltfScene> {
    return read(bytes, options.name, options.resolve, options);
}
