// SPDX-License-Identifier: MIT

/** Bakes off the page's own thread: gets files and options, tells progress, and gives files and the report. */

import { MeshoptDecoder } from 'meshoptimizer';
import { Rig } from 'poselane';
import { bakedFiles, bakeFile } from 'poselane/bake';
// The page of `poselane bake --html`. The package does not offer this function.
import { reportOf } from '../dist/esm/report.mjs';
import { version } from '../package.json';

const decoders = { meshopt: MeshoptDecoder };

addEventListener('message', async ({ data: { files, options } }) => {
    try {
        const [name, bytes] = await modelOf(files);
        const resolve = async (path) => {
            const file = files.find((one) => one.name === path.split('/').pop());
            // As a file system says it.
            if (file === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
            return new Uint8Array(await file.arrayBuffer());
        };
        if (options === undefined) {
            const { clips } = await Rig.load(bytes, { name, resolve, decoders });
            postMessage({ clips: clips.map(({ name, duration }) => ({ name, duration })) });
            return;
        }
        const input = { name, bytes, resolve, decoders };
        const bake = await bakeFile(input, options, {
            onProgress: (done, total) => postMessage({ done: done / total }),
            onTrial: (rate) => postMessage({ rate }),
        });
        const { stats, warnings, outputs } = bake;
        const errors = outputs.flatMap(({ manifest }) => manifest.clips.map(({ error }) => error.maxLerpShare));
        const share = errors.reduce((a, b) => Math.max(a, b), 0);
        postMessage({ baked: { files: bakedFiles(bake), stats, warnings, share } });
        const page = await (await fetch('report.html')).text();
        postMessage({ report: new Blob([await reportOf(input, bake, page, version)], { type: 'text/html' }) });
    } catch ({ name, code, message, pointer }) {
        postMessage({ error: { name, code, message, pointer } });
    }
});

/** The glTF among some files. */
async function modelOf(files) {
    const model = files.find(({ name }) => /\.(glb|gltf)$/i.test(name)) ?? files[0];
    return [model.name, new Uint8Array(await model.arrayBuffer())];
}
