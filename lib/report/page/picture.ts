// SPDX-License-Identifier: MIT

/** Assembles the picture: model, sides, crowd, lines, thumbnails. */

import type * as THREE from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { ReportData } from '../data';
import type { Bake, Entry } from './bakes';
import { CROWD, createCrowdPose, placeCrowd } from './crowd';
import { byId, count, input, modeInput, reasonOf, say } from './dom';
import { boxOf, boxOfLive, floorOf } from './extents';
import { createLines, createSkeletons } from './lines';
import { loadModel } from './model';
import { rootModeOf } from './root-motion';
import { createBaked, createCrowd, createLive, type Side, spaceOf } from './sides';
import { ABOVE, createStage, FRONT } from './stage';
import type { State } from './state';
import { createThumbnails } from './thumbnails';

export interface Picture {
    /** Draws the state, and one thumbnail. */
    draw(): void;
    /** Draws one thumbnail, if any are left. */
    idle(): void;
    /** Advances the crowd, seconds. */
    advance(elapsed: number): void;
    /** Moves the camera so that everything is visible. */
    reset(): void;
    /** For the keyboard: angles in radians, and a zoom factor. */
    turn(around: number, up: number, nearer: number): void;
}

/**
 * @param changed Called when there is something to draw.
 * @returns Null if there is no picture. A message on the page says so.
 */
