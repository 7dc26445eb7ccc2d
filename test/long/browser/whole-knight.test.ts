// SPDX-License-Identifier: MIT

/** The long form of whole-scenes.test.ts: Knight's textures and attachments take long to draw in software. */

import { KNIGHT } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three', 'babylon'], [KNIGHT], false);
