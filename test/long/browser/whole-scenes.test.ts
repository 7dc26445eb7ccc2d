// SPDX-License-Identifier: MIT

import { KNIGHT, ROBOT, ROGUE } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three', 'babylon'], [ROBOT, KNIGHT, ROGUE], false);
