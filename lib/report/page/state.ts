// SPDX-License-Identifier: MIT

import type { Mode } from './stage';

/** The state of the page. */
export interface View {
    /** Index of the clip. */
    entry: number;
    seconds: number;
    playing: boolean;
    speed: number;
    /** Whether to show the nearest row instead of interpolating. */
    nearest: boolean;
    mode: Mode;
    skeleton: boolean;
    boxes: boolean;
    root: boolean;
}

/** Called after each change, with the changed properties. */
export type Listener = (changed: ReadonlySet<keyof View>) => void;

export interface State {
    readonly view: Readonly<View>;
    set(change: Partial<View>): void;
    listen(listener: Listener): void;
}

export function createState(view: View): State {
    const listeners: Listener[] = [];
    return {
        view,
        set(change) {
            const keys = Object.keys(change) as (keyof View)[];
            const changed = new Set(keys.filter((key) => view[key] !== change[key]));
            Object.assign(view, change);
            if (changed.size > 0) for (const listener of listeners) listener(changed);
        },
        listen(listener) {
            listeners.push(listener);
        },
    };
}
