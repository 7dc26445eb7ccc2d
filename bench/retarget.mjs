// SPDX-License-Identifier: MIT

/**
 * Measures retargeted clips of the models in ../shared, ours and those of other libraries, by the code of `verify`. Prints each clip, and
 * the worst of each library, which is the table of docs/retarget.md: `--write` puts it there. three.js, three-vrm and Babylon.js come
 * from npm. retargeting-threejs is only on GitHub (upf-gti): give its `retargeting.js`, or it is left out.
 *
 *     npm run build && node bench/retarget.mjs --retargeting-threejs retargeting.js --write
 */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { convertFile } from '../dist/index.js';
import { fetchTool } from '../scripts/release/tools.mjs';

const { values: given } = parseArgs({
    options: { write: { type: 'boolean' }, 'retargeting-threejs': { type: 'string' } },
});
const require = createRequire(import.meta.url);
const { appendAnimations } = require('../dist/gltf/append-animations.js');
const { openContainer } = require('../dist/gltf/container.js');
const { readGltf } = require('../dist/gltf/read.js');
const { createReport } = require('../dist/gltf/reading.js');
const { humanoidOf } = require('../dist/retarget/roles.js');
const { frameOf } = require('../dist/retarget/frame.js');
const { DoubleEvaluator } = require('../dist/verify/evaluator.js');
const { readGltfFile } = require('../dist/verify/gltf-file.js');
const { measureRetarget } = require('../dist/verify/retargeted.js');

const root = join(import.meta.dirname, '..');
const model = (path) => join(root, '../shared/models', path);
const [KNIGHT, ROBOT] = [model('KayKit/Knight.glb'), model('RobotExpressive/RobotExpressive.glb')];
const TARGETS = ['quaternius_platformer.glb', 'mixamo_names.glb', 'debug_robot.vrm'].map((name) =>
    model(`humanoids/${name}`),
);
const CLIPS = [
    [KNIGHT, '1H_Melee_Attack_Chop'],
    [KNIGHT, 'Idle'],
    [KNIGHT, 'Walking_A'],
    [ROBOT, 'Walking'],
    [ROBOT, 'Dance'],
];
const MEASURES = ['slide', 'stance', 'low', 'arms', 'legs', 'turn', 'bones'];

const { three } = require('../package.json').devDependencies;
const vrmFolder = await fetchTool('@pixiv/three-vrm', '3.5.5', {}, [`three@${three}`]);
/** A module of the three.js that three-vrm uses. */
const fromTool = (name) => import(pathToFileURL(join(vrmFolder, '../..', name)).href);
// GLTFLoader needs it in Node.
globalThis.self = globalThis;
const THREE = await fromTool('three/build/three.module.js');
const { GLTFLoader } = await fromTool('three/examples/jsm/loaders/GLTFLoader.js');
const { retargetClip } = await fromTool('three/examples/jsm/utils/SkeletonUtils.js');
const { VRMLoaderPlugin } = await fromTool('@pixiv/three-vrm/lib/three-vrm.module.js');

