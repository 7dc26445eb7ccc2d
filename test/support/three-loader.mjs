// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { arrayBuffer, readUri } from './oracle-child.mjs';

const { MeshBasicMaterial } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

/** A file as three.js's GLTFLoader gives it, but for its materials. */
export function loadWithThree(file) {
    const loader = new GLTFLoader();
    loader.register((parser) => {
        // Node's fetch reads no files, and there is nothing here to decode images with.
        const fromChunk = parser.loadBuffer.bind(parser);
        parser.loadBuffer = (index) => {
            const { uri } = parser.json.buffers[index];
            return uri === undefined ? fromChunk(index) : Promise.resolve(arrayBuffer(readUri(uri, file)));
        };
        return { name: 'NODE_WITHOUT_IMAGES', loadMaterial: () => Promise.resolve(new MeshBasicMaterial()) };
    });
    return loader.parseAsync(arrayBuffer(readFileSync(file)), '');
}
