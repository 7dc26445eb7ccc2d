// SPDX-License-Identifier: MIT

/** Combines two pictures: one over the other, or their difference. */

import * as THREE from 'three';

/** Factor by which differences are brightened. */
export const GAIN = 8;

/** As in page.css. */
export const COLORS = [0xd9730d, 0x1f7ae0] as const;

const vertexShader = `
varying vec2 place;
void main() {
    place = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

const fragmentShader = `
uniform sampler2D first, second;
uniform vec3 firstColor, secondColor;
uniform bool difference;
uniform float gain;
varying vec2 place;

// Converts to sRGB, as the screen does.
vec4 picture(sampler2D from) {
    vec4 color = texture2D(from, place);
    return vec4(sRGBTransferOETF(vec4(color.rgb, 1.0)).rgb, color.a);
}

void main() {
    vec4 a = picture(first);
    vec4 b = picture(second);
    if (difference) {
        vec3 off = max(abs(a.rgb - b.rgb), vec3(abs(a.a - b.a)));
        gl_FragColor = vec4(off * gain, 1.0);
        return;
    }
    vec3 own = a.rgb / max(a.a, 0.001);
    vec3 other = b.rgb / max(b.a, 0.001);
    float both = a.a * b.a;
    vec3 color = both * mix(own, other, 0.5)
        + a.a * (1.0 - b.a) * mix(own, firstColor, 0.75)
        + b.a * (1.0 - a.a) * mix(other, secondColor, 0.75);
    gl_FragColor = vec4(color, a.a + b.a - both);
}`;

export function createComposite() {
    const targets = [0, 1].map(() => {
        const target = new THREE.WebGLRenderTarget(1, 1, { samples: 4 });
        target.texture.colorSpace = THREE.SRGBColorSpace;
        return target;
    });
    const [firstColor, secondColor] = COLORS.map((color) => {
        const { r, g, b } = new THREE.Color().setHex(color, THREE.LinearSRGBColorSpace);
        return { value: new THREE.Vector3(r, g, b) };
    });
    const uniforms = {
        first: { value: targets[0]!.texture },
        second: { value: targets[1]!.texture },
        firstColor: firstColor!,
        secondColor: secondColor!,
        difference: { value: false },
        gain: { value: GAIN },
    };
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms, depthTest: false });
    // Without further conversion.
    material.blending = THREE.NoBlending;
    const screen = new THREE.Scene().add(new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material));
    screen.children[0]!.frustumCulled = false;
    const camera = new THREE.Camera();
    return {
        begin(renderer: THREE.WebGLRenderer, side: number, width: number, height: number): void {
            const ratio = renderer.getPixelRatio();
            const target = targets[side]!;
            target.setSize(Math.floor(width * ratio), Math.floor(height * ratio));
            renderer.setRenderTarget(target);
        },
        end(renderer: THREE.WebGLRenderer, mode: 'overlay' | 'difference'): void {
            uniforms.difference.value = mode === 'difference';
            renderer.setRenderTarget(null);
            renderer.render(screen, camera);
        },
        countDiffering(renderer: THREE.WebGLRenderer): number {
            const gl = renderer.getContext();
            const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
            const pixels = new Uint8Array(width * height * 4);
            gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            let found = 0;
            const off = (at: number) => pixels[at]! > 2.5 * GAIN;
            for (let i = 0; i < pixels.length; i += 4) if (off(i) || off(i + 1) || off(i + 2)) found++;
            return found;
        },
    };
}
