// SPDX-License-Identifier: MIT

/** When feet stand, and where they are held. */

import type { Side } from '../clips/roles';
import { level } from './frame';
import { add, between, IDENTITY, length, type Quat, scaled, slerp, sub, unit, type Vec, ZERO } from './math';
import type { Pair } from './pair';
import type { Seen } from './seen';

/** A foot stands below this share of the leg above its lowest place, or slower than this share of it in a second. */
const LOW = 0.04;
const SLOW = 0.06;

/** Seconds. */
const FADE = 0.12;
/** Up to this slope of the line through both hip joints, its sine, feet near the ground stand on it. */
const LEANS = 0.6;

/** In the air, legs are held below this share of their length, because the hips still move. */
const HELD = 0.98;

/** How a foot is held at a time. */
export interface Hold {
    /** Where the ankle is beside the scaled place of the source's: as a share of the difference in hip width. */
    readonly beside: Vec;
    /** 1 while the foot stands; less for a while after and before. */
    readonly weight: number;
    /** How much of it is on the ground. */
    readonly ground: number;
    /** For a foot that is held in the air: shortens a leg that is stretched beyond the reach of the target's. */
    readonly nearer: Vec;
    /** Index of the middle of the time in which it is held. */
    readonly middle: number;
}

/**
 * The hips turn, but feet that stand must not: beside their scaled places, ankles are where the hips' left side points.
 * That direction is fixed while a foot stands. It follows the hips again within `FADE` seconds.
 */
export function holdsOf({ from, to, ratio }: Pair, seen: readonly Seen[], at: Float32Array): Record<Side, Hold[]> {
    const areLow = (side: Side) => {
        const heights = seen.map(({ ankles }) => ankles[side][1]);
        const lowest = heights.reduce((min, height) => Math.min(min, height), Infinity);
        const isLow = heights.map((height) => height < Math.max(lowest, from.ankles[side]) + LOW * from.leg);
        const slow = seen.map(({ ankles }, i) => {
            const before = seen[i - 1]?.ankles[side];
            return before !== undefined && length(sub(ankles[side], before)) < SLOW * from.leg * (at[i]! - at[i - 1]!);
        });
        const stands = seen.map((_, i) => isLow[i]! || slow[i]! || slow[i + 1] === true || seen.length === 1);
        return { isLow, stands };
    };
    const feet = { left: areLow('left'), right: areLow('right') };
    const of = (side: Side): Hold[] => {
        const { isLow, stands } = feet[side];
        const { stands: other } = feet[side === 'left' ? 'right' : 'left'];
        const fixed: (Vec | null)[] = seen.map(() => null);
        const grounded = seen.map(() => 0);
        const nearer = seen.map(() => ZERO);
        const middles = seen.map((_, i) => i);
        for (let i = 0; i < seen.length; i++) {
            if (!stands[i]) continue;
            let end = i;
            while (stands[end + 1]) end++;
            // Hips above a single foot move until its leg is right.
            const both = seen.slice(i, end + 1).filter((_, k) => other[i + k]);
            const lefts = (both.length > 0 ? both : seen.slice(i, end + 1)).map(({ left }) => left);
            const center = unit(middleOf(lefts));
            // A foot that is held in the air need not stay at the height of the ground.
            const onGround = isLow.slice(i, end + 1).includes(true);
            // Feet of a character on its side do not stand on the ground.
            const frozen = onGround && Math.abs(center[1]) < LEANS ? (level(center) ?? seen[i]!.level) : center;
            const legs = seen.slice(i, end + 1).map((one) => one.legs[side]);
            const longest = legs.reduce((a, b) => (length(b) > length(a) ? b : a));
            const excess = Math.max(length(longest) - (HELD * to.leg) / ratio, 0);
            const shorter = onGround ? ZERO : scaled(unit(longest), -excess);
            const middle = (i + end) >> 1;
            for (; i <= end; i++)
                [fixed[i], grounded[i], nearer[i], middles[i]] = [frozen, onGround ? 1 : 0, shorter, middle];
        }
        const before = nearest(fixed, 1);
        const after = nearest(fixed, -1);
        return seen.map(({ left }, i): Hold => {
            const middle = middles[i]!;
            if (fixed[i] !== null)
                return { beside: fixed[i]!, weight: 1, ground: grounded[i]!, nearer: nearer[i]!, middle };
            const parts = [before[i]!, after[i]!].flatMap((k) => {
                if (k < 0) return [];
                const gone = Math.max(1 - Math.abs(at[i]! - at[k]!) / FADE, 0);
                const share = gone * gone * (3 - 2 * gone);
                const ground = share * grounded[k]!;
                return [{ k, share, ground, nearer: nearer[k]!, off: sub(fixed[k]!, seen[k]!.left) }];
            });
            const sum = parts.reduce((total, { share }) => total + share, 0);
            const beside = parts.reduce((to, { share, off }) => add(to, scaled(off, share / Math.max(sum, 1))), left);
            const most = (of: 'share' | 'ground') => parts.reduce((max, part) => Math.max(max, part[of]), 0);
            const near = parts.reduce((to, part) => add(to, scaled(part.nearer, part.share / Math.max(sum, 1))), ZERO);
            const airborne = parts.filter(({ share, ground }) => share > ground).sort((a, b) => b.share - a.share);
            const center = airborne.length > 0 ? middles[airborne[0]!.k]! : i;
            return { beside, weight: most('share'), ground: most('ground'), nearer: near, middle: center };
        });
    };
    return { left: of('left'), right: of('right') };
}

/** Slope of legs that turned hips leave. */
const EASES = 0.05;
/** How far hips may turn: a chord of 13 degrees. */
const EASE = 0.23;

/** Turns hips above two standing feet, as far as legs would point elsewhere than the source's because of other widths. */
export function easeOf({ left }: Seen, [a, b]: readonly Hold[], { from, to, ratio }: Pair): Quat {
    const wider = to.halfWidth - ratio * from.halfWidth;
    const line = unit(add(a!.beside, b!.beside));
    const error = Math.abs(wider) * length(sub(line, left));
    const wanted = Math.max(error - EASES * to.leg, 0) / to.halfWidth;
    if (!(wanted > 0)) return IDENTITY;
    // From here, both legs would be as the source's.
    const best = unit(add(scaled(left, ratio * from.halfWidth), scaled(line, wider)));
    const turn = Math.min(a!.ground, b!.ground) * Math.min(wanted, EASE);
    return slerp(IDENTITY, between(left, best), Math.min(turn / length(sub(best, left)), 1));
}

/** The center of the box around directions. */
function middleOf(directions: readonly Vec[]): Vec {
    const center = (c: number) => {
        const values = directions.map((direction) => direction[c]!);
        return values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b));
    };
    return [center(0), center(1), center(2)];
}

/** For each item, the index of the nearest one before (`step` 1) or after it (-1) that is not null; -1 if there is none. */
function nearest(items: readonly unknown[], step: 1 | -1): Int32Array {
    const found = new Int32Array(items.length);
    let last = -1;
    for (let n = 0; n < items.length; n++) {
        const i = step === 1 ? n : items.length - 1 - n;
        if (items[i] !== null) last = i;
        found[i] = last;
    }
    return found;
}
