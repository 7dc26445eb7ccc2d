// SPDX-License-Identifier: MIT

import { playbackErrorTwin } from '../bake/playback-error';
import { webassemblyPlaybackError } from '../webassembly/playback-error';
import { inEither, strictModule } from './webassembly';

const inWebassembly = webassemblyPlaybackError(() => strictModule()!);

/** As lib/bake/choose-playback-error.ts, without the addon. */
export const playbackError: typeof import('../bake/choose-playback-error').playbackError = (...args) =>
    inEither(
        () => inWebassembly(...args),
        () => playbackErrorTwin(...args),
    );
