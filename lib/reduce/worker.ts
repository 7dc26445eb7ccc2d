// SPDX-License-Identifier: MIT

/** What the threads of `reduceFile` run. */

import { serve } from '../bake/pool/serve';
import { inTurns } from '../next-turn';
import { type ClipOutcome, type ClipWork, reduceClip } from './reduce-clip';

export default serve<ClipWork, ClipOutcome>(
    (work, { signal }) => inTurns(reduceClip(work), signal),
    () => new Error('interrupted'),
);
