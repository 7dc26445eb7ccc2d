// SPDX-License-Identifier: MIT

/** A hash of what a Rig and the functions on lists give, for Node and browsers alike. */
export async function evaluate(
    { Rig, slerpJoints, bindSlerpQuats, convertJointQuatsToJointMats, transformSkeleton },
    bytes,
) {
    const rig = await Rig.load(bytes);
    const times = Float64Array.from({ length: 40 }, (_, i) => i * 0.0731 - 0.4);
    const clips = Uint16Array.from(times, (_, i) => i % rig.clips.length);
    const [a, b] = [rig.createPoses(40), rig.createPoses(40)];
    rig.evaluate(a, clips, times, { loop: 'wrap' });
    rig.evaluate(b, 0, times);
    rig.blend(a, a, b, 0.3);
    rig.toGlobal(a);
    const lists = [];
    for (const [skin, { joints }] of rig.skins.entries()) {
        const palettes = new Float32Array(40 * joints.length * 16);
        rig.palettes(a, skin, palettes);
        lists.push(palettes);
        for (const [mesh, { skin: of, vertexCount }] of rig.meshes.entries()) {
            if (of !== skin) continue;
            const [positions, normals] = [0, 1].map(() => new Float32Array(40 * vertexCount * 3));
            rig.skinVertices(a, skin, mesh, positions, normals);
            const bounds = new Float32Array(40 * 6);
            rig.bounds(a, skin, mesh, bounds);
            lists.push(positions, normals, bounds);
        }
    }
    const quats = Float32Array.from({ length: 8 * 30 }, (_, i) => Math.fround(((i * 7919) % 1013) / 1013 - 0.5));
    const others = quats.map((x, i) => x * ((i % 5) - 1.5));
    slerpJoints(quats, others, 0.375);
    bindSlerpQuats(quats, quats, others).run(0.6);
    const mats = new Float32Array(12 * 30);
    convertJointQuatsToJointMats(mats, quats, { convention: 'gltf' });
    transformSkeleton(
        mats,
        Int32Array.from({ length: 30 }, (_, i) => i - 1),
    );
    lists.push(quats, mats);
    // FNV-1a over the bits.
    let hash = 0x811c9dc5;
    let count = 0;
    for (const list of lists) {
        for (const byte of new Uint8Array(list.buffer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
        count += list.length;
    }
    return { hash, count };
}
