// SPDX-License-Identifier: MIT

import type { EngineName } from '../engines';
import { type ChannelSpec, GltfBuilder, keyed } from '../gltf-builder';

/** The place to which a joint takes a point, computed by hand: all judges could share an error. */
export interface Figure {
    readonly clip?: number;
    /** At a frame of the scene's rate, or the clip's end. */
    readonly time: number;
    readonly joint: number;
    readonly skin?: number;
    readonly point?: readonly [number, number, number];
    readonly to: readonly number[];
    /** To five digits; in every bit if not said. */
    readonly near?: true;
}

/** One file that is about one row of the table, judged at the frames of its rate and between them. */
export interface TortureScene {
    /** The stem of the file. */
    readonly name: string;
    /** A common error of bakers: the title of a block of tests. */
    readonly row: string;
    /** The requirement: the title of a test. */
    readonly about: string;
    /** 60 if not given. */
    readonly fps?: number | readonly [num: number, den: number];
    /** Engines that differ from the specification on this file, and how. Then only the double-precision evaluator judges. */
    readonly parts?: Partial<Record<EngineName, string>>;
    readonly figures: readonly Figure[];
    /** Writes the file into a folder. */
    write(folder: string): TortureFile;
}

export interface TortureFile {
    readonly path: string;
    /** The same content in a file that the double-precision evaluator and the engines need no decoder for. */
    readonly plain?: string;
}

export type RowlessScene = Omit<TortureScene, 'row'>;

/** Scenes about one row of the table. */
export const inRow = (row: string, ...scenes: readonly RowlessScene[]): TortureScene[] =>
    scenes.map((scene) => ({ ...scene, row }));

/** A scene that a builder makes. */
export function built(scene: Omit<RowlessScene, 'write'>, make: () => GltfBuilder): RowlessScene {
    return { ...scene, write: (folder) => ({ path: make().write(folder, scene.name) }) };
}

/** One clip, of a root and a joint below it, 1 m up. */
export function twoJoints(scene: Omit<RowlessScene, 'write'>, channels: () => readonly ChannelSpec[]): RowlessScene {
    return built(scene, () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        return gltf.animation('clip', channels());
    });
}

/** How Babylon's animation groups treat channels that begin late or end early. */
export const EXTRA_KEYS = "copies a channel's first and last key to the clip's ends and interpolates up to there";

export const HALF = Math.SQRT1_2;

/** Moves a node from one place at 0 s to another at 1 s. */
export const moved = (node: number, from: number[], to: number[]) => keyed(node, 'translation', [0, 1], from, to);

/** Column-major; the bottom row is 0 0 0 1. */
export function affine(x: number[], y: number[], z: number[], t: number[]): number[] {
    return [...x, 0, ...y, 0, ...z, 0, ...t, 1];
}

/** Turns +x to +y, then moves. */
export const quarterTurn = (t: number[]): number[] => affine([0, 1, 0], [-1, 0, 0], [0, 0, 1], t);
