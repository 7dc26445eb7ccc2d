// SPDX-License-Identifier: MIT

/** PlayCanvas: its own script for vertex animation textures beside its own live skinning of the same file. */

import {
    AnimClip,
    AnimEvaluator,
    Application,
    Asset,
    Color,
    DefaultAnimBinder,
    Entity,
    StandardMaterial,
    Vec3,
} from 'playcanvas';
import { VatCharacters } from 'playcanvas/scripts/esm/vat/vat-characters.mjs';
import { pixelsOf } from './pixels.mjs';

const SIZE = 200;
const BACKGROUND = [207, 227, 234];

const canvas = document.body.appendChild(document.createElement('canvas'));
const app = new Application(canvas, { graphicsDeviceOptions: { antialias: false, alpha: false } });
app.autoRender = false;
app.graphicsDevice.maxPixelRatio = 1;
app.setCanvasResolution('FIXED', SIZE, SIZE);
app.start();
app.scene.ambientLight = new Color(0.3, 0.35, 0.4);

const camera = new Entity('camera');
camera.addComponent('camera', { clearColor: new Color(...BACKGROUND.map((byte) => byte / 255)), fov: 40 });
app.root.addChild(camera);
const sun = new Entity('sun');
sun.addComponent('light', { type: 'directional', intensity: 1.5 });
sun.setEulerAngles(40, 30, 0);
app.root.addChild(sun);

function draw() {
    app.update(0);
    app.render();
    return pixelsOf(canvas);
}

/** The material of a live model: base color only, as in their script. */
function plain(material) {
    const made = new StandardMaterial();
    made.diffuse.copy(material.diffuse);
    made.diffuseMap = material.diffuseMap;
    if (made.diffuseMap) made.diffuseMap.anisotropy = 8;
    Object.assign(made, { gloss: 0.4, useMetalness: true, metalness: 0, cull: material.cull });
    made.update();
    return made;
}

async function loadModel(url) {
    const asset = new Asset(url, 'container', { url });
    app.assets.add(asset);
    await new Promise((resolve, reject) => {
        asset.ready(resolve);
        asset.once('error', reject);
        app.assets.load(asset);
    });
    return asset.resource;
}

/** Poses a new instance, so that nodes without channels are at rest. */
function liveEntity({ resource, materials }, animation, seconds) {
    const entity = resource.instantiateRenderEntity();
    for (const render of entity.findComponents('render')) {
        for (const instance of render.meshInstances) {
            if (!materials.has(instance.material)) materials.set(instance.material, plain(instance.material));
            instance.material = materials.get(instance.material);
        }
    }
    app.root.addChild(entity);
    const binder = new DefaultAnimBinder(entity);
    // It does not find its own handler for morph weights, whose paths end in their number.
    for (const k of ['0', '1']) binder.handlers[`weight.${k}`] = (node) => binder.handlers.weight(node, k);
    const evaluator = new AnimEvaluator(binder);
    const clip = new AnimClip(resource.animations[animation].resource, 0, 1, true, false);
    evaluator.addClip(clip);
    clip.time = seconds;
    evaluator.update(0);
    return entity;
}

const isDrawn = (pixels, x, y) => {
    if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) return false;
    return BACKGROUND.some((byte, c) => Math.abs(pixels[(y * SIZE + x) * 4 + c] - byte) > 2);
};

/** Counts the drawn pixels of a picture that have no drawn neighbor in the other. */
function beyond(a, b) {
    let count = 0;
    for (let y = 0; y < SIZE; y++) {
        for (let x = 0; x < SIZE; x++) {
            if (!isDrawn(a, x, y)) continue;
            const near = [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => isDrawn(b, x + dx, y + dy)));
            if (!near) count++;
        }
    }
    return count;
}

/** Counts the pixels drawn in both, and those that differ by more than `most`. */
function coloursApart(a, b, most) {
    let both = 0;
    let apart = 0;
    for (let y = 0; y < SIZE; y++) {
        for (let x = 0; x < SIZE; x++) {
            if (!isDrawn(a, x, y) || !isDrawn(b, x, y)) continue;
            both++;
            const at = (y * SIZE + x) * 4;
            if ([0, 1, 2].some((c) => Math.abs(a[at + c] - b[at + c]) > most)) apart++;
        }
    }
    return { both, apart };
}

let stage;

/** Shows one model and its `.vat` from then on; gives what the file has. */
export const openVat = async ({ model, vat }) => {
    stage?.crowd.destroy();
    const crowd = new Entity('crowd');
    crowd.addComponent('script');
    app.root.addChild(crowd);
    const characters = crowd.script.create(VatCharacters, { properties: { useStandardMaterial: true } });
    await characters.load(vat);
    const { center, halfExtents } = characters.characterBounds;
    const size = halfExtents.length();
    camera.setPosition(new Vec3(0.5, 0.4, 2.8).mulScalar(size).add(center));
    camera.lookAt(center);
    Object.assign(camera.camera, { nearClip: size / 10, farClip: size * 10 });
    stage = { crowd, characters, live: { resource: await loadModel(model), materials: new Map() } };
    return { animations: characters.animations, vertices: characters._data.vertexCount };
};

/** Live at `seconds`, without the nodes `hidden`, and baked at `played`. */
export const compareVat = ({ animation, seconds, played = seconds, hidden = [] }) => {
    const { crowd, characters, live } = stage;
    crowd.enabled = false;
    const entity = liveEntity(live, animation, seconds);
    for (const name of hidden) entity.findByName(name).enabled = false;
    const a = draw();
    entity.destroy();
    crowd.enabled = true;
    characters.setAnimation(0, animation, 0, false, played);
    const b = draw();
    return { beyond: beyond(a, b) + beyond(b, a), ...coloursApart(a, b, 8) };
};
