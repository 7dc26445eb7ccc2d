// SPDX-License-Identifier: MIT

import { babylonPalettes } from './babylon-oracle';
import { threePalettes } from './three-oracle';

/** Engines that pose glTF files: good oracles, and not the definition, which is glTF 2.0 (docs/verify.md: where they differ). */
export const ENGINES = { 'three.js': threePalettes, Babylon: babylonPalettes };

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];
