// SPDX-License-Identifier: MIT

/** Debian's Chromium, driven by playwright-core, drawing in software. */

import { type Browser, chromium } from 'playwright-core';
import { runProgram } from './processes';

/** The Chromium that `CHROMIUM` names, else the one on the PATH; null if there is neither. */
function findChromium(): string | null {
    const { CHROMIUM } = process.env;
    if (CHROMIUM) return CHROMIUM;
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
        const { status, stdout } = runProgram('sh', ['-c', `command -v ${name}`]);
        if (status === 0) return stdout.trim();
    }
    return null;
}

/** Why tests in Chromium are skipped, or null. In CI they are not skipped: they fail without it. */
export function withoutChromium(): string | null {
    return findChromium() === null && !process.env.CI ? 'no Chromium' : null;
}

/** @param more Arguments for it. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
    const executablePath = findChromium();
    if (executablePath === null) throw new Error('no Chromium: install it, or name it in CHROMIUM');
    return chromium.launch({
        executablePath,
        args: [
            // As root, in a container, it cannot make its sandbox; what it opens here is our own.
            '--no-sandbox',
            ...['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
            ...['--use-webgpu-adapter=swiftshader', '--enable-unsafe-webgpu'],
            // Tests read WebGL's pictures, so the page itself need not be drawn by shaders.
            '--disable-gpu-compositing',
            ...more,
        ],
    });
}
