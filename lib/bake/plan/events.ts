// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import { inputName, namingOptions, UsageError } from '../../base/errors';
import { eventFault, eventsOf, sortedEvents } from '../../gltf/clip-events';
import type { GltfScene } from '../../gltf/scene';
import { durationOf } from '../../rig/measure/extent';
import type { Timeline } from './frames';
import type { Recipe } from './options';
import { findAnimation } from './select';

/** Events of clips that an option adds, by animation. Times are those of the animation. */
type AddedEvents = ReadonlyMap<number, readonly ClipEvent[]>;

/** @throws UsageError for a clip that is missing or ambiguous, and for a time outside of it. */
export function addedEvents(scene: GltfScene, { events }: Recipe, file: string): AddedEvents {
    const added = new Map<number, readonly ClipEvent[]>();
    for (const [clip, list] of Object.entries(events)) {
        const animation = findAnimation(scene, clip, file);
        const end = durationOf(scene.animations[animation]!);
        for (const event of list) {
            const fault = eventFault(event, end);
            if (fault === null) continue;
            throw namingOptions(
                (name) => new UsageError(`${inputName(file)}: ${name('events')}: of clip '${clip}', ${fault}`),
            );
        }
        added.set(animation, [...(added.get(animation) ?? []), ...list]);
    }
    return added;
}

/** The events of a clip's baked part, in seconds from its first frame. */
export function bakedEvents(
    scene: GltfScene,
    animation: number,
    added: AddedEvents,
    { start, duration }: Timeline,
): readonly ClipEvent[] {
    const own = [...eventsOf(scene.animations[animation]!).events, ...(added.get(animation) ?? [])];
    const end = Math.fround(duration);
    return sortedEvents(own).flatMap(({ name, time }) =>
        time < start || time > start + duration ? [] : [{ name, time: Math.min(time - start, end) }],
    );
}
