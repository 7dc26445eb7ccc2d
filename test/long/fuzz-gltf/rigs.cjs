// SPDX-License-Identifier: MIT
'use strict';

/** Results of a Rig, and the comparison of the Rig for browsers with the one for Node. */

const { createRandom } = require('../sweep/random.cjs');
const { Finding, hashOf, isTyped, resolverOf } = require('../fuzz-runner/outcome.cjs');

/** A digest of poses, joints, palettes and vertices. */
function digestOfRig(rig, random, meshes = true) {
    if (rig.slots.length > 5000) return 'large';
    const poses = rig.createPoses(1 + random.below(20));
    const parts = [];
    const times = Float64Array.from({ length: poses.count }, () => random.of([0, 0.3, 1, -1, 1e9, 1e-9, 5]));
    if (rig.clips.length > 0)
        rig.evaluate(poses, random.below(rig.clips.length), times, { loop: random.of(['clamp', 'wrap']) });
    rig.toGlobal(poses);
    if (rig.slots.length > 0) {
        // Not `poses.data`: its lanes without a pose are undefined.
        const slots = Uint16Array.from({ length: Math.min(rig.slots.length, 200) }, (_, slot) => slot);
        parts.push(new Float32Array(poses.count * slots.length * 12));
        rig.joints(poses, slots, parts[0]);
    }
    for (const [skin, { joints }] of rig.skins.entries()) {
        if (poses.count * joints.length > 20_000) continue;
        const out = new Float32Array(poses.count * joints.length * 16);
        rig.palettes(poses, skin, out);
        parts.push(out);
    }
    for (const [mesh, { skin, vertexCount }] of rig.meshes.entries()) {
        if (!meshes || skin < 0 || vertexCount === 0 || vertexCount * poses.count > 50_000) continue;
        const out = new Float32Array(poses.count * vertexCount * 3);
        rig.skinVertices(poses, skin, mesh, out);
        parts.push(out);
    }
    // The bits of a NaN are not promised.
    for (const floats of parts) for (let i = 0; i < floats.length; i++) if (Number.isNaN(floats[i])) floats[i] = 7;
    return hashOf(...parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)));
}

/** `{ digest }`, or `{ code, error }` for an error of ours. */
async function loaded(load, key) {
    try {
        return { digest: digestOfRig(await load(), createRandom(key)) };
    } catch (error) {
        if (!isTyped(error)) throw error;
        return { code: error.code, error };
    }
}

const DRACO = 'KHR_draco_mesh_compression';

/**
 * The entry for browsers decodes without glTF-Transform. It must give the same poses as Node, or the same code. It does not decode
 * Draco, and takes the uncompressed data of a file that has both: such files must only be read or refused.
 */
async function browserRig(poselane, { bytes, beside, seed }, random) {
    const key = String(random.below(2 ** 30));
    const options = { name: seed, resolve: resolverOf(beside) };
    const here = await loaded(() => poselane.Rig.load(bytes, options), key);
    const meshopt = require('meshoptimizer/decoder.cjs');
    const there = await loaded(() => poselane.BrowserRig.load(bytes, { ...options, decoders: { meshopt } }), key);
    if (!bytes.includes(DRACO) && (here.code !== there.code || here.digest !== there.digest)) {
        const said = ({ digest, error }) => (error ? `${error.code} ${error.message}` : digest);
        throw new Finding(`Node ${said(here)}, browser ${said(there)}`);
    }
    if (here.error) throw here.error;
    return here.digest;
}

/** Changes up to four words of a rig file, and gives it the hash that fits: FNV-1a of the words from the fifth on. */
function mutateRig(bytes, random) {
    const words = new Int32Array(bytes.slice().buffer);
    const floats = words[4] / 4;
    for (let k = random.below(4); k >= 0; k--) {
        const place = random.below(3) ? 4 + random.below(floats - 4) : random.below(words.length - 4) + 4;
        words[place] = random.of([0, 1, -1, 2, 256, 0x7fffffff, 0x7f800000, words[place] + 1, words[place] - 1]);
    }
    let hash = 0x811c9dc5;
    for (let i = 4; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
    words[3] = hash;
    return new Uint8Array(words.buffer);
}

/** The rig of a file, stored: the same again, in both entries; with changed words an error, or the same in both. */
async function storedRig(poselane, { bytes, beside, seed }, random) {
    const rig = await poselane.Rig.load(bytes, { name: seed, resolve: resolverOf(beside) });
    if (rig.slots.length > 5000) return 'large';
    const key = String(random.below(2 ** 30));
    const stored = rig.serialize();
    const expected = digestOfRig(rig, createRandom(key));
    for (const Own of [poselane.Rig, poselane.BrowserRig]) {
        const again = await Own.deserialize(stored);
        if (digestOfRig(again, createRandom(key)) !== expected) throw new Finding('other bits after storing');
        if (Buffer.compare(again.serialize(), stored) !== 0) throw new Finding('other bytes when stored again');
    }
    const mutated = mutateRig(stored, random);
    const outcomes = [];
    for (const Own of [poselane.Rig, poselane.BrowserRig]) {
        try {
            outcomes.push(digestOfRig(await Own.deserialize(mutated), createRandom(key)));
        } catch (error) {
            if (!(error instanceof RangeError && error.code === 'ERR_RIG_INVALID')) throw error;
            outcomes.push(error.code);
        }
    }
    if (outcomes[0] !== outcomes[1]) throw new Finding(`changed words: Node ${outcomes[0]}, browser ${outcomes[1]}`);
    return expected + outcomes[0];
}

module.exports = { browserRig, digestOfRig, storedRig };
