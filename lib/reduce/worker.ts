// SPDX-License-Identifier: MIT

/** What the threads of `reduceFile` run. */

import { serve } from '../bake/pool/serve';
import { type ClipOutcome, reduceClip } from './reduce-clip';
import type { ClipWork } from './reduce-scene';

export default serve<ClipWork, ClipOutcome>(
    async ({ model, clip, quantize }) => reduceClip(model, clip, quantize),
    () => new Error('interrupted'),
);
