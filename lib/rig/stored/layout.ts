// SPDX-License-Identifier: MIT

import { KINDS, MOVING } from '../pack/movable';

/** `PRIG`. */
export const MAGIC = 0x47495250;
export const VERSION = 1;
/** Bytes: magic, version, length of the file, hash of all words that follow, and where the floats begin. */
export const HEADER = 20;
/** The first word of the hash. */
export const HASHED = 4;

/** Whether codes of movables take a byte each, not four. */
export const areShort = (groups: number) => MOVING + groups * KINDS <= 256;
