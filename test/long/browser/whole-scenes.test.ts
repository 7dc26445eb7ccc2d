// SPDX-License-Identifier: MIT

import { ROBOT } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three', 'babylon'], [ROBOT], false);
