// SPDX-License-Identifier: MIT

/** Three live models beside each other, by Lambert's law or without light, as the test's Godot project draws them. */

import * as THREE from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { pixelsOf } from './pixels.mjs';

const LIGHT = new THREE.Vector3(1, 2, 3);

function plain({ map, color, side, vertexColors, alphaTest }, lit) {
    const Material = lit ? THREE.MeshLambertMaterial : THREE.MeshBasicMaterial;
    return new Material({ map, color, side, vertexColors, alphaTest });
}

function stageOf({ at, width, height }) {
    const renderer = new THREE.WebGLRenderer({ antialias: false });
    renderer.setSize(width, height);
    const scene = new THREE.Scene();
    const light = new THREE.DirectionalLight(0xffffff, Math.PI);
    light.position.copy(LIGHT);
    // Without the light of the sky, the bytes that Godot 3 makes of normals would show in what is nearly black.
    scene.add(light, new THREE.AmbientLight(0xffffff, 0.2 * Math.PI));
    scene.background = new THREE.Color().setRGB(0.2, 0.25, 0.3, THREE.SRGBColorSpace);
    const camera = new THREE.PerspectiveCamera(35, width / height, at[2] / 50, at[2] * 10);
    camera.position.set(...at);
    camera.lookAt(0, at[1] * 0.6, 0);
    const draw = () => {
        renderer.render(scene, camera);
        return [...pixelsOf(renderer.domElement)];
    };
    return { scene, draw };
}

/** `frames`: for each instance the number of a clip and its time. */
export async function drawLive({ model, lit, apart, frames, ...view }) {
    const { scene, draw } = stageOf(view);
    const poses = await Promise.all(
        [0, 1, 2].map(async (i) => {
            const gltf = await new GLTFLoader().loadAsync(model);
            gltf.scene.traverse((node) => {
                if (node.material) node.material = plain(node.material, lit);
                node.frustumCulled = false;
            });
            scene.add(new THREE.Group().add(gltf.scene).translateX((i - 1) * apart));
            const mixer = new THREE.AnimationMixer(gltf.scene);
            return (clip, seconds) => {
                mixer.stopAllAction();
                mixer.clipAction(gltf.animations[clip]).reset().play();
                mixer.setTime(seconds);
            };
        }),
    );
    return frames.map((frame) => {
        for (const [i, [clip, seconds]] of frame.entries()) poses[i](clip, seconds);
        return draw();
    });
}

/** The material of openvat-threejs-viewer: its arithmetic, in which frame f is the line f - 1. */
const VIEWER = `
float frameStep = 1.0 / Y_resolution;
vec2 place = uv1 + vec2(0.0, 1.0 - float(frameSelect) * frameStep);
vec3 VAT_position = texture2D(vat_position_texture, place).rgb;
vec3 moved = minValues + VAT_position * (maxValues - minValues);
transformed += vec3(moved.x, moved.z, -moved.y);
`;

/** `frames`: the number that the viewer is given for each instance. */
export async function drawViewer({ model, texture, info, apart, frames, ...view }) {
    const { scene, draw } = stageOf(view);
    const vat = await new EXRLoader().loadAsync(texture);
    vat.wrapS = vat.wrapT = THREE.ClampToEdgeWrapping;
    const { 'os-remap': remap } = await (await fetch(info)).json();
    const numbers = await Promise.all(
        [0, 1, 2].map(async (i) => {
            const gltf = await new GLTFLoader().loadAsync(model);
            const frameSelect = { value: 0 };
            gltf.scene.traverse((node) => {
                node.frustumCulled = false;
                if (!node.material) return;
                node.material = plain(node.material, false);
                node.material.onBeforeCompile = (shader) => {
                    Object.assign(shader.uniforms, {
                        frameSelect,
                        vat_position_texture: { value: vat },
                        minValues: { value: new THREE.Vector3(...remap.Min) },
                        maxValues: { value: new THREE.Vector3(...remap.Max) },
                        Y_resolution: { value: vat.image.height },
                    });
                    shader.vertexShader = `
                        uniform int frameSelect;
                        uniform highp sampler2D vat_position_texture;
                        uniform vec3 minValues;
                        uniform vec3 maxValues;
                        uniform float Y_resolution;
                        attribute vec2 uv1;
                        ${shader.vertexShader.replace('#include <begin_vertex>', `#include <begin_vertex>${VIEWER}`)}`;
                };
            });
            scene.add(new THREE.Group().add(gltf.scene).translateX((i - 1) * apart));
            return frameSelect;
        }),
    );
    return frames.map((frame) => {
        for (const [i, number] of frame.entries()) numbers[i].value = number;
        return draw();
    });
}
