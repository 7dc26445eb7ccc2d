// SPDX-License-Identifier: MIT
//
// Makes examples/character.glb: a small fox with a scarf, rigged, skinned and animated.
//
//   node examples/make-character.mjs [output.glb]
//
// How it works, in the order of this file:
//
//   1. JOINTS   a table of joints, in a comfortable space: centimetres, Y up, facing +Z.
//   2. FLESH    a table of rounded shapes, each named after the joint that carries it.
//   3. mesher   the shapes are melted into one distance field per part and polygonised.
//   4. paint    closed "stamps" cut the surface into flat-coloured regions with clean borders.
//   5. skin     the same shapes give the weights: a vertex follows the joints whose flesh is near.
//   6. CLIPS    Idle, Walk and Wave, as tables of tracks; legs are placed by two-bone IK.
//   7. write    glTF, laid out the way Blender and Mixamo exports are: an `Armature` node that
//               is rotated and scaled by 0.01, joints in centimetres with Z up, skin.joints in
//               no helpful order.
//
// The bytes are the same on every machine. Steps 1 to 5 use only + - * / and Math.sqrt, which
// IEEE 754 fixes to the last bit; step 6 needs sines, which it does not, so whatever comes out of
// them is rounded to a coarse grid (see `grid` and `unitQuaternion`) before it is stored.

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Document, NodeIO } from '@gltf-transform/core';

// ---------------------------------------------------------------------------------------------
// Numbers, vectors, quaternions
// ---------------------------------------------------------------------------------------------

const DEG = Math.PI / 180;
/** Rounds to 1/65536; adding 0 turns -0 into 0, whose bytes differ. */
const grid = (x) => Math.round(x * 65536) / 65536 + 0;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const mix = (a, b, t) => a + (b - a) * t;
const smoothstep = (low, high, x) => {
    const t = clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
};

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.sqrt(dot(a, a));
const normalize = (a) => scale(a, 1 / length(a));
const lerp = (a, b, t) => add(scale(a, 1 - t), scale(b, t));

const qmul = (a, b) => [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];
const qinv = (q) => [-q[0], -q[1], -q[2], q[3]];
const qaxis = (axis, degrees) => {
    const half = degrees * DEG * 0.5;
    return [...scale(axis, Math.sin(half)), Math.cos(half)];
};
const qrotate = (q, v) => {
    const t = scale(cross(q, v), 2);
    return add(add(v, scale(t, q[3])), cross(q, t));
};
const PITCH = [1, 0, 0]; // + leans an upright thing forward, and swings a hanging one back
const YAW = [0, 1, 0]; // + turns to the character's left
const ROLL = [0, 0, 1]; // + tips to the character's right

