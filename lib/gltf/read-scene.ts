// SPDX-License-Identifier: MIT

/** From the bytes of a glTF file to plain data. The caller provides files and decoders. */

import { cached } from '../base/cached';
import { type BufferData, loadBuffers, type Resolve } from './buffers';
import { eventWarnings } from './clip-events';
import { openContainer, type SeeJson } from './container';
import { checkFinite, checkTimes, findNonUnitKey, warnNonUnit } from './contents';
import { sourceOf } from './conversion';
import { movingNodes } from './hierarchy';
import { humanoidOf } from './humanoid';
import type { JsonObject } from './json';
import { catching, createReport, type Report, warn, warningsOf } from './reading';
import { referencesOf } from './references';
import type { GltfScene, ReadOptions, SceneAnimation, SceneChannel, SceneSkin } from './scene';
import { buildMeshes } from './skinned-meshes';
import type { Decoded, Faults } from './stored';
import { targetNamesOf } from './target-names';
import { type CheckedGltf, validate } from './validate';
import type { AccessorInfo } from './validate/accessors';
import type { CheckedChannel } from './validate/animations';
import { checkExtensions } from './validate/extensions';
import type { Draco } from './validate/meshes';
import type { CheckedSkin } from './validate/skins';
import { checkLastRow } from './validate/transforms';

export type { ReadOptions } from './scene';

/** Decodes accessors. Some need the compressed data of the `primitives`. */
export type DecodeAccessors = (
    infos: Iterable<AccessorInfo>,
    primitives: readonly Draco[],
    data: readonly BufferData[],
    report: Report,
    faults?: Faults,
) => Promise<Decoded>;

/** Options for a file that only provides clips. */
export const CLIPS_ALONE: ReadOptions = { vertices: false, looseWeights: true };

export interface SceneFile {
    readonly file: string;
    load(): Uint8Array | Promise<Uint8Array>;
    readonly resolve: Resolve | undefined;
    readonly decode: DecodeAccessors;
    readonly see?: SeeJson;
}

/** A file that has been read: the scene without its name and hash. */
export interface ReadScene {
    readonly scene: Omit<GltfScene, 'name' | 'sha256'>;
    readonly buffers: readonly BufferData[];
}

export function* accessorsOfClips({ animations }: Pick<CheckedGltf, 'animations'>): Generator<AccessorInfo> {
    for (const { channels } of animations) {
        for (const { sampler } of channels) {
            yield sampler.input;
            yield sampler.output;
        }
    }
}

