// SPDX-License-Identifier: MIT

/** Balls and cones in which hips have to be. */

import { add, dot, length, mix, scaled, sub, unit, type Vec } from './math';

export interface Ball {
    readonly center: Vec;
    readonly radius: number;
}

/** A cone with its tip at the center. */
export interface Cone {
    readonly center: Vec;
    readonly axis: Vec;
    /** Radius for each unit of height. */
    readonly slope: number;
}

const TURNS = 30;
/** How far to go to the mean of the nearest points. */
const RELAXED = 1.6;

/** A point from which both legs point as the source's, within both balls. */
export function upright(point: Vec, first: Ball & Cone, second: Ball & Cone): Vec {
    // Across the legs only: lower hips would also bring them into line, with deeply bent knees.
    const along = unit(add(first.axis, second.axis));
    let at = point;
    for (let turn = 0; turn < TURNS; turn++) {
        const [a, b] = [intoCone(at, first), intoCone(at, second)];
        if (a === at && b === at) return at;
        const way = sub(mix(a, b, 0.5), at);
        const across = sub(way, scaled(along, dot(way, along)));
        at = nearestWithin(add(at, scaled(across, RELAXED)), first, second);
    }
    return at;
}

/** The point of a cone at the height of a point that is nearest to it: itself if it is inside. */
export function intoCone(point: Vec, { center, axis, slope }: Cone): Vec {
    const way = sub(point, center);
    const along = dot(way, axis);
    const aside = sub(way, scaled(axis, along));
    const [far, radius] = [length(aside), slope * Math.max(along, 0)];
    return far <= radius * (1 + 1e-6) || slope === Infinity ? point : add(point, scaled(aside, radius / far - 1));
}

/** The point in both balls that is nearest to a point; between them if they have none in common. */
export function nearestWithin(point: Vec, a: Ball, b: Ball): Vec {
    const into = ({ center, radius }: Ball): Vec => {
        const way = sub(point, center);
        const far = length(way);
        return far <= radius ? point : add(center, scaled(way, radius / far));
    };
    const isIn = (at: Vec, { center, radius }: Ball) => length(sub(at, center)) <= radius * (1 + 1e-9);
    const [intoA, intoB] = [into(a), into(b)];
    if (isIn(intoA, b)) return intoA;
    if (isIn(intoB, a)) return intoB;
    const way = sub(b.center, a.center);
    const far = length(way);
    const line = unit(way);
    const along =
        far >= a.radius + b.radius
            ? (far * a.radius) / (a.radius + b.radius)
            : (far * far + a.radius * a.radius - b.radius * b.radius) / (2 * far);
    const center = add(a.center, scaled(line, along));
    const off = sub(point, center);
    const aside = sub(off, scaled(line, dot(off, line)));
    return add(center, scaled(unit(aside), Math.sqrt(Math.max(a.radius * a.radius - along * along, 0))));
}
