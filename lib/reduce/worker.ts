// SPDX-License-Identifier: MIT

/** What the threads of `reduceFile` run. */

import { serve } from '../bake/pool/serve';
import { type ClipOutcome, type ClipWork, reduceClip } from './reduce-clip';

export default serve<ClipWork, ClipOutcome>(
    async (work) => reduceClip(work),
    () => new Error('interrupted'),
);
