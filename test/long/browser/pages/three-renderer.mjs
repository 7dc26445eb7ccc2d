// SPDX-License-Identifier: MIT

/** WebGLRenderer; where 'three' stands for 'three/webgpu', WebGPURenderer: with its WebGL 2 backend after force-webgl.mjs. */

import * as THREE from 'three';
import { pixelsOf } from './pixels.mjs';

/** A renderer, and what draws with it and gives the pixels. */
export async function createRenderer(width, height) {
    if (!THREE.WebGPURenderer) {
        const renderer = new THREE.WebGLRenderer({ antialias: false });
        renderer.setSize(width, height);
        return {
            renderer,
            async draw(scene, camera) {
                renderer.render(scene, camera);
                return pixelsOf(renderer.domElement);
            },
        };
    }
    const renderer = new THREE.WebGPURenderer({ antialias: false, forceWebGL: globalThis.forceWebGL === true });
    await renderer.init();
    // Chromium without a GPU draws by WebGPU, but not onto a page: its GPU process ends.
    const target = new THREE.RenderTarget(width, height, { colorSpace: THREE.SRGBColorSpace });
    renderer.setRenderTarget(target);
    return {
        renderer,
        async draw(scene, camera) {
            // Live skeletons are calculated once a frame of the page.
            await new Promise(requestAnimationFrame);
            renderer.render(scene, camera);
            return renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
        },
    };
}

/** What really draws. */
export async function rendererName() {
    const { renderer } = await createRenderer(1, 1);
    if (!THREE.WebGPURenderer) return 'WebGLRenderer';
    return `WebGPURenderer, ${renderer.backend.isWebGPUBackend ? 'WebGPU' : 'WebGL 2'}`;
}
