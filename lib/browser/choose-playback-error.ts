// SPDX-License-Identifier: MIT

import { playbackErrorTwin } from '../bake/playback/playback-error';
import { webassemblyPlaybackError } from '../bake/playback/playback-error-webassembly';
import { inEither, strictModule } from './webassembly';

const inWebassembly = webassemblyPlaybackError(() => strictModule()!);

/** As lib/bake/playback/choose-playback-error.ts, without the addon. */
export const playbackError: typeof import('../bake/playback/choose-playback-error').playbackError = (...args) =>
    inEither(
        () => inWebassembly(...args),
        () => playbackErrorTwin(...args),
    );
