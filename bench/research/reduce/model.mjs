// SPDX-License-Identifier: MIT

/**
 * What reducing needs of a file: its hierarchy, the points that each node must keep in place, and its clips, each on one grid of
 * times. Doubles throughout. Reading and the final judgement are lib/verify's.
 */

import { DoubleEvaluator } from '../../../dist/verify/evaluator.js';
import { movedNodes, verticesOf } from '../../../dist/verify/vertices.js';

/** Directions for support points: to points of a grid on a cube's surface, 26 or 386. */
const directions = (reach) => {
    const all = [];
    for (let x = -reach; x <= reach; x++)
        for (let y = -reach; y <= reach; y++)
            for (let z = -reach; z <= reach; z++)
                if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === reach) all.push([x, y, z]);
    return all;
};
const FEW = directions(1);
const MANY = directions(4);

/** Of many points the distinct ones that lie farthest in some direction, and all there are where they are few. */
export function supportPoints(points, directions = FEW) {
    if (points.length / 3 <= 8) return Float64Array.from(points);
    const chosen = new Set();
    for (const [x, y, z] of directions) {
        let best = -Infinity;
        let which = 0;
        for (let p = 0; p < points.length; p += 3) {
            const along = points[p] * x + points[p + 1] * y + points[p + 2] * z;
            if (along > best) {
                best = along;
                which = p;
            }
        }
        chosen.add(which);
    }
    return Float64Array.from([...chosen].flatMap((p) => [points[p], points[p + 1], points[p + 2]]));
}

export async function loadModel(path) {
    const evaluator = await DoubleEvaluator.load(path);
    const { file, parents, nodes } = evaluator;
    const cloud = nodes.map(() => []);
    const judgedNodes = new Set();
    const skinned = [];
    for (let skin = 0; skin < evaluator.skinCount; skin++) {
        const joints = evaluator.joints(skin);
        const binds = evaluator.inverseBindsOf(skin);
        const columns = { skins: [skin], nodes: joints, joints: joints.length, binds };
        for (const joint of joints) judgedNodes.add(joint);
        for (const vertices of verticesOf(file, columns)) {
            skinned.push({ skin, vertices });
            const { count, positions, influences, joints: of, weights } = vertices;
            for (let at = 0; at < count * influences; at++) {
                if (weights[at] === 0) continue;
                const v = Math.floor(at / influences) * 3;
                const m = of[at] * 16;
                const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
                for (let r = 0; r < 3; r++)
                    cloud[joints[of[at]]].push(
                        binds[m + r] * x + binds[m + 4 + r] * y + binds[m + 8 + r] * z + binds[m + 12 + r],
                    );
            }
        }
    }
    const moved = movedNodes(file.json);
    const rigid = [];
    for (const [node, { mesh, skin }] of nodes.entries()) {
        if (mesh === undefined || skin !== undefined || moved[node] === 0) continue;
        judgedNodes.add(node);
        for (const { attributes } of file.json.meshes[mesh].primitives) {
            const positions = file.numbers.get(attributes.POSITION);
            rigid.push({ node, positions });
            for (const x of positions) cloud[node].push(x);
        }
    }
    const order = evaluator.withAncestors(judgedNodes);
    // The origins of joints, and of what is above them, are kept in place, too.
    const points = nodes.map((_, node) =>
        order.includes(node) ? Float64Array.from([...supportPoints(cloud[node], MANY), 0, 0, 0]) : null,
    );
    const model = { path, evaluator, parents, order, points, skinned, rigid };
    model.children = nodes.map(() => []);
    for (const node of order) if (parents[node] >= 0) model.children[parents[node]].push(node);
    model.subtree = nodes.map(() => []);
    for (const node of order) for (let up = node; up >= 0; up = parents[up]) model.subtree[up].push(node);
    model.extent = extentOf(model);
    model.clips = Array.from({ length: evaluator.animationCount }, (_, index) => readClip(model, index));
    return model;
}

