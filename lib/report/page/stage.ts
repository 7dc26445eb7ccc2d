// SPDX-License-Identifier: MIT

/** The picture: one camera, one light, and the objects of both sides. */

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { createComposite } from './composite';
import { createSky } from './sky';

export type Mode = 'side' | 'overlay' | 'difference' | 'crowd';

/** First direction of the camera for a model, which looks along z; and for a crowd. */
export const FRONT = new THREE.Vector3(0.45, 0.28, 1).normalize();
export const ABOVE = new THREE.Vector3(0.12, 0.45, 1).normalize();
const FIELD = 30;
/** Squares of the ground on each side of its center. */
const GRID = 30;

/** @throws Error if the browser has no WebGL 2. */
export function createStage(canvas: HTMLCanvasElement, changed: () => void) {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    renderer.shadowMap.enabled = true;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(FIELD, 1);
    const controls = new OrbitControls(camera, canvas);
    controls.addEventListener('change', changed);
    const composite = createComposite();

    scene.environment = createSky();
    scene.environmentIntensity = 1.3;
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    const shade = new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(), shade);
    ground.rotation.x = -Math.PI / 2;
    ground.receiveShadow = true;
    const grid = createGrid();
    const roots: THREE.Object3D[] = [0, 1, 2].map(() => new THREE.Group());
    scene.add(sun, sun.target, ground, grid, ...roots);

    /** Fits camera, light and ground to a box. */
    function fit(box: THREE.Box3, floor: number, from: THREE.Vector3): void {
        place(camera, box, aspectOf(mode), from);
        box.getCenter(controls.target);
        const radius = box.getSize(new THREE.Vector3()).length() / 2 || 1;
        sun.target.position.copy(controls.target);
        sun.position
            .set(0.8, 2, 1.2)
            .normalize()
            .multiplyScalar(3 * radius)
            .add(controls.target);
        const { camera: shadow } = sun.shadow;
        const edge = 1.6 * radius;
        Object.assign(shadow, { left: -edge, right: edge, bottom: -edge, top: edge, near: 0, far: 8 * radius });
        shadow.updateProjectionMatrix();
        sun.shadow.normalBias = radius / 150;
        ground.position.set(controls.target.x, floor, controls.target.z);
        ground.scale.setScalar(20 * radius);
        // The size of the squares is a power of ten.
        grid.scale.setScalar(10 ** Math.floor(Math.log10(radius / 1.5)));
        grid.position.set(0, floor, 0);
        controls.minDistance = radius / 20;
        controls.maxDistance = 40 * radius;
        camera.near = radius / 50;
        camera.far = 100 * radius;
        camera.updateProjectionMatrix();
        controls.update();
        changed();
    }

    let mode: Mode = 'side';
    const aspectOf = (of: Mode) => canvas.clientWidth / (of === 'side' ? 2 : 1) / Math.max(1, canvas.clientHeight);

    function show(which: number): void {
        for (const [i, root] of roots.entries()) root.visible = i === which;
    }

    function resize(): void {
        const { clientWidth, clientHeight } = canvas;
        const { x, y } = renderer.getSize(new THREE.Vector2());
        if (x !== clientWidth || y !== clientHeight) renderer.setSize(clientWidth, clientHeight, false);
    }

    return {
        maxSize: renderer.capabilities.maxTextureSize,
        /** The groups of the two sides and the crowd. */
        roots,
        fit,
        setMode(next: Mode): void {
            mode = next;
        },
        draw(): void {
            resize();
            const { clientWidth: width, clientHeight: height } = canvas;
            camera.aspect = aspectOf(mode);
            camera.updateProjectionMatrix();
            renderer.setViewport(0, 0, width, height);
            if (mode === 'overlay' || mode === 'difference') {
                for (const i of [0, 1]) {
                    show(i);
                    composite.begin(renderer, i, width, height);
                    renderer.render(scene, camera);
                }
                composite.end(renderer, mode);
            } else if (mode === 'crowd') {
                show(2);
                renderer.render(scene, camera);
            } else {
                renderer.setScissorTest(true);
                for (const i of [0, 1]) {
                    show(i);
                    renderer.setViewport((i * width) / 2, 0, width / 2, height);
                    renderer.setScissor((i * width) / 2, 0, width / 2, height);
                    renderer.render(scene, camera);
                }
                renderer.setScissorTest(false);
            }
        },
        /**
         * Draws a small picture of a side, from the front, into a canvas. The main picture must be drawn again after
         * it.
         */
        snapshot(target: HTMLCanvasElement, side: number, box: THREE.Box3): void {
            const ratio = renderer.getPixelRatio();
            const [width, height] = [target.width / ratio, target.height / ratio];
            const eye = new THREE.PerspectiveCamera(FIELD, width / height);
            place(eye, box, width / height, FRONT);
            show(side);
            grid.visible = false;
            renderer.setViewport(0, 0, width, height);
            renderer.setScissorTest(false);
            renderer.render(scene, eye);
            grid.visible = true;
            const { domElement } = renderer;
            const from = [0, domElement.height - target.height, target.width, target.height] as const;
            const context = target.getContext('2d')!;
            context.clearRect(0, 0, target.width, target.height);
            context.drawImage(domElement, ...from, 0, 0, target.width, target.height);
        },
        /** Number of pixels in the last difference that differ by more than 2 of 255. */
        countDiffering(): number {
            return composite.countDiffering(renderer);
        },
        /** Turns the camera around its target, radians, and zooms by a factor. */
        turn(around: number, up: number, nearer: number): void {
            const offset = new THREE.Spherical().setFromVector3(camera.position.clone().sub(controls.target));
            offset.set(offset.radius * nearer, offset.phi + up, offset.theta + around).makeSafe();
            camera.position.setFromSpherical(offset).add(controls.target);
            controls.update();
            changed();
        },
        onUserMove(listener: () => void): void {
            controls.addEventListener('start', listener);
        },
    };
}

export type Stage = ReturnType<typeof createStage>;

/** A grid of unit squares. In short lines, because some drivers lose long ones that pass the camera. */
function createGrid(): THREE.LineSegments {
    const points: number[] = [];
    for (let i = -GRID; i <= GRID; i++) {
        for (let j = -GRID; j < GRID; j++) points.push(i, 0, j, i, 0, j + 1, j, 0, i, j + 1, 0, i);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    const settings = { color: 0x888888, transparent: true, opacity: 0.22, depthWrite: false };
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(settings));
}

/** Moves a camera to the nearest point from which the whole box is visible. */
function place(camera: THREE.PerspectiveCamera, box: THREE.Box3, aspect: number, from: THREE.Vector3): void {
    const center = box.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3(0, 1, 0).cross(from).normalize();
    const up = from.clone().cross(right);
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD / 2));
    let distance = 0;
    for (let i = 0; i < 8; i++) {
        const corner = new THREE.Vector3(
            (i & 1 ? box.max : box.min).x,
            (i & 2 ? box.max : box.min).y,
            (i & 4 ? box.max : box.min).z,
        ).sub(center);
        const across = Math.max(Math.abs(corner.dot(up)), Math.abs(corner.dot(right)) / aspect);
        distance = Math.max(distance, across / tangent + corner.dot(from));
    }
    camera.position
        .copy(from)
        .multiplyScalar(1.08 * distance || 1)
        .add(center);
    camera.near = distance / 100 || 0.01;
    camera.far = distance * 10 || 10;
    camera.lookAt(center);
    camera.updateProjectionMatrix();
}
