// SPDX-License-Identifier: MIT

/**
 * What the command's threads run. This file is as deep as lib/cli/main.ts, because each of the two becomes one file in dist, and
 * looks for the addon and others the same number of folders above.
 */

import { serve } from '../threads/serve';
import { jobOrFailure } from './batch/work';
import { interruption } from './exit-codes';

/** Reports even what fails: errors of our own classes would not survive the way to another thread. */
export default serve(jobOrFailure, interruption);
