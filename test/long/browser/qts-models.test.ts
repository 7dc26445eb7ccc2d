// SPDX-License-Identifier: MIT

/** The long form of qts.test.ts: real models' shaders take long to compile in software. */

import { KNIGHT, ROGUE } from '../../support/models';
import { describeQts } from './qts';

describeQts(['three'], [], [KNIGHT, ROGUE]);
