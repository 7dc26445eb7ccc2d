// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { checkRig, livePalettes, type RigLike, restPalettes } from '../table/live';
import { columnBoxes, emptyBoxes, growBox, type MovedVertices } from '../table/reach';
import { checkMeshes } from './arguments';
import { instancesOf } from './instances';
import { type Part, partsOf } from './model';
import { createLiveRows } from './rows';
import type { BabylonLike, LiveCrowd, LiveCrowdOptions } from './types';

const ROUTINE = 'createLiveCrowd';

/**
 * Draws many thin instances of a whole model in the poses of a Rig: for clips that are blended, aimed or planted by
 * inverse kinematics in each frame. The Rig evaluates all of them in a few calls. Meshes that nothing moves are
 * unchanged and do not become thin instances. Shadows, picking and layers work as for live meshes.
 *
 * @param babylon The module: `import * as BABYLON from '@babylonjs/core'`, or an object with the classes in {@link
 * BabylonLike}. Needs `@babylonjs/core/Meshes/thinInstanceMesh`.
 * @param rig A Rig of the model's file, by `Rig.load`, also with `meshes: false`.
 * @param meshes All meshes of the imported file, at rest. They are changed permanently; their animation groups are
 * stopped.
 * @param count Number of instances. All start at the file's own position, in the rest pose.
 * @param options `maxSize`: `engine.getCaps().maxTextureSize`; default 8192. `root`: parent of the meshes.
 * @returns The meshes, with methods that pose and place them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the rig is not of this model (the message
 * names the difference); `ERR_AMBIGUOUS_NAME`: meshes have the same name; `ERR_COUNT_RANGE`: there are no meshes, or
 * `count` is not a whole number above 0, or larger than textures can be.
 * @example
 * const { meshes } = await BABYLON.ImportMeshAsync('hero.glb', babylonScene);
 * const crowd = createLiveCrowd(BABYLON, rig, meshes, 200);
 * const poses = rig.createPoses(200);
 * // in each frame:
 * rig.evaluate(poses, rig.clipNamed('Walk'), times);
 * rig.toGlobal(poses);
 * crowd.update(poses);
 */
export function createLiveCrowd(
    babylon: BabylonLike,
    rig: RigLike,
    meshes: readonly BABYLON.AbstractMesh[],
    count: number,
    options?: LiveCrowdOptions,
): LiveCrowd {
    checkRig(ROUTINE, rig);
    const { maxSize, root } = checkMeshes(ROUTINE, meshes, count, 'count', options);
    const found = partsOf(restPalettes(rig, 'mat4'), meshes, 'rig');
    const { tables, columnOf, update } = livePalettes(rig, found.parts, count, 'mat4', maxSize);
    const parts = found.parts.map((part) => ({ ...part, column: columnOf(part) }));
    const scene = meshes[0]!.getScene();
    const rows = tables.map((table) => createLiveRows(babylon, table, scene, maxSize));

    const boxes = columnBoxes(tables, movedVertices(parts));
    const matrices = new Float32Array(count * 16);
    // Around all instances: in the model's own place, and at their places.
    const [own, placed, box] = [emptyBoxes(1), emptyBoxes(1), emptyBoxes(1)];
    const corners = [own, placed].map(() => [new babylon.Vector3(), new babylon.Vector3()] as const);

    function measure(): void {
        own.set(EMPTY);
        placed.set(EMPTY);
        for (let i = 0; i < count; i++) {
            box.set(EMPTY);
            for (let t = 0; t < tables.length; t++) {
                const { data, rowFloats } = tables[t]!.arrays.palette!;
                growBox(box, boxes[t]!, data, i * rowFloats, 'mat4');
            }
            growBox(own, box, IDENTITY, 0, 'mat4');
            growBox(placed, box, matrices, i * 16, 'mat4');
        }
        for (const [i, { 0: min, 1: max }] of corners.entries()) {
            const from = i === 0 ? own : placed;
            min.set(from[0]!, from[1]!, from[2]!);
            max.set(from[3]!, from[4]!, from[5]!);
        }
    }
    const [[min, max], [placedMin, placedMax]] = corners as [Corners, Corners];
    const bound = (mesh: BABYLON.Mesh) => {
        if (mesh.rawBoundingInfo === null) {
            mesh.rawBoundingInfo = mesh.buildBoundingInfo(min, max);
            mesh.buildBoundingInfo(placedMin, placedMax);
        }
        mesh.rawBoundingInfo.reConstruct(min, max);
        mesh.getBoundingInfo().reConstruct(placedMin, placedMax, mesh.getWorldMatrix());
    };
    for (let i = 0; i < count; i++) matrices.set(IDENTITY, i * 16);
    measure();
    const instances = instancesOf(babylon, { ...found, parts }, rows, matrices, root, bound);
    for (const { shown } of instances.tracks) for (let i = 0; i < count; i++) shown[i] = i;
    return {
        meshes: instances.own,
        managers: instances.tracks.map(({ manager }) => manager),
        textures: rows.map(({ texture }) => texture),
        update(poses) {
            update(poses);
            for (const one of rows) one.upload();
            for (let t = 0; t < tables.length; t++) {
                const { morph } = tables[t]!.arrays;
                if (count === 1 && morph !== undefined) instances.setWeights(t, morph.data);
            }
            measure();
            for (const mesh of instances.own) bound(mesh);
        },
        place(given) {
            instances.place(given);
            measure();
            for (const mesh of instances.own) bound(mesh);
        },
        dispose: instances.dispose,
    };
}

type Corners = readonly [BABYLON.Vector3, BABYLON.Vector3];

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const EMPTY = emptyBoxes(1);

/** The vertices that columns of tables move, and how. */
function* movedVertices(parts: readonly Part[]): Generator<MovedVertices> {
    for (const { mesh, table, column } of parts) {
        const numbers = (kind: string) => mesh.getVerticesData(kind)!;
        const { morphTargetManager: morphs } = mesh;
        const targets = Array.from(
            { length: morphs?.numTargets ?? 0 },
            (_, i) => morphs!.getTarget(i).getPositions() ?? numbers('position'),
        );
        const positions = numbers('position');
        if (column >= 0) {
            yield { table, by: column, positions, targets };
            continue;
        }
        // Joints 5 to 8 have lists of their own.
        for (const end of mesh.isVerticesDataPresent('matricesIndicesExtra') ? ['', 'Extra'] : ['']) {
            const joints = Uint16Array.from(numbers(`matricesIndices${end}`));
            const weights = Float32Array.from(numbers(`matricesWeights${end}`));
            yield { table, by: { joints, weights }, positions, targets };
        }
    }
}
