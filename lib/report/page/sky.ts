// SPDX-License-Identifier: MIT

import * as THREE from 'three';

const SIZE = 16;

/** The faces of a cube whose light depends only on the height, each `size` pixels wide. */
function facesOf(size: number): THREE.DataTexture[] {
    return [0, 1, 2, 3, 4, 5].map((face) => {
        const pixels = new Uint8Array(size * size * 4).fill(255);
        for (let i = 0; i < size * size; i++) {
            const across = (2 * ((i % size) + 0.5)) / size - 1;
            const down = (2 * (Math.floor(i / size) + 0.5)) / size - 1;
            const up = (face === 2 ? 1 : face === 3 ? -1 : -down) / Math.hypot(1, across, down);
            pixels.fill(150 + 105 * up, i * 4, i * 4 + 3);
        }
        const texture = new THREE.DataTexture(pixels, size, size);
        texture.needsUpdate = true;
        return texture;
    });
}

/**
 * A plain sky, bright above and darker below, for reflections in metals. It is smooth enough to look the same at every
 * roughness. So three.js gets it as already filtered: filtering would take longer than everything else on a slow GPU.
 */
export function createSky(): THREE.Texture {
    const sky = new THREE.CubeTexture(facesOf(SIZE));
    sky.generateMipmaps = false;
    sky.mipmaps = [{ image: facesOf(SIZE / 2), width: SIZE / 2 }] as unknown as typeof sky.mipmaps;
    sky.needsUpdate = true;
    sky.isPMREMTexture = true;
    return sky;
}
