// SPDX-License-Identifier: MIT

/** The short form of webgpu-backends.test.ts. */

import { ROBOT } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three, WebGPU'], [ROBOT], true);
