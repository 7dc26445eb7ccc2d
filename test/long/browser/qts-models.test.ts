// SPDX-License-Identifier: MIT

/** The long form of qts.test.ts: real models' shaders take long to compile in software. */

import { CHARACTER, KNIGHT, ROGUE } from '../../support/models';
import { describeQts } from './qts';

describeQts(['three'], [], [CHARACTER, KNIGHT, ROGUE]);
