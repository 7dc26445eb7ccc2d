// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../base/clip-events';
import { isObject } from './json';
import type { SceneAnimation, Warning } from './scene';

/** The events in the extras of a clip, and the entries that are not events. */
interface FoundEvents {
    /** By time; events at one time in the order of the file. */
    readonly events: readonly ClipEvent[];
    /** Each with its JSON pointer below the animation. */
    readonly faults: readonly { readonly pointer: string; readonly rule: string }[];
}

const NONE: FoundEvents = { events: [], faults: [] };

/**
 * `extras.events` and `extras.markers` of an animation: lists of objects with `name` and `time`. This is a convention,
 * which glTF leaves to applications (3.12), so other contents are no error.
 */
export function eventsOf({ extras, channels }: SceneAnimation): FoundEvents {
    if (!isObject(extras)) return NONE;
    const events: ClipEvent[] = [];
    const faults: { pointer: string; rule: string }[] = [];
    const end = channels.reduce((last, { times }) => Math.max(last, times.at(-1) ?? 0), 0);
    for (const key of ['events', 'markers']) {
        const list = Object.hasOwn(extras, key) ? extras[key] : [];
        if (!Array.isArray(list)) {
            faults.push({ pointer: `/extras/${key}`, rule: 'must be in a list' });
            continue;
        }
        for (const [i, event] of list.entries()) {
            const rule = eventFault(event, end);
            if (rule !== null) faults.push({ pointer: `/extras/${key}/${i}`, rule });
            else events.push({ name: event.name, time: event.time });
        }
    }
    return { events: sortedEvents(events), faults };
}

/** A warning about each entry that is not an event. */
export function eventWarnings(animation: SceneAnimation, index: number): Warning[] {
    return eventsOf(animation).faults.map(({ pointer, rule }) => ({
        code: 'EVENT_IGNORED',
        pointer: `/animations/${index}${pointer}`,
        message: `this event ${rule}: ignored`,
    }));
}

/** Why a value is not an event of a clip that ends at `end`; null if it is one. */
export function eventFault(event: unknown, end: number): string | null {
    const { name, time } = isObject(event) ? event : {};
    if (typeof name !== 'string' || typeof time !== 'number')
        return 'must be an object with a name and a time in seconds';
    if (time >= 0 && time <= end) return null;
    return `'${name}' is at ${time} s, must be within the clip, 0 to ${end} s`;
}

/** By time. The sort is stable. */
export function sortedEvents(events: readonly ClipEvent[]): ClipEvent[] {
    return [...events].sort((a, b) => a.time - b.time);
}
