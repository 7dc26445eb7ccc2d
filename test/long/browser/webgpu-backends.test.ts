// SPDX-License-Identifier: MIT

/** three.js by WebGPURenderer, with both of its backends. Each new mesh costs the time to compile its shaders in software. */

import { KNIGHT, ROBOT } from '../../support/models';
import { describeQts } from './qts';
import { describeWholeScenes } from './whole-scenes';

const BACKENDS = ['three, WebGPU', 'three, WebGL 2'] as const;

describeWholeScenes(BACKENDS, [ROBOT, KNIGHT], true);
describeQts(BACKENDS, [[32, undefined]], []);
