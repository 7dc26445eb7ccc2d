// SPDX-License-Identifier: MIT

/**
 * node bench/research/reduce/peers.mjs <folder whose node_modules has gltfpack and @gltf-transform/{core,functions}> [models]
 * What glTF-Transform's resample and gltfpack leave and how far off it is, judged like our own; then ours with that error as its bound.
 * Only the animations of their files are judged, on the source's hierarchy and meshes: nodes are matched by the names from the root down.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DoubleEvaluator } from '../../../dist/verify/evaluator.js';
import { evaluatorOf, reducedBytes, sourceBytes } from './encode.mjs';
import { METHODS } from './methods.mjs';
import { judge, loadModel } from './model.mjs';
import { MODELS } from './models.mjs';
import { reduceClip } from './reduce.mjs';

const [folder, names = 'robot,fox,figure,knight', best = 'bc + polish, coarsen .5'] = process.argv.slice(2);
const load = async (name) => import(pathToFileURL(createRequire(join(resolve(folder), 'x.js')).resolve(name)));
const { NodeIO } = await load('@gltf-transform/core');
const { resample } = await load('@gltf-transform/functions');
const gltfpack = join(resolve(folder), 'node_modules/gltfpack/cli.js');
const scratch = mkdtempSync(join(tmpdir(), 'reduce-peers-'));

const transform = (tolerance) => async (from, to) => {
    const io = new NodeIO();
    const document = await io.read(from);
    await document.transform(resample({ tolerance }));
    await io.write(to, document);
};
const pack =
    (...flags) =>
    (from, to) => {
        execFileSync(process.execPath, [gltfpack, '-i', from, '-o', to, '-kn', ...flags], { stdio: 'pipe' });
    };
const PEERS = {
    'glTF-Transform 1e-4 (default)': transform(1e-4),
    'glTF-Transform 1e-3': transform(1e-3),
    'gltfpack -noq': pack('-noq'),
    gltfpack: pack(),
    'gltfpack -at 16 -ar 16': pack('-at', '16', '-ar', '16'),
    'gltfpack -af 15': pack('-af', '15'),
};

/** Names from the root down, with the place among siblings of the same name. */
function pathsOf({ nodes, parents, order }) {
    const seen = new Map();
    const paths = [];
    for (const node of order) {
        const own = `${parents[node] < 0 ? '' : paths[parents[node]]}/${nodes[node].name ?? '?'}`;
        const times = seen.get(own) ?? 0;
        seen.set(own, times + 1);
        paths[node] = times === 0 ? own : `${own}#${times}`;
    }
    return paths;
}

/** The peer's animations on the source's nodes; those of nodes that it lost or renamed are counted. */
function transplant(model, peer) {
    const source = pathsOf(model.evaluator);
    const whole = new Map(source.map((path, node) => [path, node]));
    const tail = new Map(source.map((path, node) => [path.slice(path.lastIndexOf('/')), node]));
    const numbers = new Map(model.evaluator.file.numbers);
    const peerPaths = pathsOf(peer);
    const stored = new Map();
    let lost = 0;
    let next = 1e6;
    const byName = new Map(peer.file.json.animations.map((animation, index) => [animation.name, index]));
    const animations = model.evaluator.file.json.animations.map(({ name }, i) => {
        const index = byName.get(name) ?? i;
        const samplers = [];
        const channels = [];
        const used = peer.file.json.animations[index].samplers;
        for (const { input, output } of used)
            for (const one of [input, output]) stored.set(one, bytesOf(peer.file, one));
        for (const { node, path, sampler } of peer.channelsOf(index)) {
            const own = whole.get(peerPaths[node]) ?? tail.get(peerPaths[node].slice(peerPaths[node].lastIndexOf('/')));
            if (own === undefined) {
                lost++;
                continue;
            }
            numbers.set(next, sampler.times);
            numbers.set(next + 1, sampler.values);
            channels.push({ sampler: samplers.length, target: { node: own, path } });
            samplers.push({ input: next, output: next + 1, interpolation: sampler.interpolation });
            next += 2;
        }
        return { samplers, channels };
    });
    const { file } = model.evaluator;
    const distinct = [...new Map([...stored.values()].map((b) => [b.toString('latin1'), b])).values()];
    return {
        lost,
        gzip: gzipSync(Buffer.concat(distinct), { level: 9 }).length,
        evaluator: new DoubleEvaluator({ ...file, json: { ...file.json, animations }, numbers }),
    };
}

/** An accessor as it is stored, padded to a multiple of 4. */
function bytesOf({ json, numbers }, index) {
    const { componentType, normalized } = json.accessors[index];
    const values = numbers.get(index);
    if (values === undefined) return Buffer.alloc(0);
    const [List, one] = {
        5120: [Int8Array, 127],
        5121: [Uint8Array, 255],
        5122: [Int16Array, 32767],
        5123: [Uint16Array, 65535],
    }[componentType] ?? [Float32Array, 1];
    const list = normalized ? List.from(values, (x) => Math.round(x * one)) : List.from(values);
    const bytes = Buffer.from(list.buffer);
    return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

try {
    for (const name of names.split(',')) {
        const model = await loadModel(MODELS[name]);
        const source = sourceBytes(
            model,
            model.clips.map(({ index }) => index),
        );
        const bound = 0.001 * model.extent;
        console.log(`${name}: ${source.gzip} gzip`);
        for (const [label, run] of Object.entries(PEERS)) {
            const out = join(scratch, `${name}.glb`);
            try {
                const start = performance.now();
                await run(MODELS[name], out);
                const seconds = (performance.now() - start) / 1000;
                const { evaluator, gzip, lost } = transplant(model, await DoubleEvaluator.load(out));
                // As many looks as ours get: their keys may lie anywhere, so three looks between keys.
                const error = Math.max(...model.clips.map((clip) => judge(model, evaluator, clip, 3)));
                const clips = model.clips.map((clip) => reduceClip(model, clip, error, METHODS[best]));
                const own = reducedBytes(clips, METHODS[best], 'node');
                const exact = Math.max(
                    ...model.clips.map((clip) => judge(model, evaluatorOf(model, clips, METHODS[best]), clip, 3)),
                );
                console.log(
                    `  ${label.padEnd(30)} ${(error / bound).toFixed(2).padStart(8)}x the bound, ${gzip} gzip ${((gzip / source.gzip) * 100).toFixed(1)}%, ${lost} channels lost, ${seconds.toFixed(1)} s; ours at that error: ${own.gzip} ${((own.gzip / source.gzip) * 100).toFixed(1)}% (${(exact / error).toFixed(3)} of it)`,
                );
            } catch (error) {
                console.log(`  ${label}: ${String(error.stderr ?? error.stack ?? error).slice(0, 300)}`);
            }
        }
    }
} finally {
    rmSync(scratch, { recursive: true, force: true });
}