export async function createPicture(
    data: ReportData,
    opened: Promise<readonly [readonly Bake[], readonly Entry[]]>,
    state: State,
    changed: () => void,
): Promise<Picture | null> {
    const canvas = byId<HTMLCanvasElement>('canvas');
    let stage: ReturnType<typeof createStage>;
    try {
        stage = createStage(canvas, changed);
    } catch (error) {
        say(`This browser cannot draw the model with WebGL 2: ${reasonOf(error)} Only the numbers are shown.`);
        return null;
    }
    canvas.addEventListener('webglcontextlost', () =>
        say('The browser has discarded the picture. Load the page again.'),
    );
    const { reduced } = data;
    const [gltf, other] = await Promise.all([modelOf(data), reduced ? modelOf(reduced) : null]);
    if (gltf === null || (reduced && other === null)) return null;
    const [bakes, entries] = await opened;
    if (bakes.every(({ isOther }) => isOther)) return null;
    const { view, listen } = state;

    const floor = floorOf(gltf);
    const meshes = prepare(gltf);
    if (other) prepare(other);
    const last = bakes.length - 1;
    // Boxes of bakes are calculated now, while the model is at rest. Those of live models are slower, so they are
    // calculated on demand.
    const boxes = other ? [] : entries.map(({ clips }) => boxOf(gltf, bakes, clips));
    const boxAt = (entry: number): THREE.Box3 => {
        boxes[entry] ??= boxOfLive(gltf, live!, entries[entry]!);
        return boxes[entry];
    };
    const baked = bakes.map((bake, b) =>
        other ? createLive(other, bake, bake.label) : createBaked(gltf, bake, b, stage.maxSize),
    );
    const tables = bakes[last]!.tables;
    const crowd = tables && meshes > 0 ? createCrowd(gltf, tables, CROWD, stage.maxSize) : null;
    const live = bakes.length === 1 ? createLive(gltf, bakes[0]!, other ? 'Before' : 'Live') : null;
    const sides: (Side | null)[] = live ? [live, baked[0]!] : baked;
    const lines = other ? createSkeletons([gltf, other], sides) : await createLines(gltf, bakes, live, baked);
    for (const [i, side] of sides.entries()) if (side) stage.roots[i]!.add(side.group);
    if (crowd) stage.roots[2]!.add(crowd.group);
    const isBroad = canvas.clientWidth > 1.5 * canvas.clientHeight;
    const across = isBroad ? 25 : 12;
    const crowdBox = crowd ? placeCrowd(crowd, boxes, spaceOf(gltf, tables![0]!), across) : null;
    const poseCrowd = crowd ? createCrowdPose(crowd, bakes[last]!, last, entries, across) : null;
    let crowdSeconds = 0;

    const isPair = sides.every((side) => side !== null);
    for (const mode of ['overlay', 'difference']) modeInput(mode).disabled = !isPair;
    modeInput('crowd').disabled = crowd === null;
    if (live && tables && rootModeOf(tables[0]!) === 'in-place') {
        say('The bake is in place, without its root motion: it does not follow the live model.');
    }
    if (meshes === 0) say('The model has no mesh, so its joints are shown, as points and lines.');

    const which = sides[1] ? 1 : 0;
    const thumbnails = createThumbnails(bakes[last]!, last, entries, state, boxAt);
    /** Whether the user has moved the camera. */
    let moved = false;
    const reset = () => {
        moved = false;
        if (view.mode === 'crowd' && crowdBox) stage.fit(crowdBox, floor, ABOVE);
        else stage.fit(boxAt(view.entry), floor, FRONT);
    };
    stage.onUserMove(() => {
        moved = true;
    });
    let mode = view.mode;
    let isDrawn = false;
    const update = () => {
        stage.setMode(view.mode);
        byId('stage').dataset.mode = view.mode;
        const plain = view.mode === 'side' || view.mode === 'overlay';
        input('skeleton').disabled = !plain;
        input('boxes').disabled = !plain;
        input('root').disabled = !plain || !lines.hasPath;
        for (const [i, side] of sides.entries()) {
            byId(`caption-${i}`).textContent = side?.label ?? 'Cannot be drawn';
        }
        if (view.mode === 'crowd') byId('caption-0').textContent = `A crowd of ${CROWD}, played from the bake`;
        const crossed = (view.mode === 'crowd') !== (mode === 'crowd');
        mode = view.mode;
        if (crossed) reset();
    };
    listen((changes) => {
        if (changes.has('mode')) update();
        if (changes.has('entry') && !moved && view.mode !== 'crowd') reset();
        changed();
    });
    new ResizeObserver(() => (moved ? changed() : reset())).observe(canvas);
    update();
    reset();

    function pose(): void {
        const { seconds, nearest } = view;
        const entry = entries[view.entry]!;
        if (view.mode === 'crowd') {
            poseCrowd?.(entry, seconds, crowdSeconds, nearest);
            return;
        }
        for (const [i, side] of sides.entries()) {
            const there = side?.pose(entry, seconds, nearest) ?? false;
            if (side && !there) byId(`caption-${i}`).textContent = `${side.label}: no such clip`;
            else if (side) byId(`caption-${i}`).textContent = side.label;
        }
        showLines(view.mode !== 'difference');
    }

    /** Shows the requested lines, or none. */
    function showLines(shown: boolean): void {
        lines.update(entries[view.entry]!, view.seconds, view.nearest, {
            skeleton: shown && (view.skeleton || meshes === 0),
            boxes: shown && view.boxes,
            root: shown && view.root,
        });
    }

    function drawThumbnail(): boolean {
        const side = sides[which];
        if (!side) return false;
        showLines(false);
        return thumbnails.drawNext(stage, side, which);
    }

    return {
        draw() {
            // Draw the picture before any thumbnail.
            if (isDrawn) drawThumbnail();
            isDrawn = true;
            pose();
            stage.draw();
            const judged = view.mode === 'difference' && !view.playing;
            const differing = judged ? stage.countDiffering() : 0;
            const many = differing === 1 ? '1 pixel differs' : `${count(differing)} pixels differ`;
            const words = differing === 0 ? 'No pixel differs' : many;
            byId('verdict').textContent = judged ? `${words} by more than 2 of 255; differences × 8` : '';
        },
        idle() {
            if (!drawThumbnail()) return;
            pose();
            stage.draw();
        },
        advance(elapsed) {
            if (view.mode === 'crowd') crowdSeconds += elapsed * view.speed;
        },
        reset,
        turn(around, up, nearer) {
            moved = true;
            stage.turn(around, up, nearer);
        },
    };
}

/** Null if it cannot be shown. A message on the page says so. */
function modelOf(data: Pick<ReportData, 'files'>): Promise<GLTF | null> {
    return loadModel(data).catch((error) => {
        say(`The model ${data.files[0]!.uri} cannot be shown: ${reasonOf(error)}`);
        return null;
    });
}

/** Enables shadows. Returns the number of meshes. */
function prepare({ scene }: GLTF): number {
    let meshes = 0;
    scene.traverse((object) => {
        object.castShadow = true;
        object.receiveShadow = true;
        if ('isMesh' in object) meshes++;
    });
    return meshes;
}
