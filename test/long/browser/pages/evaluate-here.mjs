// SPDX-License-Identifier: MIT

import * as poselane from 'poselane';
import { evaluate } from './evaluate.mjs';

export const evaluateModel = async () => ({
    backend: poselane.backend,
    ...(await evaluate(poselane, new Uint8Array(await (await fetch('model.glb')).arrayBuffer()))),
});