function* accessorsOfModel(checked: CheckedGltf): Generator<AccessorInfo> {
    for (const { inverseBindMatrices } of checked.skins) {
        if (inverseBindMatrices !== null) yield inverseBindMatrices;
    }
    for (const { instances } of [...checked.skinnedMeshes, ...(checked.rigidMeshes ?? [])]) {
        if (instances === null) continue;
        const { translation, rotation, scale } = instances;
        yield* [translation, rotation, scale].filter((info) => info !== null);
    }
    for (const { primitives } of [...checked.skinnedMeshes, ...(checked.rigidMeshes ?? [])]) {
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
    const extras = 'extras' in skin ? { extras: skin.extras } : {};
    const length = joints.length * 16;
    if (skin.inverseBindMatrices === null) {
        // glTF 2.0, 5.28.1: missing matrices are identities.
        const identities = new Float32Array(length);
        for (let i = 0; i < length; i++) if ((i % 16) % 5 === 0) identities[i] = 1;
        return { name, joints, inverseBindMatrices: identities, ...extras };
    }
    const pointer = `${skin.pointer}/inverseBindMatrices`;
    const matrices = decoded.floats(skin.inverseBindMatrices).subarray(0, length);
    checkFinite(matrices, skin.inverseBindMatrices, pointer, report);
    for (let at = 0; at < length; at += 16) checkLastRow(matrices, at, pointer, '3.7.3.1', report);
    return { name, joints, inverseBindMatrices: matrices, ...extras };
}

/** Checks each sampler's accessors once. With `faults`, those of accessors become faults of their clips. */
export function buildAnimations(
    { animations }: Pick<CheckedGltf, 'animations'>,
    decoded: Decoded,
    report: Report,
    faults?: Faults,
): SceneAnimation[] {
    const timesDone = new Set<AccessorInfo>();
    const valuesDone = new Set<AccessorInfo>();
    const nonUnit = new Map<number, number>();

    function buildChannel(channel: CheckedChannel): SceneChannel {
        const { pointer, node, path: property, sampler } = channel;
        const fault = faults?.get(sampler.input) ?? faults?.get(sampler.output);
        if (fault !== undefined) throw fault;
        const times = decoded.floats(sampler.input);
        if (!timesDone.has(sampler.input)) checkTimes(times, channel, report);
        timesDone.add(sampler.input);
        const values = decoded.floats(sampler.output);
        if (!valuesDone.has(sampler.output)) {
            checkFinite(values, sampler.output, `${sampler.pointer}/output`, report, channel);
        }
        valuesDone.add(sampler.output);
        if (property === 'rotation') {
            const cubic = sampler.interpolation === 'CUBICSPLINE';
            const layout = sampler.output.index * 2 + (cubic ? 1 : 0);
            const key = cached(nonUnit, layout, () => findNonUnitKey(values, sampler.output, cubic));
            if (key !== -1) warnNonUnit(channel, values, key, report);
        }
        return { pointer, node, path: property, interpolation: sampler.interpolation, times, values };
    }

    return animations.map((animation, index): SceneAnimation => {
        const { name, channels, fault, ...extras } = animation;
        if (fault !== undefined) return { name, channels: [], fault };
        const build = () => withEvents({ name, channels: channels.map(buildChannel), ...extras }, index, report);
        if (faults === undefined) return build();
        return catching(report, `/animations/${index}`, build, (found) => ({ name, channels: [], fault: found }));
    });
}

function withEvents(animation: SceneAnimation, index: number, report: Report): SceneAnimation {
    for (const { pointer, message } of eventWarnings(animation, index)) warn(report, 'EVENT_IGNORED', pointer, message);
    return animation;
}

/** A file whose JSON has been checked. No values have been decoded yet. */
export interface OpenScene {
    readonly json: JsonObject;
    readonly checked: CheckedGltf;
    readonly buffers: readonly BufferData[];
}

export async function openScene(
    { load, resolve, see }: Pick<SceneFile, 'load' | 'resolve' | 'see'>,
    report: Report,
    wanted: ReadOptions,
): Promise<OpenScene> {
    const { json, bin } = await openContainer(load, report, see);
    checkExtensions(json, report);
    const buffers = await loadBuffers(json, bin, resolve, report);
    return { json, checked: validate(json, buffers, report, wanted), buffers };
}

export function dracoOf({ skinnedMeshes, rigidMeshes = [] }: CheckedGltf): Draco[] {
    const found = [...skinnedMeshes, ...rigidMeshes].flatMap(({ primitives }) => primitives.map(({ draco }) => draco));
    return [...new Set(found)].filter((draco) => draco !== null);
}

/** Separate, so that the JSON is released before decoding: a million nodes can take 400 MB. */
async function check(input: SceneFile, report: Report, wanted: ReadOptions) {
    const { json, checked, buffers } = await openScene(input, report, wanted);
    const conversion = { source: sourceOf(json, report), humanoid: humanoidOf(json), targetNames: targetNamesOf(json) };
    return { checked, buffers, references: referencesOf(json), ...conversion };
}

/** The meshes as if clips with a fault moved nothing. */
function withoutFaulty(
    checked: CheckedGltf,
    animations: readonly SceneAnimation[],
    { rigid }: ReadOptions,
): CheckedGltf {
    if (animations.every(({ fault }) => fault === undefined)) return checked;
    const moving = movingNodes({ nodes: checked.nodes.nodes, skins: checked.skins, animations });
    const rigidMeshes = checked.rigidMeshes?.map((mesh) =>
        moving[mesh.node] === 1
            ? mesh
            : { ...mesh, moves: false, primitives: rigid === 'all' ? mesh.primitives : [], instances: null },
    );
    return { ...checked, rigidMeshes };
}

export async function readScene(input: SceneFile, wanted: ReadOptions): Promise<ReadScene> {
    const report = createReport(input.file);
    const { checked, buffers, references, source, humanoid, targetNames } = await check(input, report, wanted);
    const faults: Faults | undefined = wanted.looseClips ? new Map() : undefined;
    const own = [...accessorsOfModel(checked)];
    const infos = [...own, ...accessorsOfClips(checked)];
    const decoded = await input.decode(infos, dracoOf(checked), buffers, report, faults);
    const fault = faults && own.map((info) => faults.get(info)).find((one) => one !== undefined);
    if (fault !== undefined) throw fault;
    const animations = buildAnimations(checked, decoded, report, faults);
    const scene = {
        nodes: checked.nodes.nodes,
        skins: checked.skins.map((skin) => buildSkin(skin, decoded, report)),
        animations,
        ...buildMeshes(withoutFaulty(checked, animations, wanted), decoded, report, wanted.surfaces === true),
        warnings: warningsOf(report),
        ownBytes: checked.ownBytes,
        references,
        ...(source !== undefined && { source }),
        ...(humanoid && { humanoid }),
        ...(targetNames.size > 0 && { targetNames }),
    };
    return { scene, buffers };
}
