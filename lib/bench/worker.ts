// SPDX-License-Identifier: MIT

/** A process that measures one task and ends; see processes.ts. */

import type { Message } from './processes';
import { measureTask, type Task } from './task';

const say = (message: Message) => process.send!(message);

process.once('message', (task: Task) => {
    measureTask(task, { onRound: () => say({ round: true }) }).then(
        (samples) => say({ samples }),
        (error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }),
    );
});
