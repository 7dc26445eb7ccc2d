// SPDX-License-Identifier: MIT

import * as poselane from 'poselane';
import { evaluate } from './evaluate.mjs';

export async function evaluateModel() {
    const result = await evaluate(poselane, new Uint8Array(await (await fetch('model.glb')).arrayBuffer()));
    return { backend: poselane.backend, ...result };
}
