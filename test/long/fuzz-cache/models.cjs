// SPDX-License-Identifier: MIT
'use strict';

/** Writes a `.gltf` with two joints, skins in which their order alternates, and clips that move one joint. */
async function writeModel(file, { clips, skins = 1, keys = 2 }) {
    const { Document, NodeIO } = await import('@gltf-transform/core');
    const document = new Document();
    const buffer = document.createBuffer();
    const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    const [joints, weights] = [new Uint8Array(12), new Float32Array(12)];
    for (const i of [0, 1, 2]) [joints[i * 4], weights[i * 4]] = [i % 2, 1];
    const primitive = document
        .createPrimitive()
        .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)))
        .setAttribute('JOINTS_0', accessor('VEC4', joints))
        .setAttribute('WEIGHTS_0', accessor('VEC4', weights));
    const mesh = document.createMesh().addPrimitive(primitive);
    const knee = document.createNode('knee');
    const hip = document.createNode('hip').addChild(knee);
    const scene = document.createScene().addChild(hip);
    for (let i = 0; i < skins; i++) {
        const [first, second] = i % 2 ? [knee, hip] : [hip, knee];
        const skin = document.createSkin().addJoint(first).addJoint(second);
        scene.addChild(document.createNode(`mesh ${i}`).setMesh(mesh).setSkin(skin));
    }
    const times = Float32Array.from({ length: keys }, (_, i) => i / 8);
    const places = Float32Array.from({ length: keys * 3 }, (_, i) => (i % 3 === 1 ? ((i * i) % 7) / 8 : 0));
    const [input, output] = [accessor('SCALAR', times), accessor('VEC3', places)];
    for (const name of clips) {
        const sampler = document.createAnimationSampler().setInput(input).setOutput(output);
        const channel = document.createAnimationChannel().setTargetNode(knee).setTargetPath('translation');
        document.createAnimation(name).addSampler(sampler).addChannel(channel.setSampler(sampler));
    }
    await new NodeIO().write(file, document);
}

module.exports = { writeModel };
