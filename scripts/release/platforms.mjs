// SPDX-License-Identifier: MIT

/** prebuilds/platforms.json: for which platforms the npm package has an addon, and what must be in each. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

export const PLATFORMS = JSON.parse(fs.readFileSync(path.join(root, 'prebuilds/platforms.json'), 'utf8'));
