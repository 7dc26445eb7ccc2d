// SPDX-License-Identifier: MIT

import { KNIGHT, ROBOT } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three', 'babylon'], [ROBOT, KNIGHT], false);
