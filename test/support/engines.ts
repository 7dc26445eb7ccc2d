// SPDX-License-Identifier: MIT

import { babylonPalettes } from './babylon-oracle';
import { threePalettes } from './three-oracle';

/** Engines that pose glTF files: good oracles, and not the definition (shared/baking.md, "Semantics"). */
export const ENGINES = { 'three.js': threePalettes, Babylon: babylonPalettes };

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];
