// SPDX-License-Identifier: MIT

/**
 * Code of the command's threads. This file is in the folder of lib/cli/main.ts, because both become bundles in dist that find the addon by
 * relative paths.
 */

import { serve } from '../threads/serve';
import { jobOrFailure } from './batch/work';
import { interruption } from './exit-codes';

/** Reports even what fails: errors of our own classes would not survive the way to another thread. */
export default serve(jobOrFailure, interruption);
