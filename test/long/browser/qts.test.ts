// SPDX-License-Identifier: MIT

import { ROBOT } from '../../support/models';
import { describeQts } from './qts';

describeQts(
    ['three'],
    [
        [4, 40],
        [32, undefined],
    ],
    [ROBOT],
);
