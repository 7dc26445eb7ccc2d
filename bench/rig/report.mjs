// SPDX-License-Identifier: MIT

/** What was measured, as text for a terminal. */

import { TICKS_PER_NS, targetLines } from '../targets.mjs';

export function report({ machine, settings, poses, skinning, knight, growth, targets }) {
    const { cpu, node } = machine;
    const lines = [`The Rig on ${cpu}, Node ${node}, ${settings.rounds} rounds; minimum (median)`];
    if (poses) lines.push(...works(poses, 'evaluate + toGlobal + palettes, '));
    if (skinning) lines.push(...works(skinning, ''));
    if (knight) lines.push('', ...bake(knight));
    if (growth) lines.push(...curves(growth));
    lines.push('', ...targetLines(targets));
    return lines.join('\n');
}

function works(results, prefix) {
    const lines = [];
    let last = '';
    for (const result of results) {
        const { work, name, unit, milliseconds, nanoseconds } = result;
        if (work !== last) lines.push('', `${prefix}${work}: ns per ${unit}`);
        last = work;
        const ratios = results
            .filter((other) => other.work === work && other.name !== name && /JavaScript|three/.test(other.name))
            .map((other) => `${(other.milliseconds.median / milliseconds.median).toFixed(1)}x ${other.name}`);
        const ticks = (nanoseconds.min * TICKS_PER_NS).toFixed(1);
        lines.push(
            `  ${name.padEnd(23)} ${milliseconds.min.toFixed(4).padStart(9)} (${milliseconds.median.toFixed(4)}) ms,` +
                ` ${nanoseconds.min.toFixed(2).padStart(7)} (${nanoseconds.median.toFixed(2)}) ns = ${ticks} ticks` +
                `${ratios.length > 0 ? `  ${ratios.join(', ')}` : ''}`,
        );
    }
    return lines;
}

function bake({ skipped, model, clips, fps, rows, rounds, milliseconds, ratio }) {
    if (skipped) return [`The bake is left out: ${skipped}.`];
    const cell = ({ min, median }) => `${min} (${median})`;
    const line = (what, three, poselane, over) =>
        `  ${what.padEnd(56)} three.js ${cell(three)}, poselane ${cell(poselane)}: ${over.min}x (${over.median}x)`;
    const { three, poselane, rig } = milliseconds;
    return [
        `bake of ${model}, ${clips} clips at ${fps} Hz, ${rows} rows, ${rounds} rounds: ms`,
        line('evaluation, by bakePalettes', three.evaluate, rig.evaluate, ratio.rig),
        line('evaluation, within bakeFile', three.evaluate, poselane.evaluate, ratio.evaluate),
        line(
            'with reading (poselane: bounds, checksums, manifest, too)',
            three.withParsing,
            poselane.withParsing,
            ratio.withParsing,
        ),
    ];
}

function curves(growth) {
    const lines = [];
    for (const over of new Set(growth.map((one) => one.over))) {
        lines.push('', `growth over ${over}: ns per joint and pose`);
        const points = growth.filter((one) => one.over === over);
        const several = new Set(points.map(({ implementation }) => implementation)).size > 1;
        const labelOf = ({ way, implementation }) => (several ? `${way}, ${implementation}` : way);
        for (const label of new Set(points.map(labelOf))) {
            const cells = points
                .filter((one) => labelOf(one) === label)
                .map(({ x, nanoseconds: { min, median } }) => `${x}: ${min.toFixed(2)} (${median.toFixed(2)})`);
            lines.push(`  ${label.padEnd(several ? 48 : 34)} ${cells.join('  ')}`);
        }
    }
    return lines;
}
