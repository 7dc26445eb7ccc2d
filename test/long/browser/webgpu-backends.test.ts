// SPDX-License-Identifier: MIT

/** three.js by WebGPURenderer, with both of its backends. Each new mesh costs the time to compile its shaders in software. */

import { KNIGHT, ROBOT } from '../../support/models';
import { describeWholeScenes } from './whole-scenes';

describeWholeScenes(['three, WebGPU', 'three, WebGL 2'], [ROBOT, KNIGHT], true);
