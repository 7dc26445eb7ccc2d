// SPDX-License-Identifier: MIT

import { checkBounds } from './bounds';
import type { Maker } from './check';
import { checkHit } from './hit';
import { checkLocal } from './local';
import { checkMorph } from './morph';
import { checkPalette } from './palette';
import { checkRoot } from './root';

/** The checks of arrays, by name in the manifest. */
export const CHECKS: Readonly<Record<string, Maker>> = {
    palette: checkPalette,
    hit: checkHit,
    local: checkLocal,
    morph: checkMorph,
    bounds: checkBounds,
    root: checkRoot,
};