/** The diagonal of the box of all vertices in the rest pose (of the joints where there is none). */
function extentOf(model) {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const globals = model.evaluator.globals(null, 0);
    const add = (p) => {
        for (let c = 0; c < 3; c++) {
            box[c] = Math.min(box[c], p[c]);
            box[c + 3] = Math.max(box[c + 3], p[c]);
        }
    };
    const placed = [];
    placeVertices(model, model.evaluator, null, 0, (out) => placed.push(out));
    // The last list is that of the origins.
    for (const out of placed.slice(0, -1)) for (let p = 0; p < out.length; p += 3) add(out.subarray(p, p + 3));
    if (box[0] === Infinity) for (const node of model.order) add(globals.subarray(node * 16 + 12, node * 16 + 15));
    return Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

/** Calls `use` with the positions of the vertices of each skinned primitive and each rigid mesh: every vertex, by lib/verify's matrices. */
export function placeVertices(model, evaluator, animation, time, use) {
    const globals = evaluator.globals(animation, time, model.order);
    const palettes = new Map();
    for (const { skin, vertices } of model.skinned) {
        if (!palettes.has(skin)) palettes.set(skin, paletteOf(evaluator, skin, globals));
        const palette = palettes.get(skin);
        const { count, positions, influences, joints, weights } = vertices;
        const out = new Float64Array(count * 3);
        for (let v = 0; v < count; v++) {
            const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
            let sum = 0;
            for (let i = v * influences; i < (v + 1) * influences; i++) {
                const w = weights[i];
                if (w === 0) continue;
                const m = joints[i] * 16;
                sum += w;
                for (let r = 0; r < 3; r++)
                    out[v * 3 + r] +=
                        w *
                        (palette[m + r] * x + palette[m + 4 + r] * y + palette[m + 8 + r] * z + palette[m + 12 + r]);
            }
            for (let r = 0; r < 3; r++) out[v * 3 + r] /= sum;
        }
        use(out);
    }
    for (const { node, positions } of model.rigid) {
        const m = node * 16;
        const out = new Float64Array(positions.length);
        for (let p = 0; p < positions.length; p += 3)
            for (let r = 0; r < 3; r++)
                out[p + r] =
                    globals[m + r] * positions[p] +
                    globals[m + 4 + r] * positions[p + 1] +
                    globals[m + 8 + r] * positions[p + 2] +
                    globals[m + 12 + r];
        use(out);
    }
    const origins = new Float64Array(model.order.length * 3);
    for (const [i, node] of model.order.entries()) origins.set(globals.subarray(node * 16 + 12, node * 16 + 15), i * 3);
    use(origins);
}

function paletteOf(evaluator, skin, globals) {
    const binds = evaluator.inverseBindsOf(skin);
    const out = new Float64Array(binds.length);
    for (const [slot, node] of evaluator.joints(skin).entries())
        for (let c = 0; c < 4; c++)
            for (let r = 0; r < 4; r++) {
                let sum = 0;
                for (let k = 0; k < 4; k++) sum += globals[node * 16 + k * 4 + r] * binds[slot * 16 + c * 4 + k];
                out[slot * 16 + c * 4 + r] = sum;
            }
    return out;
}

/**
 * The independent judgement: the greatest displacement of any vertex and any node's origin between two evaluators of lib/verify, at all
 * keys of the source and at `between` times inside each interval. Reduced keys lie on keys of the source.
 */
export function judge(model, reduced, clip, between = 3) {
    let worst = 0;
    const { times } = clip;
    const look = (time) => {
        const sources = [];
        placeVertices(model, model.evaluator, clip.index, time, (out) => sources.push(out));
        let i = 0;
        placeVertices(model, reduced, clip.index, time, (out) => {
            const source = sources[i++];
            for (let p = 0; p < out.length; p += 3) {
                const [x, y, z] = [out[p] - source[p], out[p + 1] - source[p + 1], out[p + 2] - source[p + 2]];
                const squared = x * x + y * y + z * z;
                if (!(squared <= worst)) worst = squared >= 0 ? squared : Infinity;
            }
        });
    };
    for (let k = 0; k < times.length; k++) {
        look(times[k]);
        if (k + 1 < times.length)
            for (let b = 1; b <= between; b++) look(times[k] + ((times[k + 1] - times[k]) * b) / (between + 1));
    }
    return Math.sqrt(worst);
}

const PLACE = { translation: 0, rotation: 3, scale: 7 };

/** Key times; of a spline also 7 between two keys, on which LINEAR knots may lie. Here all are rounded to float32. */
function gridOf({ times, interpolation }) {
    const all = [...times];
    if (interpolation === 'CUBICSPLINE')
        for (let k = 0; k + 1 < times.length; k++)
            for (let b = 1; b < 8; b++) all.push(Math.fround(times[k] + ((times[k + 1] - times[k]) * b) / 8));
    return all;
}

/** The clip's channels that place nodes; its grid is the union of their key times. Weights are kept apart, as they are. */
function readClip(model, index) {
    const channels = model.evaluator.channelsOf(index);
    const used = channels.filter(({ path, node }) => path !== 'weights' && model.order.includes(node));
    const times = Float64Array.from([...new Set(used.flatMap(({ sampler }) => gridOf(sampler)))].sort((a, b) => a - b));
    const tracks = used.map(({ node, path, sampler }) => ({
        node,
        path,
        sampler,
        place: PLACE[path],
        width: sampler.width,
    }));
    const weights = channels.filter(({ path }) => path === 'weights').map(({ sampler }) => sampler);
    return { index, name: String(model.evaluator.file.json.animations[index].name ?? index), times, tracks, weights };
}
