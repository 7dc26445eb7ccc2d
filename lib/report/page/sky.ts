// SPDX-License-Identifier: MIT

import * as THREE from 'three';

/** A plain sky, bright above and darker below, so that metals have something to reflect. Small: it is made while people wait. */
export function skyTexture(renderer: THREE.WebGLRenderer): THREE.Texture {
    const [width, height] = [4, 32];
    const pixels = new Float32Array(width * height * 4);
    for (let y = 0; y < height; y++) {
        const up = y / (height - 1);
        const light = 0.35 + 0.9 * up * up * (3 - 2 * up);
        for (let x = 0; x < width; x++) pixels.set([light, light, light * 1.03, 1], (y * width + x) * 4);
    }
    const sky = new THREE.DataTexture(pixels, width, height, THREE.RGBAFormat, THREE.FloatType);
    sky.mapping = THREE.EquirectangularReflectionMapping;
    sky.needsUpdate = true;
    const generator = new THREE.PMREMGenerator(renderer);
    const { texture } = generator.fromEquirectangular(sky);
    generator.dispose();
    sky.dispose();
    return texture;
}
