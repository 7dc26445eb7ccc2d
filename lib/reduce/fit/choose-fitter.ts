// SPDX-License-Identifier: MIT

import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import type { Fitter, FitterInput } from './fitter';
import { type FitClip, NativeFitter } from './native-fitter';
import { TwinFitter } from './twin-fitter';

/**
 * The addon's functions, by the name of the implementation that evaluates poses. WebAssembly has none, because pages
 * would download it and reduce runs only in Node.
 */
export const nativeFitClip: ReadonlyMap<string, FitClip> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, fitClip }) => (fitClip === undefined ? [] : [[name, fitClip] as const])),
);

const chosen = nativeFitClip.get(evaluationImplementation);

/** Uses the twin for clips that place nothing, which the addon refuses. */
export function openFitter(input: FitterInput): Fitter {
    const fits = chosen !== undefined && input.clip.tracks.length > 0;
    return fits ? new NativeFitter(input, chosen) : new TwinFitter(input);
}
