import { readFileSync } from 'node:fs';
import { NodeIO } from '@gltf-transform/core';
const doc = await new NodeIO().readBinary(readFileSync(process.argv[2]));
console.log(doc.getRoot().listAnimations().length);
