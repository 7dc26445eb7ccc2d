// SPDX-License-Identifier: MIT

/** lib/browser/choose-playback-error.ts stands in the place of this in browsers: lib/package.json says so. */

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { STRICT_WASM } from '../../lists/implementations';
import { evaluationImplementation } from '../../rig/implementations';
import { strictModule, webassemblyUnavailable } from '../../webassembly/module';
import { type PlaybackError, playbackErrorTwin } from './playback-error';
import { webassemblyPlaybackError } from './playback-error-webassembly';

/** By the implementation that evaluates poses: the addon's functions, by its name, and WebAssembly's. */
export const nativePlaybackErrors: ReadonlyMap<string, PlaybackError> = new Map([
    ...(addon?.rigs ?? []).flatMap(({ name, playbackError }) =>
        playbackError === undefined ? [] : [[name, behindTwin(playbackError)] as const],
    ),
    ...(webassemblyUnavailable === undefined ? [[STRICT_WASM, webassemblyPlaybackError(strictModule)] as const] : []),
]);

/** What the addon refuses (a list without elements), the twin is given. */
function behindTwin(native: NonNullable<NativeRig['playbackError']>): PlaybackError {
    return (...args) => {
        if (native(...args) !== undefined) playbackErrorTwin(...args);
    };
}

export const playbackError: PlaybackError = nativePlaybackErrors.get(evaluationImplementation) ?? playbackErrorTwin;
