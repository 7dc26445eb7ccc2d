// SPDX-License-Identifier: MIT

/** Browsers load lib/browser/choose-playback-error.ts instead: see lib/package.json. */

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { STRICT_WASM } from '../../lists/implementations';
import { evaluationImplementation } from '../../rig/implementations';
import { strictModule, webassemblyUnavailable } from '../../webassembly/module';
import { type PlaybackError, playbackErrorTwin } from './playback-error';
import { webassemblyPlaybackError } from './playback-error-webassembly';

/** By the name of the implementation that evaluates poses. The addon has its own functions. */
export const nativePlaybackErrors: ReadonlyMap<string, PlaybackError> = new Map([
    ...(addon?.rigs ?? []).flatMap(({ name, playbackError }) =>
        playbackError === undefined ? [] : [[name, behindTwin(playbackError)] as const],
    ),
    ...(webassemblyUnavailable === undefined ? [[STRICT_WASM, webassemblyPlaybackError(strictModule)] as const] : []),
]);

/** Uses the twin for an empty list, which the addon rejects. */
function behindTwin(native: NonNullable<NativeRig['playbackError']>): PlaybackError {
    return (...args) => {
        if (native(...args) !== undefined) playbackErrorTwin(...args);
    };
}

export const playbackError: PlaybackError = nativePlaybackErrors.get(evaluationImplementation) ?? playbackErrorTwin;
