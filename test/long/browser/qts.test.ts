// SPDX-License-Identifier: MIT

import { ROBOT } from '../../support/models';
import { describeQts } from './qts';

describeQts(
    [
        [4, 40],
        [32, undefined],
    ],
    [ROBOT],
);
