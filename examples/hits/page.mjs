// SPDX-License-Identifier: MIT

/** The client: shows the crowd a little in the past, judges each click by itself, and has the server judge it as well. */

import * as poselane from 'poselane';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { CHARACTERS, History, HitTest, judge, STATE, TICKS_PER_SECOND } from './hits.mjs';

/** Ticks between what is shown and the newest, so that there is always one to move to. */
const BEHIND = 2;
const RANGE = 100;

const rig = await poselane.Rig.load(await (await fetch('character.glb')).arrayBuffer());
const history = new History();
const hitTest = new HitTest(rig);
const states = new Float64Array(CHARACTERS * STATE);
let arrived = 0;

const events = new EventSource('states');
await new Promise((resolve) => {
    events.onmessage = ({ data }) => {
        const { tick, states: list } = JSON.parse(data);
        history.add(tick, list);
        arrived = performance.now();
        resolve();
    };
});

/** The moment that is shown. */
const shownTick = () =>
    history.newest - BEHIND + Math.min(1, ((performance.now() - arrived) / 1000) * TICKS_PER_SECOND);

const score = { judged: 0, equal: 0, hits: 0, late: 0 };

/** Judges shots here and there, and compares. */
async function fire(shots) {
    // Before anything else: the server forgets.
    const asked = fetch('shots', { method: 'POST', body: JSON.stringify(shots) });
    const start = performance.now();
    const own = shots.map((shot) => judge(history, hitTest, states, shot));
    const milliseconds = performance.now() - start;
    const response = await asked;
    if (!response.ok) throw new Error(await response.text());
    const theirs = await response.json();
    for (const [i, answer] of own.entries()) {
        const other = theirs.answers[i];
        if (answer === null || other === null) {
            score.late++;
            continue;
        }
        score.judged++;
        if (answer.hit) score.hits++;
        // Compares all bits of distances: their text is exact.
        if (JSON.stringify(answer) === JSON.stringify(other)) score.equal++;
    }
    show('client', own.at(-1), milliseconds / shots.length, rig.implementation);
    show('server', theirs.answers.at(-1), theirs.milliseconds / shots.length, theirs.implementation);
    const late = score.late > 0 ? `, ${score.late} came too late` : '';
    document.getElementById('score').textContent =
        `${score.equal} of ${score.judged} judged alike, ${score.hits} hit${late}`;
    return own.at(-1);
}

function show(who, answer, milliseconds, by) {
    const hit = answer?.hit;
    const texts = {
        By: by,
        Hit: hit ? `${hit.part} of #${hit.character}, ${hit.distance.toFixed(3)} m` : answer ? 'nothing' : 'too late',
        Hash: answer?.hash ?? '',
        Time: `${milliseconds.toFixed(2)} ms a shot`,
    };
    for (const [what, text] of Object.entries(texts)) document.getElementById(who + what).textContent = text;
}

/** Then nothing is drawn. */
let busy = false;

/** Shoots at the crowd from around it, at moments of the last half second, until `count` shots were judged. */
globalThis.fireAtRandom = async (count) => {
    busy = true;
    const end = score.judged + count;
    while (score.judged < end) {
        const shots = Array.from({ length: Math.min(20, end - score.judged) }, () => {
            const tick = Math.max(history.oldest, history.newest - (Math.random() * TICKS_PER_SECOND) / 2);
            const at = Math.floor(Math.random() * CHARACTERS) * 7;
            const [x, z] = [hitTest.placements[at], hitTest.placements[at + 2]];
            const from = [Math.random() * 20 - 10, Math.random() * 3, Math.random() * 20 - 10];
            const to = [x + Math.random() * 0.3, Math.random() * 1.2, z + Math.random() * 0.3];
            return { tick, ray: [...from, ...to.map((c, i) => c - from[i]), RANGE].map(Math.fround) };
        });
        await fire(shots);
    }
    busy = false;
    return { ...score, implementation: rig.implementation };
};
document.getElementById('many').onclick = () => globalThis.fireAtRandom(1000);

// The rest only draws.
const canvas = document.getElementById('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.setClearColor(0xcfe3ea);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
camera.position.set(0, 6, 13);
const controls = new OrbitControls(camera, canvas);
controls.target.set(0, 0.3, 1);
controls.update();

const count = CHARACTERS * hitTest.capsules.count;
const material = new THREE.MeshLambertMaterial();
const tubes = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10, 1, true), material, count);
const balls = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 6), material, count * 2);
const ground = new THREE.Mesh(new THREE.PlaneGeometry(18, 18).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(2, 4, 3);
const scene = new THREE.Scene().add(tubes, balls, ground, sun, new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.5));
for (const mesh of [tubes, balls]) mesh.frustumCulled = false;

const PLAIN = new THREE.Color(0xe08a3c);
const HIT = new THREE.Color(0xd01030);
let marked = null;

const [from, to, axis, middle] = Array.from({ length: 4 }, () => new THREE.Vector3());
const [matrix, place] = [new THREE.Matrix4(), new THREE.Matrix4()];
const [turn, size, up] = [new THREE.Quaternion(), new THREE.Vector3(), new THREE.Vector3(0, 1, 0)];

function draw() {
    requestAnimationFrame(draw);
    if (busy) return;
    if (history.rewind(states, shownTick())) {
        hitTest.pose(states);
        hitTest.eachCapsule((character, capsule, a, b, radius) => {
            place.compose(
                middle.fromArray(hitTest.placements, character * 7),
                turn.fromArray(hitTest.placements, character * 7 + 3),
                size.setScalar(1),
            );
            from.fromArray(a).applyMatrix4(place);
            to.fromArray(b).applyMatrix4(place);
            axis.subVectors(to, from);
            const i = character * hitTest.capsules.count + capsule;
            turn.setFromUnitVectors(up, size.copy(axis).normalize());
            tubes.setMatrixAt(
                i,
                matrix.compose(middle.lerpVectors(from, to, 0.5), turn, size.set(radius, axis.length(), radius)),
            );
            const isHit = marked?.character === character && marked.part === hitTest.parts[capsule];
            tubes.setColorAt(i, isHit ? HIT : PLAIN);
            for (const [k, end] of [from, to].entries()) {
                balls.setMatrixAt(i * 2 + k, matrix.compose(end, turn, size.setScalar(radius)));
                balls.setColorAt(i * 2 + k, isHit ? HIT : PLAIN);
            }
        });
        for (const mesh of [tubes, balls]) {
            mesh.instanceMatrix.needsUpdate = true;
            mesh.instanceColor.needsUpdate = true;
        }
    }
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
}

const caster = new THREE.Raycaster();
let pressed = null;
canvas.onpointerdown = ({ clientX, clientY }) => {
    pressed = [clientX, clientY];
};
canvas.onpointerup = async ({ clientX, clientY }) => {
    // The camera was turned.
    if (clientX !== pressed?.[0] || clientY !== pressed[1]) return;
    const tick = shownTick();
    caster.setFromCamera(new THREE.Vector2((clientX / innerWidth) * 2 - 1, 1 - (clientY / innerHeight) * 2), camera);
    const { origin, direction } = caster.ray;
    const answer = await fire([{ tick, ray: [...origin, ...direction, RANGE].map(Math.fround) }]);
    marked = answer?.hit ?? null;
};

draw();
document.body.dataset.ready = 'yes';
