// SPDX-License-Identifier: MIT

import { checkBounds } from './bounds';
import type { Maker } from './check';
import { checkHit } from './hit';
import { checkLocal } from './local';
import { checkMorph } from './morph';
import { checkPalette } from './palette';
import { checkRoot } from './root';

/** The judges of arrays, by the arrays' names in the manifest. */
export const CHECKS: Readonly<Record<string, Maker>> = {
    palette: checkPalette,
    hit: checkHit,
    local: checkLocal,
    morph: checkMorph,
    bounds: checkBounds,
    root: checkRoot,
};