/** The rotation whose columns are the given orthonormal axes; here the trace is always usable. */
function qbasis(x, y, z) {
    const [m00, m11, m22] = [x[0], y[1], z[2]];
    if (m00 + m11 + m22 > 0) {
        const s = 2 * Math.sqrt(1 + m00 + m11 + m22);
        return [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4];
    }
    if (m00 >= m11 && m00 >= m22) {
        const s = 2 * Math.sqrt(1 + m00 - m11 - m22);
        return [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
    }
    if (m11 >= m22) {
        const s = 2 * Math.sqrt(1 + m11 - m00 - m22);
        return [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
    }
    const s = 2 * Math.sqrt(1 + m22 - m00 - m11);
    return [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s];
}

/**
 * Rounds a quaternion and keeps it of unit length: the three smaller components go to the grid and
 * the largest is worked out from them with an exactly rounded square root.
 */
function unitQuaternion(q) {
    let big = 0;
    for (let i = 1; i < 4; i++) if (Math.abs(q[i]) > Math.abs(q[big]) + 1e-6) big = i;
    const out = q.map(grid);
    let rest = 1;
    for (let i = 0; i < 4; i++) if (i !== big) rest -= out[i] * out[i];
    out[big] = Math.sqrt(rest) * (q[big] < 0 ? -1 : 1);
    return out;
}

// ---------------------------------------------------------------------------------------------
// 1. Joints
// ---------------------------------------------------------------------------------------------

// Name, parent, position, and where the bone ends when that is not its first child.
// A row whose name ends in _L also makes the mirrored _R.
const JOINTS = table([
    ['Hips', null, [0, 37, -1]],
    ['Spine', 'Hips', [0, 43, -1]],
    ['Chest', 'Spine', [0, 52, -1]],
    ['Neck', 'Chest', [0, 61, -1.5]],
    ['Head', 'Neck', [0, 65.5, -1], [0, 84, -1]],
    ['Belly', 'Spine', [0, 43, 5], [0, 49, 5]],
    ['Scarf1', 'Neck', [6.4, 58.5, 8.8]],
    ['Scarf2', 'Scarf1', [8.6, 50.5, 11.2], [10, 42.5, 11.6]],
    ['Eye_L', 'Head', [8.6, 79.5, 15.4], [8.6, 84, 15.4]],
    ['Ear_L', 'Head', [11.5, 92, -2]],
    ['EarTip_L', 'Ear_L', [15, 104, -2.8], [19.2, 117.5, -3]],
    ['Shoulder_L', 'Chest', [3, 58.2, -1]],
    ['UpperArm_L', 'Shoulder_L', [9.6, 57.2, -1]],
    ['ForeArm_L', 'UpperArm_L', [19.4, 48.2, -1.5]],
    ['Hand_L', 'ForeArm_L', [28.6, 40, -0.6], [35, 34.3, 0]],
    ['Thigh_L', 'Hips', [6.8, 34.5, -0.4]],
    ['Shin_L', 'Thigh_L', [7.4, 19.8, 1]],
    ['Foot_L', 'Shin_L', [7.6, 6, -1]],
    ['Toe_L', 'Foot_L', [8.4, 2.9, 7.2], [8.8, 2.7, 13]],
    ['Tail1', 'Hips', [0, 36, -10]],
    ['Tail2', 'Tail1', [0, 34, -19]],
    ['Tail3', 'Tail2', [0, 38.5, -29.5]],
    ['Tail4', 'Tail3', [0, 49.5, -37], [0, 68, -39]],
]);

function table(rows) {
    const joints = new Map();
    const put = (name, parent, head, tail) => joints.set(name, { name, parent, head, tail });
    const flip = (v) => v && [-v[0], v[1], v[2]];
    const other = (name) => name?.replace(/_L$/, '_R');
    for (const [name, parent, head, tail] of rows) put(name, parent, head, tail);
    for (const [name, parent, head, tail] of rows)
        if (name.endsWith('_L')) put(other(name), other(parent), flip(head), flip(tail));
    for (const joint of joints.values()) {
        joint.tail ??= [...joints.values()].find((child) => child.parent === joint.name).head;
        // Local Y runs along the bone, as Blender has it; local X stays as near to the side as it can.
        const y = normalize(sub(joint.tail, joint.head));
        const x = normalize(sub([1, 0, 0], scale(y, y[0])));
        joint.world = qbasis(x, y, cross(x, y));
    }
    return joints;
}

const head = (name) => JOINTS.get(name).head;
const tail = (name) => JOINTS.get(name).tail;

// ---------------------------------------------------------------------------------------------
// 2. Flesh: signed distance to rounded shapes, negative inside
// ---------------------------------------------------------------------------------------------

/** A ball stretched along X, Y and Z. Not an exact distance, but right in sign and smooth. */
function ellipsoid(centre, radii) {
    return (p) => {
        const q = sub(p, centre);
        const a = [q[0] / radii[0], q[1] / radii[1], q[2] / radii[2]];
        const b = [a[0] / radii[0], a[1] / radii[1], a[2] / radii[2]];
        const outer = length(a);
        return outer < 1e-9 ? -Math.min(...radii) : (outer * (outer - 1)) / length(b);
    };
}

/** A limb segment: two balls of different size and the cone that hugs both. */
function taper(from, to, r1, r2) {
    const axis = sub(to, from);
    const len = length(axis);
    const dir = scale(axis, 1 / len);
    const slope = (r1 - r2) / len;
    const cosine = Math.sqrt(Math.max(0, 1 - slope * slope));
    return (p) => {
        const q = sub(p, from);
        const along = dot(q, dir);
        const across = Math.sqrt(Math.max(0, dot(q, q) - along * along));
        const t = along - (across * slope) / cosine; // where the surface normal through p starts
        if (t <= 0) return length(q) - r1;
        if (t >= len) return length(sub(p, to)) - r2;
        return across * cosine + along * slope - r1;
    };
}

/** Presses a shape flat along Z about the plane z = z0. */
const flatten = (shape, z0, factor) => (p) => shape([p[0], p[1], z0 + (p[2] - z0) * factor]);
/** A swept tube through points, each [position, radius]. */
const tube = (stations) => union(stations.slice(1).map(([to, r2], i) => taper(stations[i][0], to, stations[i][1], r2)));
const halfSpace = (point, normal) => {
    const n = normalize(normal);
    return (p) => dot(sub(p, point), n);
};
const union = (shapes) => (p) => Math.min(...shapes.map((shape) => shape(p)));
const intersect =
    (...shapes) =>
    (p) =>
        Math.max(...shapes.map((shape) => shape(p)));
const mirrorX = (shape) => (p) => shape([-p[0], p[1], p[2]]);
const bothSides = (shape) => union([shape, mirrorX(shape)]);

/** Union of two distances with a fillet about k wide. */
function melt(a, b, k) {
    const h = Math.max(k - Math.abs(a - b), 0) / k;
    return Math.min(a, b) - (h * h * k) / 4;
}

/** A row of flesh: the joint it belongs to, its shape, and how far it melts into what is above. */
const flesh = (joint, shape, k = 3) => ({ joint, shape, k });

/** Rows made for the left side, and their mirror images for the right. */
function mirrored(rows) {
    const right = rows.map((row) => ({
        ...row,
        joint: row.joint.replace(/_L$/, '_R'),
        shape: mirrorX(row.shape),
    }));
    return [...rows, ...right];
}

const bone = (name, r1, r2) => taper(head(name), tail(name), r1, r2);

// Soles are flat; melting two shapes together adds about half a centimetre, allowed for here.
const GROUND = halfSpace([0, 0.5, 0], [0, -1, 0]);
const EAR_TIP = tail('EarTip_L');
const BODY = [
    flesh('Hips', ellipsoid([0, 39.2, -0.5], [12.6, 9.4, 11.2])),
    flesh('Spine', ellipsoid([0, 45.5, -0.5], [11.4, 9, 10.2]), 6),
    flesh('Belly', ellipsoid([0, 43, 5], [8.4, 8.6, 7.6]), 5),
    flesh('Chest', ellipsoid([0, 54.5, -1], [9.8, 8.6, 8.6]), 6),
    flesh('Neck', taper([0, 59, -1.5], [0, 67, -1], 7, 7.5), 4),
    flesh('Head', ellipsoid([0, 80, 0], [21, 17, 17]), 2),
    flesh('Head', taper([0, 74.5, 12], [0, 72.2, 24.5], 8.2, 3.9), 6),
    ...mirrored([
        flesh('Head', taper([12, 75, 3], [23.2, 70.2, 3], 8, 1.3), 4),
        flesh('Head', taper([12, 73, 4], [19, 65.2, 4], 6, 1.3), 3),
        flesh('Ear_L', flatten(taper([10.2, 88, -2], head('EarTip_L'), 9.4, 5.4), -2.4, 1.45), 3),
        flesh('EarTip_L', flatten(taper(head('EarTip_L'), EAR_TIP, 5.4, 1.9), -2.8, 1.25), 2),
        flesh('Shoulder_L', bone('Shoulder_L', 5, 4.8), 3),
        flesh('UpperArm_L', bone('UpperArm_L', 4.7, 3.9), 3),
        flesh('ForeArm_L', bone('ForeArm_L', 3.9, 3.9), 2),
        flesh(
            'Hand_L',
            taper(lerp(head('Hand_L'), tail('Hand_L'), 0.2), lerp(head('Hand_L'), tail('Hand_L'), 0.75), 4.5, 4.9),
            2,
        ),
        flesh('Hand_L', taper([30, 38.8, 2], [32, 38.6, 6.4], 2.2, 1.9), 1.5),
        flesh('Thigh_L', bone('Thigh_L', 7.6, 5.4), 4),
        flesh('Shin_L', bone('Shin_L', 5.3, 4.6), 2),
        flesh('Foot_L', intersect(ellipsoid([8, 3.6, 3], [5.8, 5, 8.2]), GROUND), 3),
        flesh('Toe_L', intersect(ellipsoid([8.6, 2.8, 8.6], [5.7, 4, 5.6]), GROUND), 2),
    ]),
    flesh('Tail1', bone('Tail1', 4, 5), 5),
    flesh('Tail2', bone('Tail2', 5, 8.2), 3),
    flesh('Tail3', bone('Tail3', 8.2, 9.6), 3),
    flesh('Tail4', taper(head('Tail4'), tail('Tail4'), 9.6, 1.6), 3),
];

/** The field of a list of flesh rows, melted together in order. */
function melted(rows) {
    return (p) => {
        let d = rows[0].shape(p);
        for (let i = 1; i < rows.length; i++) d = melt(d, rows[i].shape(p), rows[i].k);
        return d;
    };
}
const bodyField = melted(BODY);

/** Walks from a point along a direction until it meets the surface. */
function touch(field, from, dir) {
    let p = from;
    const n = normalize(dir);
    for (let i = 0; i < 200; i++) p = add(p, scale(n, field(p) * 0.5));
    return p;
}
/** The very end of a pointed shape that runs from one point to another. */
const apex = (from, to) => touch(bodyField, add(to, scale(normalize(sub(to, from)), 6)), sub(from, to));
const onFace = (x, y) => touch(bodyField, [x, y, 60], [0, 0, -1]);

/** A torus about a leaning axis, its tube taller than it is thick. */
function ring(centre, up, radius, thick, tall) {
    const n = normalize(up);
    return (p) => {
        const q = sub(p, centre);
        const along = dot(q, n);
        const out = Math.sqrt(Math.max(0, dot(q, q) - along * along)) - radius;
        const a = [out / thick, along / tall];
        const r = Math.sqrt(a[0] * a[0] + a[1] * a[1]);
        return (r - 1) * Math.min(thick, tall);
    };
}

const SCARF = [
    flesh('Neck', ring([0, 61.4, -0.6], [0, 1, 0.18], 9.2, 3.4, 4)),
    flesh('Neck', ellipsoid([5.8, 59.2, 8.8], [4, 3.8, 3.2]), 1.5),
    flesh('Scarf1', flatten(bone('Scarf1', 3.2, 4.6), 10.2, 2), 1.5),
    flesh('Scarf2', flatten(bone('Scarf2', 4.6, 5.4), 11.4, 2.2), 2),
];

const eyeAt = head('Eye_L');
const EYES = mirrored([flesh('Eye_L', ellipsoid(eyeAt, [3.2, 4.6, 2.2]))]);
const SPARKLES = mirrored([flesh('Eye_L', ellipsoid(add(eyeAt, [-0.6, 1.7, 1.5]), [1.2, 1.4, 0.9]))]);
const NOSE = [flesh('Head', ellipsoid([0, 74, 27.6], [3, 2.3, 2.2]))];
const SMILE_X = [-5, -3.6, -1.8, 0, 1.8, 3.6, 5];
const SMILE = [flesh('Head', tube(SMILE_X.map((x) => [onFace(x, 68.4 + 0.08 * x * x), 0.5])))];

// ---------------------------------------------------------------------------------------------
// 3. Mesher: surface nets, then the vertices slide onto the true surface
// ---------------------------------------------------------------------------------------------

function gradient(field, p, h = 0.02) {
    return [0, 1, 2].map((axis) => {
        const [lo, hi] = [[...p], [...p]];
        lo[axis] -= h;
        hi[axis] += h;
        return (field(hi) - field(lo)) / (2 * h);
    });
}

/** One Newton step towards field = 0, kept short so that thin tips cannot throw a vertex away. */
function project(field, p) {
    const g = gradient(field, p);
    const step = field(p) / Math.max(dot(g, g), 0.05);
    return sub(p, scale(g, clamp(step, -1, 1)));
}

/** Polygonises field = 0 inside the box low..high; `pins` are points that must become vertices. */
function polygonise(field, low, high, cell, pins) {
    // Grid points are whole multiples of the cell, so left and right come out alike.
    const first = low.map((v) => Math.floor(v / cell) - 1);
    const counts = high.map((v, i) => Math.ceil(v / cell) + 2 - first[i]);
    const [nx, ny, nz] = counts;
    const at = (i, j, k) => [(first[0] + i) * cell, (first[1] + j) * cell, (first[2] + k) * cell];
    const index = (i, j, k) => (k * ny + j) * nx + i;
    const values = new Float64Array(nx * ny * nz);
    for (let k = 0; k < nz; k++)
        for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) values[index(i, j, k)] = field(at(i, j, k));

    const corners = [];
    for (let c = 0; c < 8; c++) corners.push([c & 1, (c >> 1) & 1, c >> 2]);
    const edges = [];
    for (let a = 0; a < 8; a++) for (const bit of [1, 2, 4]) if (!(a & bit)) edges.push([a, a | bit]);

    // One vertex in each cell the surface passes through: the mean of its edge crossings.
    const points = [];
    const cellVertex = new Map();
    for (let k = 0; k < nz - 1; k++)
        for (let j = 0; j < ny - 1; j++)
            for (let i = 0; i < nx - 1; i++) {
                let sum = [0, 0, 0];
                let hits = 0;
                for (const [a, b] of edges) {
                    const [ca, cb] = [corners[a], corners[b]];
                    const va = values[index(i + ca[0], j + ca[1], k + ca[2])];
                    const vb = values[index(i + cb[0], j + cb[1], k + cb[2])];
                    if (va < 0 === vb < 0) continue;
                    const pa = at(i + ca[0], j + ca[1], k + ca[2]);
                    const pb = at(i + cb[0], j + cb[1], k + cb[2]);
                    sum = add(sum, lerp(pa, pb, va / (va - vb)));
                    hits++;
                }
                if (hits === 0) continue;
                cellVertex.set(index(i, j, k), points.length);
                points.push(scale(sum, 1 / hits));
            }

    // One quad around each grid edge that the surface crosses.
    const quads = [];
    const around = [
        [
            [0, 0, 0],
            [0, -1, 0],
            [0, -1, -1],
            [0, 0, -1],
        ],
        [
            [0, 0, 0],
            [0, 0, -1],
            [-1, 0, -1],
            [-1, 0, 0],
        ],
        [
            [0, 0, 0],
            [-1, 0, 0],
            [-1, -1, 0],
            [0, -1, 0],
        ],
    ];
    for (let k = 1; k < nz - 1; k++)
        for (let j = 1; j < ny - 1; j++)
            for (let i = 1; i < nx - 1; i++)
                for (let axis = 0; axis < 3; axis++) {
                    const va = values[index(i, j, k)];
                    const vb = values[index(i + (axis === 0), j + (axis === 1), k + (axis === 2))];
                    if (va < 0 === vb < 0) continue;
                    const quad = around[axis].map(([a, b, c]) => cellVertex.get(index(i + a, j + b, k + c)));
                    quads.push(va < 0 ? quad : quad.reverse());
                }

    relax(field, points, quads, pins);
    return { points, triangles: quads.flatMap((quad) => splitQuad(field, points, quad)) };
}

/**
 * Evens the vertices out along the surface, putting them back onto it after every round. Those
 * nearest to the pins go there and stay, so that a tip keeps its tip.
 */
function relax(field, points, quads, pins, rounds = 10) {
    const pinned = new Map(pins.map((pin) => [nearestTo(points, pin), pin]));
    const neighbours = points.map(() => new Set());
    for (const quad of quads)
        quad.forEach((v, i) => {
            neighbours[v].add(quad[(i + 1) % 4]).add(quad[(i + 3) % 4]);
        });
    for (let round = 0; round < rounds; round++) {
        const means = points.map((p, v) => {
            let sum = [0, 0, 0];
            for (const n of neighbours[v]) sum = add(sum, points[n]);
            return lerp(p, scale(sum, 1 / neighbours[v].size), 0.5);
        });
        means.forEach((p, v) => {
            points[v] = pinned.get(v) ?? project(field, project(field, p));
        });
    }
}

function nearestTo(points, target) {
    let best = 0;
    const distance = (v) => length(sub(points[v], target));
    for (let v = 1; v < points.length; v++) if (distance(v) < distance(best)) best = v;
    return best;
}

/** Cuts a quad along the diagonal that stays nearer to the surface; if they tie, the shorter. */
function splitQuad(field, points, [a, b, c, d]) {
    const [ac, bd] = [
        [a, c],
        [b, d],
    ].map(([from, to]) => ({
        off: Math.abs(field(lerp(points[from], points[to], 0.5))),
        long: length(sub(points[from], points[to])),
    }));
    const useAC = Math.abs(ac.off - bd.off) > 0.05 ? ac.off < bd.off : ac.long <= bd.long;
    return useAC
        ? [
              [a, b, c],
              [a, c, d],
          ]
        : [
              [a, b, d],
              [b, c, d],
          ];
}

// ---------------------------------------------------------------------------------------------
// 4. Paint: stamps cut the surface into regions
// ---------------------------------------------------------------------------------------------

/**
 * Gives the surface inside a stamp another material, cutting triangles along the border so that it
 * is a clean line. Vertices that are nearly on the border move onto it; that avoids slivers.
 */
function stamp(mesh, field, { material, shape }) {
    const { points, triangles, materials } = mesh;
    const values = points.map(shape);
    const crossing = (a, b) => values[a] < 0 !== values[b] < 0;
    const cutAt = (a, b) => {
        const p = lerp(points[a], points[b], values[a] / (values[a] - values[b]));
        return project(field, p);
    };

    const snaps = new Map();
    for (const [a, b, c] of triangles)
        for (const [from, to] of [
            [a, b],
            [b, c],
            [c, a],
            [b, a],
            [c, b],
            [a, c],
        ]) {
            if (!crossing(from, to)) continue;
            const t = values[from] / (values[from] - values[to]);
            if (t < 0.3 && t < (snaps.get(from)?.t ?? 1)) snaps.set(from, { t, p: cutAt(from, to) });
        }
    for (const [v, { p }] of snaps) {
        points[v] = p;
        values[v] = 0;
    }

    const cuts = new Map();
    const cut = (a, b) => {
        const key = a < b ? `${a},${b}` : `${b},${a}`;
        if (!cuts.has(key)) {
            cuts.set(key, points.length);
            points.push(a < b ? cutAt(a, b) : cutAt(b, a));
            values.push(0);
        }
        return cuts.get(key);
    };

    const fan = (loop, into) => {
        for (let i = 2; i < loop.length; i++) into.push([loop[0], loop[i - 1], loop[i]]);
    };
    const outTriangles = [];
    const outMaterials = [];
    triangles.forEach((triangle, t) => {
        const inside = [];
        const outside = [];
        triangle.forEach((a, i) => {
            const b = triangle[(i + 1) % 3];
            if (values[a] <= 0) inside.push(a);
            if (values[a] >= 0) outside.push(a);
            if (values[a] * values[b] < 0) {
                const v = cut(a, b);
                inside.push(v);
                outside.push(v);
            }
        });
        const allOnBorder = triangle.every((v) => values[v] === 0);
        const start = outTriangles.length;
        if (!allOnBorder) fan(inside, outTriangles);
        while (outMaterials.length < outTriangles.length) outMaterials.push(material);
        if (!allOnBorder) fan(outside, outTriangles);
        if (outTriangles.length === start) outTriangles.push(triangle);
        while (outMaterials.length < outTriangles.length) outMaterials.push(materials[t]);
    });
    mesh.triangles = outTriangles;
    mesh.materials = outMaterials;
}

/** Everything beyond a point on a bone (0 at its head, 1 at its tail), within reach of the bone. */
function beyond(name, t, reach = 14) {
    const [a, b] = [head(name), tail(name)];
    const p = lerp(a, b, t);
    return intersect(halfSpace(p, sub(a, b)), (q) => length(sub(q, lerp(p, b, 0.7))) - reach);
}

const BODY_PAINT = [
    // Bib and belly.
    { material: 'Cream', shape: ellipsoid([0, 46, 11], [8.4, 15, 9.5]) },
    // Cheeks and the sides of the muzzle; between the two, the bridge of the nose stays orange.
    {
        material: 'Cream',
        shape: intersect(bothSides(ellipsoid([12.2, 67.5, 16], [11.8, 10, 17])), halfSpace([0, 63, 0], [0, -1, 0])),
    },
    { material: 'Socks', shape: bothSides(intersect(beyond('ForeArm_L', 0.45), halfSpace([17, 0, 0], [-1, 0, 0]))) },
    {
        material: 'Socks',
        shape: bothSides(intersect(halfSpace([0, 11, 0], [0, 1, 0.1]), halfSpace([0, 0, -11], [0, 0, -1]))),
    },
    { material: 'Socks', shape: bothSides(beyond('EarTip_L', 0.2)) },
    {
        material: 'Cream',
        shape: intersect(
            bothSides(flatten(taper([12.6, 98, 2], [16.6, 110, 2], 4.6, 1.6), 2, 0.4)),
            halfSpace([0, 0, -1], [0, 0, -1]),
        ),
    },
    { material: 'Cream', shape: beyond('Tail4', 0.1, 20) },
];
// Points that the cells are too coarse to find by themselves.
const BODY_PINS = [
    apex(head('EarTip_L'), EAR_TIP),
    apex([12, 75, 3], [23.2, 70.2, 3]),
    apex([12, 73, 4], [19, 65.2, 4]),
]
    .flatMap((p) => [p, [-p[0], p[1], p[2]]])
    .concat([apex(head('Tail4'), tail('Tail4'))]);
const SCARF_PAINT = [
    // A stripe: all that lies beyond its upper edge, less what lies beyond its lower one.
    { material: 'Trim', shape: beyond('Scarf2', 0.62) },
    { material: 'Scarf', shape: beyond('Scarf2', 0.98) },
];

// ---------------------------------------------------------------------------------------------
// 5. Skin: weights from the distance to each joint's flesh
// ---------------------------------------------------------------------------------------------

// How far, in centimetres, a joint's pull reaches past its own flesh.
const REACH = { Hips: 6, Spine: 7, Chest: 6, Belly: 6, Tail1: 7, Tail2: 8, Tail3: 9, Tail4: 9 };
const REACH_OTHERS = 4.5;

/** Pull of every joint on a point: 1 for the nearest flesh, falling smoothly to 0. */
function pulls(rows, p) {
    const distance = new Map();
    for (const { joint, shape } of rows) distance.set(joint, Math.min(shape(p), distance.get(joint) ?? Infinity));
    const nearest = Math.min(...distance.values());
    const out = new Map();
    for (const [joint, d] of distance) {
        const fall = 1 - (d - nearest) / (REACH[joint] ?? REACH_OTHERS);
        if (fall <= 0) continue;
        // The left leg must not pull at the inside of the right one.
        const side = joint.endsWith('_L') ? p[0] : joint.endsWith('_R') ? -p[0] : 9;
        const pull = fall * fall * fall * smoothstep(-2.5, 2.5, side);
        if (pull > 0) out.set(joint, pull);
    }
    return normalized(out);
}

function normalized(weights) {
    let sum = 0;
    for (const w of weights.values()) sum += w;
    return new Map([...weights].map(([joint, w]) => [joint, w / sum]));
}

/** Weights for every vertex, spread a little along the surface so that no step is left in them. */
function skinWeights(mesh, rows, rounds = 4) {
    let weights = mesh.points.map((p) => pulls(rows, p));
    const neighbours = mesh.points.map(() => new Set());
    for (const [a, b, c] of mesh.triangles) {
        neighbours[a].add(b).add(c);
        neighbours[b].add(c).add(a);
        neighbours[c].add(a).add(b);
    }
    for (let round = 0; round < rounds; round++)
        weights = weights.map((own, v) => {
            const out = new Map();
            const pour = (from, share) => {
                for (const [joint, w] of from) out.set(joint, (out.get(joint) ?? 0) + w * share);
            };
            pour(own, 0.5);
            for (const n of neighbours[v]) pour(weights[n], 0.5 / neighbours[v].size);
            return out;
        });
    return weights.map(fourBytes);
}

/** The four strongest joints as whole numbers that add up to exactly 255. */
function fourBytes(weights) {
    const byStrength = (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
    const top = normalized(new Map([...weights].sort(byStrength).slice(0, 4)));
    const shares = [...top].map(([joint, w]) => ({ joint, exact: w * 255, byte: Math.floor(w * 255) }));
    let left = 255 - shares.reduce((sum, s) => sum + s.byte, 0);
    const byLoss = [...shares].sort((a, b) => b.exact - b.byte - (a.exact - a.byte));
    for (let i = 0; left > 0; i++, left--) byLoss[i % byLoss.length].byte++;
    return shares.filter((s) => s.byte > 0).sort((a, b) => b.byte - a.byte);
}

// ---------------------------------------------------------------------------------------------
// The parts, put together: vertices grouped by material
// ---------------------------------------------------------------------------------------------

const MATERIALS = {
    Fur: { color: '#e8752a', roughness: 0.85 },
    Cream: { color: '#fff0d9', roughness: 0.85 },
    Socks: { color: '#4b2a20', roughness: 0.8 },
    Scarf: { color: '#1c8f8a', roughness: 0.75 },
    Trim: { color: '#f4c542', roughness: 0.75 },
    Ink: { color: '#1d1210', roughness: 0.25 },
    Sparkle: { color: '#ffffff', roughness: 0.4 },
};

const PARTS = [
    {
        rows: BODY,
        material: 'Fur',
        paint: BODY_PAINT,
        pins: BODY_PINS,
        cell: 2.5,
        box: [
            [-42, -1, -52],
            [42, 122, 34],
        ],
    },
    {
        rows: SCARF,
        material: 'Scarf',
        paint: SCARF_PAINT,
        cell: 2,
        box: [
            [-15, 36, -15],
            [15, 68, 18],
        ],
    },
    {
        rows: EYES,
        material: 'Ink',
        paint: [],
        cell: 1.2,
        box: [
            [-15, 73, 10],
            [15, 86, 20],
        ],
    },
    {
        rows: NOSE,
        material: 'Ink',
        paint: [],
        cell: 1.1,
        box: [
            [-5, 70, 22],
            [5, 78, 32],
        ],
    },
    {
        rows: SMILE,
        material: 'Ink',
        paint: [],
        cell: 0.6,
        box: [
            [-7, 64, 10],
            [7, 74, 30],
        ],
    },
    {
        rows: SPARKLES,
        material: 'Sparkle',
        paint: [],
        cell: 0.7,
        box: [
            [-15, 76, 10],
            [15, 86, 20],
        ],
    },
];

/** Meshes, paints and skins one part, and adds it to the vertex lists of its materials. */
function buildPart({ rows, material, paint, pins = [], cell, box }, surfaces) {
    const field = melted(rows);
    const mesh = polygonise(field, ...box, cell, pins);
    mesh.materials = mesh.triangles.map(() => material);
    for (const each of paint) stamp(mesh, field, each);
    const skin = skinWeights(mesh, rows);
    const normals = mesh.points.map((p) => normalize(gradient(field, p, 0.25)));
    const placed = new Map();
    mesh.triangles.forEach((triangle, t) => {
        const name = mesh.materials[t];
        const surface = surfaces.get(name) ?? { positions: [], normals: [], skin: [], indices: [] };
        surfaces.set(name, surface);
        for (const v of triangle) {
            const key = `${name} ${v}`;
            if (!placed.has(key)) {
                placed.set(key, surface.positions.length);
                surface.positions.push(mesh.points[v]);
                surface.normals.push(normals[v]);
                surface.skin.push(skin[v]);
            }
            surface.indices.push(placed.get(key));
        }
    });
}

// ---------------------------------------------------------------------------------------------
// 6. Clips
// ---------------------------------------------------------------------------------------------

// A track is a joint, a path, how its keys are joined, where they are, and a function of u, which
// runs from 0 to 1 over the clip. `keys` is a number of even intervals or a list of values of u.
// Turns are in degrees about the character's axes (pitch, yaw, roll) or the bone's own (bend is
// about its X, twist about its Y); an elbow closes with a negative bend.

const turn = (joint, keys, at, mode = 'LINEAR') => ({ joint, path: 'rotation', keys, mode, at });
const move = (joint, keys, at, mode = 'LINEAR') => ({ joint, path: 'translation', keys, mode, at });
const stretch = (joint, keys, at, mode = 'LINEAR') => ({ joint, path: 'scale', keys, mode, at });

const sine = (turns) => Math.sin(2 * Math.PI * turns);
const cosine = (turns) => Math.cos(2 * Math.PI * turns);
/** One row of tracks for each side; s is +1 on the left and -1 on the right. */
const sides = (make) => [...make('_L', 1), ...make('_R', -1)];
/** +1 when a chain has swung fully one way; each further joint arrives a little later. */
const follow = (u, link, cycles = 1) => sine(cycles * u - link * 0.12);

/**
 * A smooth looping curve through rows of [u, value, value, ...], the last row repeating the first.
 * Slopes are the harmonic mean of the neighbours' (Fritsch-Carlson), so it never overshoots: a foot
 * told to stay at height 0 does.
 */
function cycle(rows) {
    const n = rows.length - 1;
    const rise = (i, c) => {
        const [a, b] = [rows[(i + n) % n], rows[((i + n) % n) + 1]];
        return (b[c] - a[c]) / (b[0] - a[0]);
    };
    const slope = (i, c) => {
        const [before, after] = [rise(i - 1, c), rise(i, c)];
        return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
    };
    return (u) => {
        const at = u - Math.floor(u);
        const i = Math.max(0, rows.findIndex((row) => row[0] > at) - 1);
        const [a, b] = [rows[i], rows[i + 1]];
        const width = b[0] - a[0];
        const t = (at - a[0]) / width;
        return a.slice(1).map((_, column) => {
            const c = column + 1;
            const [ta, tb] = [slope(i, c) * width, slope(i + 1, c) * width];
            const bow = (1 - t) * ta - t * tb + (2 * t - 1) * (b[c] - a[c]);
            return mix(a[c], b[c], t) + t * (1 - t) * bow;
        });
    };
}

/** The rotation, about the character's axes, that a description of a turn stands for. */
function turned({ pitch = 0, yaw = 0, roll = 0, delta }) {
    return delta ?? qmul(qaxis(YAW, yaw), qmul(qaxis(PITCH, pitch), qaxis(ROLL, roll)));
}

/**
 * Legs by two-bone IK, so that feet stay where they are put while the hips move. `hips` gives the
 * hips' shift and turn; `foot` gives, for a side, the ankle's shift from rest, the foot's pitch and
 * the toes'.
 */
function legs(keys, hips, foot) {
    const solve = (u, suffix, s) => {
        const pelvis = hips(u);
        const pelvisTurn = turned(pelvis);
        const { shift, pitch } = foot(u, s);
        const [hipRest, kneeRest, ankleRest] = ['Thigh', 'Shin', 'Foot'].map((n) => head(n + suffix));
        const arm = qrotate(pelvisTurn, sub(hipRest, head('Hips')));
        const hip = add(add(head('Hips'), pelvis.shift), arm);
        const reach = sub(add(ankleRest, shift), hip);
        // First swing the leg's plane sideways, then bend within the plane.
        const spread = (v) => Math.atan2(v[0], -v[1]);
        const ahead = (v) => Math.atan2(v[2], -v[1]);
        const sideways = (spread(reach) - spread(sub(ankleRest, hipRest))) / DEG;
        const inPlane = qrotate(qaxis(ROLL, -sideways), reach);
        const thigh = sub(kneeRest, hipRest);
        const shin = sub(ankleRest, kneeRest);
        const [l1, l2] = [thigh, shin].map((v) => Math.hypot(v[1], v[2]));
        const far = Math.min(Math.hypot(inPlane[1], inPlane[2]), (l1 + l2) * 0.9995);
        const corner = (near, other) =>
            Math.acos(clamp((near * near + far * far - other * other) / (2 * near * far), -1, 1));
        const thighPitch = -(ahead(inPlane) + corner(l1, l2) - ahead(thigh)) / DEG;
        const shinPitch = -(ahead(inPlane) - corner(l2, l1) - ahead(shin)) / DEG;
        const inWorld = (p) => qmul(qaxis(ROLL, sideways), qaxis(PITCH, p));
        const [w1, w2, w3] = [inWorld(thighPitch), inWorld(shinPitch), qaxis(PITCH, pitch)];
        return [qmul(qinv(pelvisTurn), w1), qmul(qinv(w1), w2), qmul(qinv(w2), w3)];
    };
    return sides((suffix, s) =>
        ['Thigh', 'Shin', 'Foot'].map((name, link) =>
            turn(name + suffix, keys, (u) => ({ delta: solve(u, suffix, s)[link] })),
        ),
    );
}
const planted = () => ({ shift: [0, 0, 0], pitch: 0 });

// Eyes open and shut at once: STEP keys, the lids being a squashed eyeball.
const OPEN = [1, 1, 1];
const SHUT = [1.12, 0.1, 1];
const blink = (from, to) =>
    sides((side) => [stretch(`Eye${side}`, [0, from, to, 1], (u) => (u >= from && u < to ? SHUT : OPEN), 'STEP')]);

// --- Idle: standing, breathing, looking about -------------------------------------------------

const idleHips = (u) => ({
    shift: [0.6 * sine(u), -0.45 - 0.3 * cosine(u), 0],
    roll: -1.2 * sine(u),
    yaw: 0,
});

const IDLE = {
    name: 'Idle',
    seconds: 2,
    tracks: [
        move('Hips', 8, (u) => idleHips(u).shift, 'CUBICSPLINE'),
        turn('Hips', 8, idleHips),
        ...legs(16, idleHips, planted),
        turn('Spine', 8, (u) => ({ roll: 0.8 * sine(u), pitch: 1 - cosine(u - 0.05) })),
        turn('Chest', 10, (u) => ({ roll: 0.8 * sine(u - 0.05), pitch: -1 + 1.8 * cosine(u - 0.1) })),
        stretch(
            'Belly',
            6,
            (u) => [1.01 - 0.035 * cosine(u), 1 + 0.015 * cosine(u), 1.03 - 0.06 * cosine(u)],
            'CUBICSPLINE',
        ),
        turn('Neck', 6, (u) => ({ yaw: 3 * sine(u - 0.1) })),
        turn('Head', 12, (u) => ({ yaw: 5 * sine(u - 0.12), roll: 3.5 * sine(u - 0.2), pitch: 1.5 * cosine(u - 0.1) })),
        ...blink(0.6, 0.66),
        turn('Ear_L', [0, 0.68, 0.71, 0.75, 0.79, 0.84, 1], flick([0, 0, -22, 6, -14, 0])),
        turn('EarTip_L', [0, 0.69, 0.73, 0.77, 0.81, 0.87, 1], flick([0, 0, -16, 10, -8, 0])),
        ...sides((side, s) => [
            turn(`UpperArm${side}`, 8, (u) => ({ roll: s * (-24 - 1.5 * cosine(u - 0.1)), pitch: -3 + 1.5 * sine(u) })),
            turn(`ForeArm${side}`, 8, (u) => ({ bend: -20 - 2.5 * cosine(u - 0.2), roll: -s * 6 })),
            turn(`Hand${side}`, 5, (u) => ({ bend: -6 - 3 * cosine(u - 0.3), roll: -s * 4 })),
        ]),
        turn('Tail1', 8, (u) => ({ yaw: 24 + 7 * follow(u, 0), pitch: 2 * cosine(u) }), 'CUBICSPLINE'),
        turn('Tail2', 8, (u) => ({ yaw: 18 + 9 * follow(u, 1) }), 'CUBICSPLINE'),
        turn('Tail3', 8, (u) => ({ yaw: 10 + 10 * follow(u, 2) }), 'CUBICSPLINE'),
        turn('Tail4', 8, (u) => ({ roll: -12 * follow(u, 3), yaw: 6 * follow(u, 3) }), 'CUBICSPLINE'),
        turn('Scarf1', 6, (u) => ({ roll: 1.5 * follow(u, 1), pitch: -1 - cosine(u) })),
        turn('Scarf2', 6, (u) => ({ roll: 3 * follow(u, 2), pitch: -1.5 * cosine(u - 0.1) })),
    ],
};

/** An ear twitch, keyed by hand: rolls at the track's own key times, at rest at both ends. */
function flick(rolls) {
    return (_, key) => ({ roll: rolls[key] ?? 0, pitch: -0.5 * (rolls[key] ?? 0) });
}

// --- Walk: one stride, in place; planted feet slide back at 32 cm a second --------------------

const walkHips = (u) => ({
    shift: [1.2 * sine(u), -1.4 - 0.75 * cosine(2 * (u - 0.06)), 0],
    pitch: 2.5,
    yaw: -7 * cosine(u),
    roll: 3 * sine(u),
});

// u since this foot's heel came down: ankle ahead, ankle up, foot pitch, toe pitch.
const STEP_CYCLE = cycle([
    [0, 8, 1.4, -16, 0],
    [0.06, 6.1, 0.5, -4, 0],
    [0.12, 4.2, 0, 0, 0],
    [0.3, -1.6, 0, 0, 0],
    [0.42, -4.5, 1.7, 13, -13],
    [0.5, -5.8, 3.2, 27, -26],
    [0.58, -5, 5.4, 40, -16],
    [0.72, 0.5, 6.6, 26, 0],
    [0.86, 7, 4, -4, 0],
    [1, 8, 1.4, -16, 0],
]);
// The toes are keyed only where they bend, which is half a cycle later on the right.
const TOE_KEYS_L = [0, 0.3, 0.42, 0.5, 0.58, 0.72, 1];
const TOE_KEYS_R = [0, 0.08, 0.22, 0.8, 0.92, 1];
const walkStep = (u, s) => STEP_CYCLE(s > 0 ? u : u + 0.5);
const walkFoot = (u, s) => {
    const [ahead, up, pitch] = walkStep(u, s);
    return { shift: [0.3 * s, up, ahead], pitch };
};
/** +1 when this side's arm is fully forward: opposite to its leg. */
const armSwing = (u, s) => -s * cosine(u - 0.02);

const WALK = {
    name: 'Walk',
    seconds: 1,
    tracks: [
        move('Hips', 12, (u) => walkHips(u).shift, 'CUBICSPLINE'),
        turn('Hips', 12, walkHips),
        ...legs(24, walkHips, walkFoot),
        ...sides((side, s) => [
            turn(`Toe${side}`, s > 0 ? TOE_KEYS_L : TOE_KEYS_R, (u) => ({ pitch: walkStep(u, s)[3] })),
            turn(`Shoulder${side}`, 8, (u) => ({ yaw: -s * 5 * armSwing(u, s) })),
            turn(`UpperArm${side}`, 16, (u) => ({ roll: -s * 22, pitch: 2 - 32 * armSwing(u, s) })),
            turn(`ForeArm${side}`, 16, (u) => ({ bend: -30 - 14 * armSwing(u - 0.06, s), roll: -s * 4 })),
            turn(`Hand${side}`, 8, (u) => ({ bend: -4 - 10 * armSwing(u - 0.14, s) })),
            turn(`Ear${side}`, 8, (u) => ({
                pitch: -2 + 4 * cosine(2 * (u - 0.12)),
                roll: s * (1 + 2 * cosine(2 * (u - 0.12))),
            })),
            turn(`EarTip${side}`, 8, (u) => ({ pitch: 6 * cosine(2 * (u - 0.2)) })),
        ]),
        turn('Spine', 8, (u) => ({ yaw: 6 * cosine(u), roll: -2.5 * sine(u), pitch: 2 })),
        turn('Chest', 12, (u) => ({
            yaw: 7 * cosine(u - 0.03),
            roll: -2.5 * sine(u - 0.03),
            pitch: 1 + 1.5 * cosine(2 * (u - 0.1)),
        })),
        stretch('Belly', 8, (u) => [
            1.02 + 0.03 * cosine(2 * (u - 0.1)),
            1 - 0.05 * cosine(2 * (u - 0.1)),
            1.02 + 0.03 * cosine(2 * (u - 0.1)),
        ]),
        turn('Neck', 6, (u) => ({ yaw: -3 * cosine(u - 0.03) })),
        turn('Head', 12, (u) => ({
            yaw: -3.5 * cosine(u - 0.05),
            roll: 2.5 * sine(u - 0.08),
            pitch: -4 + 2 * cosine(2 * (u - 0.16)),
        })),
        turn('Tail1', 8, (u) => ({ yaw: 9 + 9 * follow(u, 1), pitch: -4 + 4 * cosine(2 * (u - 0.1)) }), 'CUBICSPLINE'),
        turn('Tail2', 8, (u) => ({ yaw: 8 + 11 * follow(u, 2), pitch: 4 * cosine(2 * (u - 0.18)) }), 'CUBICSPLINE'),
        turn('Tail3', 8, (u) => ({ yaw: 11 * follow(u, 3), pitch: 5 * cosine(2 * (u - 0.26)) }), 'CUBICSPLINE'),
        turn('Tail4', 8, (u) => ({ roll: -12 * follow(u, 4), pitch: 6 * cosine(2 * (u - 0.34)) }), 'CUBICSPLINE'),
        turn('Scarf1', 8, (u) => ({ pitch: -7 + 4 * cosine(2 * (u - 0.1)), roll: 2 * sine(u) })),
        turn('Scarf2', 8, (u) => ({ pitch: -6 + 7 * cosine(2 * (u - 0.2)), roll: 4 * sine(u - 0.1) })),
    ],
};

// --- Wave: a dip, the right arm up, three swings, and back to standing -------------------------

// How far the gesture has got: hips' dip and lean, and whether the head is in it.
const GESTURE = cycle([
    [0, 0, 0, 0],
    [0.1, -2.2, 0, -0.25],
    [0.26, 0.1, 1, 1],
    [0.8, -0.2, 1, 1],
    [1, 0, 0, 0],
]);
const waveHips = (u) => {
    const [dip, lean] = GESTURE(u);
    return { shift: [1.4 * lean, -0.75 + dip, 0], roll: 1.5 * lean, yaw: 3 * lean };
};
// The waving arm: upper arm's roll and pitch, forearm's roll, bend and twist.
const WAVING = cycle([
    [0, 24, -3, 6, -20, 0],
    [0.09, 29, 3, 6, -24, 0],
    [0.26, -34, -8, -62, -14, 45],
    [0.36, -37, -8, -20, -14, 45],
    [0.47, -34, -8, -64, -14, 45],
    [0.58, -37, -8, -20, -14, 45],
    [0.69, -34, -8, -62, -14, 45],
    [0.79, -33, -8, -30, -14, 40],
    [1, 24, -3, 6, -20, 0],
]);

const WAVE = {
    name: 'Wave',
    seconds: 1.5625, // 46.875 frames at 30 a second: a clip need not end on a frame
    tracks: [
        move('Hips', 20, (u) => waveHips(u).shift),
        turn('Hips', 20, waveHips),
        ...legs(20, waveHips, planted),
        turn('Spine', 10, (u) => ({ roll: -2.5 * GESTURE(u)[1], pitch: 1 - 1.5 * GESTURE(u)[0] })),
        turn('Chest', 12, (u) => ({ roll: -3 * GESTURE(u)[1], pitch: -1 - 2.5 * GESTURE(u)[2] })),
        stretch('Belly', [0, 0.1, 0.2, 0.3, 0.4, 0.75, 0.88, 1], (u) => {
            const squash = -GESTURE(u)[0] / 2.2;
            return [1 + 0.07 * squash, 1 - 0.09 * squash, 1 + 0.06 * squash];
        }),
        turn('Neck', 8, (u) => ({ roll: -2.5 * GESTURE(u - 0.02)[2] })),
        turn('Head', 14, (u) => ({
            roll: -5 * GESTURE(u - 0.03)[2],
            yaw: -4 * GESTURE(u)[2],
            pitch: -3 * GESTURE(u)[2] - 1.5 * GESTURE(u)[0],
        })),
        ...blink(0.4, 0.68),
        ...sides((side, s) => [
            turn(`Ear${side}`, [0, 0.1, 0.24, 0.32, 0.4, 0.8, 0.9, 1], (u) => ({
                pitch: -4 * GESTURE(u)[0] + 3 * GESTURE(u)[2],
                roll: s * (-3 * GESTURE(u)[0] - 4 * GESTURE(u)[2]),
            })),
        ]),
        turn('Shoulder_R', 8, (u) => ({ roll: -8 * GESTURE(u)[1] })),
        turn('UpperArm_R', 20, (u) => ({ roll: WAVING(u)[0], pitch: WAVING(u)[1] })),
        turn('ForeArm_R', 32, (u) => ({ roll: WAVING(u)[2], bend: WAVING(u)[3], twist: WAVING(u)[4] })),
        turn('Hand_R', 32, (u) => ({
            roll: 0.35 * (WAVING(u - 0.04)[2] - WAVING(u)[2]) + 4,
            bend: -6,
            twist: WAVING(u)[4],
        })),
        turn('UpperArm_L', 8, (u) => ({ roll: -24 + 6 * GESTURE(u)[1], pitch: -3 + 6 * GESTURE(u)[1] })),
        turn('ForeArm_L', 8, (u) => ({ bend: -20 - 8 * GESTURE(u)[1], roll: -6 })),
        turn('Hand_L', [0, 0.5, 1], () => ({ bend: -6, roll: -4 })),
        turn('Tail1', 12, (u) => ({ yaw: 24 + 12 * follow(u, 0, 2) }), 'CUBICSPLINE'),
        turn('Tail2', 12, (u) => ({ yaw: 18 + 12 * follow(u, 1, 2) }), 'CUBICSPLINE'),
        turn('Tail3', 12, (u) => ({ yaw: 10 + 12 * follow(u, 2, 2) }), 'CUBICSPLINE'),
        turn('Tail4', 12, (u) => ({ roll: -12 * follow(u, 3, 2), yaw: 6 * follow(u, 3, 2) }), 'CUBICSPLINE'),
        turn('Scarf1', 8, (u) => ({ roll: -4 * GESTURE(u - 0.03)[1], pitch: -2 - 2 * GESTURE(u)[0] })),
        turn('Scarf2', 8, (u) => ({ roll: -5 * GESTURE(u - 0.06)[1], pitch: -3 * GESTURE(u - 0.04)[0] })),
    ],
};

const CLIPS = [IDLE, WALK, WAVE];

// The comfortable space is Y up; joints and vertices are stored Z up, and `Armature` turns them
// back. STAND_UP takes a point from the first to the second: (x, y, z) to (x, -z, y).
const HALF = Math.sqrt(0.5);
const STAND_UP = [HALF, 0, 0, HALF];
const zUp = ([x, y, z]) => [x, -z, y];

/** A track's value at u as it is stored: relative to the parent joint, in the file's axes. */
function storedValue({ joint: name, path, at }, u, key) {
    const value = at(u, key);
    if (path === 'scale') return value;
    const joint = JOINTS.get(name);
    if (path === 'translation') return zUp(add(joint.head, value)); // only Hips, which has no parent
    const above = joint.parent ? qinv(JOINTS.get(joint.parent).world) : STAND_UP;
    const own = qmul(qaxis(PITCH, value.bend ?? 0), qaxis(YAW, value.twist ?? 0));
    return qmul(qmul(above, turned(value)), qmul(joint.world, own));
}

/** Key times and values of a track, rounded, ready for the file. */
function sampleTrack(track, seconds) {
    const { path, mode, keys } = track;
    const us = Array.isArray(keys) ? keys : Array.from({ length: keys + 1 }, (_, i) => i / keys);
    const times = us.map((u) => grid(u * seconds));
    // A loop ends on exactly the values it began with.
    const at = (u, key) => storedValue(track, u === 1 ? 0 : u, key);
    let previous = null;
    const oneSign = (q) => {
        // q and -q are one rotation; neighbours must be on the same side or they blend the long way.
        const flip = previous && q.reduce((sum, x, i) => sum + x * previous[i], 0) < 0;
        previous = flip ? q.map((x) => -x) : q;
        return previous;
    };
    const values = us.map((u, key) => {
        const value = at(u, u === 1 ? 0 : key);
        return path === 'rotation' ? unitQuaternion(oneSign(value)) : value.map(grid);
    });
    if (mode !== 'CUBICSPLINE') return { times, values: values.flat() };
    // Tangents by central differences, per second; all such tracks are periodic and evenly keyed.
    const last = us.length - 1;
    const tangents = us.map((_, i) => {
        const [before, after] = [values[i === 0 ? last - 1 : i - 1], values[i === last ? 1 : i + 1]];
        return before.map((x, c) => grid((after[c] - x) / (2 * (seconds / last))));
    });
    return { times, values: values.flatMap((v, i) => [...tangents[i], ...v, ...tangents[i]]) };
}

// ---------------------------------------------------------------------------------------------
// 7. Write
// ---------------------------------------------------------------------------------------------

const linearColor = (hex) =>
    [1, 3, 5].map((i) => {
        const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
        return grid(c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    });

/** A joint's rest transform relative to its parent, as stored. */
function restLocal(joint) {
    if (!joint.parent) return { translation: zUp(joint.head), rotation: unitQuaternion(qmul(STAND_UP, joint.world)) };
    const parent = JOINTS.get(joint.parent);
    const back = qinv(parent.world);
    return {
        translation: qrotate(back, sub(joint.head, parent.head)).map(grid),
        rotation: unitQuaternion(qmul(back, joint.world)),
    };
}

/** Inverse of a rest pose in armature space: a rotation and a translation, so easy to invert. */
function inverseBind({ rotation, translation }) {
    const back = qinv(rotation);
    const columns = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ].map((axis) => qrotate(back, axis));
    const origin = scale(qrotate(back, translation), -1);
    const clean = (v) => v.map((x) => x + 0);
    return [...clean(columns[0]), 0, ...clean(columns[1]), 0, ...clean(columns[2]), 0, ...clean(origin), 1];
}

async function main() {
    const document = new Document();
    const root = document.getRoot();
    root.getAsset().generator = 'poselane examples/make-character.mjs';
    const buffer = document.createBuffer();
    const accessor = (name, type, array) =>
        document.createAccessor(name).setType(type).setArray(array).setBuffer(buffer);

    const armature = document.createNode('Armature').setRotation([-HALF, 0, 0, HALF]).setScale([0.01, 0.01, 0.01]);
    const nodes = new Map();
    const bind = new Map();
    for (const joint of JOINTS.values()) {
        const local = restLocal(joint);
        const above = bind.get(joint.parent);
        bind.set(
            joint.name,
            above
                ? {
                      translation: add(above.translation, qrotate(above.rotation, local.translation)),
                      rotation: qmul(above.rotation, local.rotation),
                  }
                : local,
        );
        const node = document.createNode(joint.name).setTranslation(local.translation).setRotation(local.rotation);
        nodes.set(joint.name, node);
        (nodes.get(joint.parent) ?? armature).addChild(node);
    }

    // skin.joints may come in any order; exporters take liberties, so this file does too.
    const names = [...JOINTS.keys()];
    const order = names.map((_, i) => names[(i * 13 + 7) % names.length]);
    const slot = new Map(order.map((name, i) => [name, i]));
    const matrices = new Float32Array(order.flatMap((name) => inverseBind(bind.get(name))));
    const skin = document
        .createSkin('Fox')
        .setSkeleton(nodes.get('Hips'))
        .setInverseBindMatrices(accessor('inverseBindMatrices', 'MAT4', matrices));
    for (const name of order) skin.addJoint(nodes.get(name));

    const surfaces = new Map();
    for (const part of PARTS) buildPart(part, surfaces);
    const mesh = document.createMesh('Fox');
    let vertices = 0;
    let triangles = 0;
    for (const [name, { color, roughness }] of Object.entries(MATERIALS)) {
        const { positions, normals, skin: weights, indices } = surfaces.get(name);
        const material = document
            .createMaterial(name)
            .setBaseColorFactor([...linearColor(color), 1])
            .setMetallicFactor(0)
            .setRoughnessFactor(roughness);
        const four = (pick) => weights.flatMap((w) => [0, 1, 2, 3].map((i) => (w[i] ? pick(w[i]) : 0)));
        mesh.addPrimitive(
            document
                .createPrimitive()
                .setMaterial(material)
                .setIndices(accessor(`${name} indices`, 'SCALAR', new Uint16Array(indices)))
                .setAttribute(
                    'POSITION',
                    accessor(`${name} positions`, 'VEC3', new Float32Array(positions.flatMap(zUp).map(grid))),
                )
                .setAttribute(
                    'NORMAL',
                    accessor(`${name} normals`, 'VEC3', new Float32Array(normals.flatMap(zUp).map(grid))),
                )
                .setAttribute(
                    'JOINTS_0',
                    accessor(`${name} joints`, 'VEC4', new Uint8Array(four((w) => slot.get(w.joint)))),
                )
                .setAttribute(
                    'WEIGHTS_0',
                    accessor(`${name} weights`, 'VEC4', new Uint8Array(four((w) => w.byte))).setNormalized(true),
                ),
        );
        vertices += positions.length;
        triangles += indices.length / 3;
    }

    // A skinned mesh is placed by its joints alone, so it sits at the top, beside the armature.
    const body = document.createNode('Fox').setMesh(mesh).setSkin(skin);
    root.setDefaultScene(document.createScene('Scene').addChild(armature).addChild(body));
    for (const { name, seconds, tracks } of CLIPS) {
        const animation = document.createAnimation(name);
        const timeAccessors = new Map(); // tracks with the same key times share them
        for (const track of tracks) {
            const { times, values } = sampleTrack(track, seconds);
            const key = times.join();
            if (!timeAccessors.has(key)) timeAccessors.set(key, accessor('', 'SCALAR', new Float32Array(times)));
            const type = track.path === 'rotation' ? 'VEC4' : 'VEC3';
            const sampler = document
                .createAnimationSampler()
                .setInterpolation(track.mode)
                .setInput(timeAccessors.get(key))
                .setOutput(accessor('', type, new Float32Array(values)));
            const channel = document
                .createAnimationChannel()
                .setTargetNode(nodes.get(track.joint))
                .setTargetPath(track.path)
                .setSampler(sampler);
            animation.addSampler(sampler).addChannel(channel);
        }
    }

    const output = process.argv[2] ?? fileURLToPath(new URL('character.glb', import.meta.url));
    const bytes = await new NodeIO().writeBinary(document);
    await writeFile(output, bytes);
    console.log(
        `${output}: ${names.length} joints, ${vertices} vertices, ${triangles} triangles, ${bytes.length} bytes`,
    );
}

await main();
