// SPDX-License-Identifier: MIT

/** Code of the threads of `reduceFile`. */

import { inTurns } from '../base/next-turn';
import { serve } from '../threads/serve';
import { type ClipOutcome, type ClipWork, reduceClip } from './reduce-clip';

export default serve<ClipWork, ClipOutcome>(
    (work, { signal }) => inTurns(reduceClip(work), signal),
    () => new Error('interrupted'),
);
