// SPDX-License-Identifier: MIT

/** The minimum of a tool that uses glTF-Transform: import it and parse a file. `node bare-parse.mjs model.glb` */

import { readFileSync } from 'node:fs';
import { NodeIO } from '@gltf-transform/core';

const document = await new NodeIO().readBinary(new Uint8Array(readFileSync(process.argv[2])));
if (document.getRoot().listAnimations().length === 0) throw new Error('the file has no animation');
