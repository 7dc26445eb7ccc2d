// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../gltf/scene';
import type { Model } from './model';

/**
 * The channels of morph weights of a clip, for meshes with targets of the same names. A mesh follows the one that has most of
 * its names, and of these the one with the name of its node. Other targets keep their weights at rest.
 *
 * @param spend Gets numbers of values before they are made or compared; may throw.
 * @returns The channels, and the nodes of the source whose weights no mesh follows.
 */
export function weightsOf(
    target: Model,
    source: Model,
    { channels }: Pick<SceneAnimation, 'channels'>,
    spend: (values: number) => void,
): { channels: SceneChannel[]; left: number[] } {
    const namesOf = ({ nodes, targetNames }: Model, node: number) => {
        const names = targetNames?.get(node) ?? [];
        return names.length === nodes[node]!.weights.length ? names : [];
    };
    const given = channels.filter(({ path }) => path === 'weights');
    const found: SceneChannel[] = [];
    const followed = new Set<SceneChannel>();
    for (const [node, { name, weights }] of target.nodes.entries()) {
        const names = namesOf(target, node);
        if (names.length === 0) continue;
        const fits = given.map((channel) => {
            const theirs = namesOf(source, channel.node);
            spend(names.length + theirs.length);
            const places = new Map(theirs.map((one, place) => [one, place]));
            const from = names.map((one) => places.get(one) ?? -1);
            const isNamesake = source.nodes[channel.node]!.name === name;
            const shared = from.filter((place) => place >= 0).length;
            return { channel, from, width: theirs.length, shared, isNamesake };
        });
        fits.sort((a, b) => b.shared - a.shared || Number(b.isNamesake) - Number(a.isNamesake));
        const [best] = fits;
        if (best === undefined || best.shared === 0) continue;
        const { channel, from, width } = best;
        const isCubic = channel.interpolation === 'CUBICSPLINE';
        const rows = channel.values.length / width;
        spend(rows * names.length);
        const values = new Float32Array(rows * names.length);
        for (let row = 0; row < rows; row++) {
            for (const [c, place] of from.entries()) {
                // The second of three rows of a spline has values, the others have tangents.
                const rest = isCubic && row % 3 !== 1 ? 0 : weights[c]!;
                values[row * names.length + c] = place < 0 ? rest : channel.values[row * width + place]!;
            }
        }
        found.push({ ...channel, node, values });
        followed.add(channel);
    }
    const lost = given.filter((channel) => !followed.has(channel) && hasWeight(channel));
    return { channels: found, left: lost.map(({ node }) => node) };
}

/** Whether a channel has a weight that counts. */
export function hasWeight({ path, values }: SceneChannel): boolean {
    return path === 'weights' && values.some((weight) => weight !== 0);
}