const folder = mkdtempSync(join(tmpdir(), 'poselane-retarget-peers-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Samples a second of a library's clip, as linear keys. */
const RATE = 120;

/** A file as our reader and three.js give it. */
async function open(path, plugins = []) {
    const scene = await readGltf(path, { rigid: 'all' });
    const humanoid = humanoidOf(scene);
    const loader = new GLTFLoader();
    const material = new THREE.MeshBasicMaterial();
    loader.register(() => ({ name: 'NO_IMAGES', loadMaterial: () => Promise.resolve(material) }));
    for (const plugin of plugins) loader.register(plugin);
    const gltf = await loader.parseAsync(new Uint8Array(readFileSync(path)).buffer, '');
    const byNode = [];
    for (const [object, place] of gltf.parser.associations) {
        if (place?.nodes !== undefined) byNode[place.nodes] = object;
    }
    let skinned = null;
    gltf.scene.updateMatrixWorld(true);
    gltf.scene.traverse((object) => {
        if (object.skeleton && !(object.skeleton.bones.length <= skinned?.skeleton.bones.length)) skinned = object;
    });
    return { path, scene, humanoid, frame: frameOf(humanoid), gltf, byNode, skinned };
}

const pairsOf = (source, target) =>
    [...source.humanoid.joints].flatMap(([role, from]) => {
        const to = target.humanoid.joints.get(role);
        return to === undefined ? [] : [[role, [from, to]]];
    });

const clipOf = ({ gltf }, name) => gltf.animations.find((clip) => clip.name === name);
const namesOf = (source, target) =>
    pairsOf(source, target).map(([, [from, to]]) => [source.byNode[from].name, target.byNode[to].name]);

/** Plays a clip of three.js: its objects' local transforms at each time. */
function played(target, root, clip) {
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return (time) => {
        mixer.setTime(Math.min(time, clip.duration));
        return target.byNode.map(localOf);
    };
}

const localOf = ({ position, quaternion, scale }) => [position.toArray(), quaternion.toArray(), scale.toArray()];

/** Each gives a function of the time, which returns translation, rotation and scale of the target's nodes. */
const LIBRARIES = {
    'three.js retargetClip': async (source, target, name) => {
        if (target.skinned === null) return null;
        const names = Object.fromEntries(namesOf(source, target).map(([from, to]) => [to, from]));
        const rotationOf = ({ humanoid }, node) => new THREE.Quaternion(...humanoid.bind[node].rotation);
        const localOffsets = Object.fromEntries(
            pairsOf(source, target).map(([, [from, to]]) => {
                const turn = rotationOf(source, from).invert().multiply(rotationOf(target, to));
                return [target.byNode[to].name, new THREE.Matrix4().makeRotationFromQuaternion(turn)];
            }),
        );
        const hip = source.byNode[source.humanoid.joints.get('hips')].name;
        const scale = target.frame.leg / source.frame.leg;
        const options = { names, localOffsets, hip, scale, fps: RATE };
        const clip = retargetClip(target.skinned, source.skinned, clipOf(source, name), options);
        // It leaves scales on the bones that are not in the clip.
        const fresh = await open(target.path);
        return played(fresh, fresh.skinned, clip);
    },
    'Babylon.js AnimatorAvatar': (source, target, name) =>
        target.skinned === null ? null : avatarClip(source, target, name),
    'retargeting-threejs': async (source, target, name) => {
        const file = given['retargeting-threejs'];
        if (target.skinned === null || file === undefined) return null;
        copyFileSync(file, join(vrmFolder, '../../retargeting.mjs'));
        const { AnimationRetargeting } = await fromTool('retargeting.mjs');
        const options = {
            srcEmbedWorldTransforms: true,
            trgEmbedWorldTransforms: true,
            boneNameMap: Object.fromEntries(namesOf(source, target)),
        };
        const made = new AnimationRetargeting(source.skinned.skeleton, target.skinned.skeleton, options);
        return played(target, target.gltf.scene, made.retargetAnimation(clipOf(source, name)));
    },
    'three-vrm': async (source, { path }, name) => {
        if (!path.endsWith('.vrm')) return null;
        const plugin = (parser) => new VRMLoaderPlugin(parser);
        const target = await open(path, [plugin]);
        const { vrm } = target.gltf.userData;
        const clip = normalizedClip(source, vrm, clipOf(source, name));
        const play = played(target, target.gltf.scene, clip);
        return (time) => {
            play(time);
            vrm.humanoid.update();
            return target.byNode.map(localOf);
        };
    },
};

/** As three-vrm's example for Mixamo does, by role instead of its names. */
function normalizedClip(source, { humanoid }, { name, duration, tracks }) {
    const made = [];
    const hips = source.byNode[source.humanoid.joints.get('hips')];
    const scale = humanoid.normalizedRestPose.hips.position[1] / hips.getWorldPosition(new THREE.Vector3()).y;
    for (const [role, node] of source.humanoid.joints) {
        const bone = source.byNode[node];
        const to = humanoid.getNormalizedBoneNode(role);
        if (!to) continue;
        const above = bone.parent.getWorldQuaternion(new THREE.Quaternion());
        const back = bone.getWorldQuaternion(new THREE.Quaternion()).invert();
        for (const { name, times, values } of tracks) {
            const turned = (q) => q.premultiply(above).multiply(back);
            const moved = (v) => v.applyMatrix4(bone.parent.matrixWorld).multiplyScalar(scale);
            const mapped = (kind, width, change) =>
                new kind(
                    `${to.name}.${name.split('.').at(-1)}`,
                    times,
                    Array.from({ length: times.length }, (_, i) => change(i * width).toArray()).flat(),
                );
            if (name === `${bone.name}.quaternion`) {
                made.push(
                    mapped(THREE.QuaternionKeyframeTrack, 4, (at) =>
                        turned(new THREE.Quaternion().fromArray(values, at)),
                    ),
                );
            } else if (bone === hips && name === `${bone.name}.position`) {
                made.push(
                    mapped(THREE.VectorKeyframeTrack, 3, (at) => moved(new THREE.Vector3().fromArray(values, at))),
                );
            }
        }
    }
    return new THREE.AnimationClip(name, duration, made);
}

/** Frames of a second in Babylon.js. */
const FRAMES = 60;

async function avatarClip(source, target, name) {
    const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js');
    const { LoadAssetContainerAsync } = await import('@babylonjs/core/Loading/sceneLoader.js');
    const { Logger } = await import('@babylonjs/core/Misc/logger.js');
    const { Scene } = await import('@babylonjs/core/scene.js');
    const { AnimatorAvatar } = await import('@babylonjs/core/Animations/animatorAvatar.js');
    await import('@babylonjs/core/Animations/animatable.js');
    await import('@babylonjs/loaders/glTF/2.0/glTFLoader.js');
    Logger.LogLevels = Logger.ErrorLogLevel;
    const scene = new Scene(new NullEngine());
    scene.useRightHandedSystem = true;
    const load = async (path) => {
        const pluginOptions = { gltf: { skipMaterials: true, animationStartMode: 0, targetFps: FRAMES } };
        const container = await LoadAssetContainerAsync(new Uint8Array(readFileSync(path)), scene, {
            pluginExtension: '.glb',
            pluginOptions,
        });
        container.addAllToScene();
        const byNode = [];
        for (const node of [...container.transformNodes, ...container.meshes]) {
            for (const pointer of node._internalMetadata?.gltf?.pointers ?? []) {
                const [, index] = /^\/nodes\/(\d+)$/.exec(pointer) ?? [];
                if (index !== undefined) byNode[index] ??= node;
            }
        }
        return { container, byNode };
    };
    const [from, to] = [await load(source.path), await load(target.path)];
    const nameOf = (role) => from.byNode[source.humanoid.joints.get(role)].name;
    const group = from.container.animationGroups.find((one) => one.name === name);
    const avatar = new AnimatorAvatar('avatar', to.container.rootNodes[0]);
    const made = avatar.retargetAnimationGroup(group, {
        mapNodeNames: new Map(pairsOf(source, target).map(([, [a, b]]) => [from.byNode[a].name, to.byNode[b].name])),
        rootNodeName: nameOf('hips'),
        groundReferenceNodeName: nameOf('leftFoot'),
    });
    made.start(false);
    made.pause();
    return (time) => {
        made.goToFrame(Math.min(time * FRAMES, made.to));
        return to.byNode.map(({ position, rotationQuaternion: q, scaling }) => [
            position.asArray(),
            q === null ? [0, 0, 0, 1] : q.asArray(),
            scaling.asArray(),
        ]);
    };
}

/** The target with a clip of samples, as a file. */
async function written({ path, scene }, at, name, duration) {
    const times = Float32Array.from({ length: Math.ceil(duration * RATE) + 1 }, (_, i) => Math.min(i / RATE, duration));
    const poses = Array.from(times, at);
    const paths = ['translation', 'rotation', 'scale'];
    const channels = scene.nodes.flatMap(({ matrix }, node) =>
        matrix !== null || poses[0][node] === undefined
            ? []
            : paths.map((path, part) => ({
                  node,
                  path,
                  interpolation: 'LINEAR',
                  times,
                  values: Float32Array.from(poses.flatMap((pose) => pose[node][part])),
              })),
    );
    const container = await openContainer(() => readFileSync(path), createReport(path));
    const { glb, keys } = appendAnimations(container, [{ name, channels }], 'keys.bin');
    writeFileSync(join(folder, 'keys.bin'), keys);
    writeFileSync(join(folder, 'peer.glb'), glb);
    return readGltfFile(join(folder, 'peer.glb'));
}

/** The file with the clip of a library, or null if that takes no such file. */
async function fileOf(library, path, target, clip) {
    if (library === 'poselane') {
        const { bytes } = await convertFile(target, { animations: [path], retarget: 'humanoid' });
        writeFileSync(join(folder, 'own.glb'), bytes);
        return readGltfFile(join(folder, 'own.glb'));
    }
    // Libraries change what they are given.
    const [from, to] = [await open(path), await open(target)];
    const at = await LIBRARIES[library](from, to, clip);
    return at && written(to, at, clip, clipOf(from, clip).duration);
}

const shown = (measure, { value }) =>
    ['arms', 'legs', 'turn'].includes(measure) ? value.toFixed(1) : (value * 100).toFixed(2);
const stem = (path) => basename(path).replace(/\.\w+$/, '');
const HEAD = `| target | library | ${MEASURES.map((name) => (/arms|legs|turn/.test(name) ? `${name}°` : name)).join(' | ')} |`;

const lines = [HEAD, `|---|---|${MEASURES.map(() => '--:|').join('')}`];
for (const target of TARGETS) {
    for (const library of ['poselane', ...Object.keys(LIBRARIES)]) {
        let worst = null;
        for (const [path, clip] of CLIPS) {
            const file = await fileOf(library, path, target, clip);
            if (file === null) continue;
            const evaluators = [new DoubleEvaluator(await readGltfFile(path)), new DoubleEvaluator(file)];
            const [source, own] = evaluators.map((evaluator) => {
                const numbers = [...(evaluator.file.json.animations ?? []).entries()];
                return { evaluator, animation: numbers.findLast(([, { name }]) => name === clip)[0] };
            });
            const [from, to] = [await open(path), await open(target)];
            const measures = measureRetarget(source, own, new Map(pairsOf(from, to)));
            console.log(
                library,
                stem(path),
                clip,
                stem(target),
                ...MEASURES.map((name) => shown(name, measures[name])),
            );
            worst ??= measures;
            worst = Object.fromEntries(
                MEASURES.map((name) => [name, measures[name].value > worst[name].value ? measures[name] : worst[name]]),
            );
        }
        if (worst === null) continue;
        const values = MEASURES.map((name) => shown(name, worst[name]));
        lines.push(`| ${stem(target)} | ${library} | ${values.join(' | ')} |`);
    }
}
console.log(lines.join('\n'));
if (given.write) {
    const file = join(root, 'docs/retarget.md');
    const [before, rest] = readFileSync(file, 'utf8').split('<!-- measures -->\n');
    const [, after] = rest.split('<!-- /measures -->');
    writeFileSync(file, `${before}<!-- measures -->\n${lines.join('\n')}\n<!-- /measures -->${after}`);
}
