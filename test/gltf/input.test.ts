// SPDX-License-Identifier: MIT

/** Results of a caller's `resolve`, and bytes that a caller transfers, for all functions that read a file from memory. */

import { bakeFile } from '../../lib/bake';
import { bakeFile as bakeInBrowser } from '../../lib/browser/bake';
import type { Resolve } from '../../lib/gltf/buffers';
import { reduceFile } from '../../lib/reduce';
import { Rig } from '../../lib/rig';
import { Rig as PlainRig } from '../../lib/typescript';
import { skinnedModel } from './support/builder';

const MODEL = skinnedModel();
MODEL.json.images = [{ uri: 'skin.png' }];
const GLTF = MODEL.toGltf('hero%20one.bin');
const BIN = MODEL.bin();

type Bytes = Uint8Array | ArrayBuffer;
interface Given {
    readonly bytes: Bytes;
    readonly resolve?: Resolve;
    readonly signal?: AbortSignal;
}

const named = ({ bytes, resolve }: Given) => ({ bytes, name: 'hero.gltf', ...(resolve && { resolve }) });
const others = (given: Given) => ({ animations: [named(given)], unmatched: 'warn' as const });
const whole = () => ({ bytes: skinnedModel().toGlb(), name: 'body.glb' });

/** All functions that read a file from memory. Their last argument is a signal, if they accept one. */
const READERS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
    bakeFile: (given) => bakeFile(named(given), {}, { signal: given.signal }),
    'animations of bakeFile': (given) => bakeFile(whole(), others(given), { signal: given.signal }),
    reduceFile: (given) => reduceFile(named(given), {}, { signal: given.signal }),
    'bakeFile in browsers': (given) => bakeInBrowser(named(given), {}, { signal: given.signal }),
    'animations of bakeFile in browsers': (given) => bakeInBrowser(whole(), others(given), { signal: given.signal }),
    'Rig.load': ({ bytes, resolve }) =>
        Rig.load(new Uint8Array(bytes as ArrayBuffer), { name: 'hero.gltf', ...(resolve && { resolve }) }),
    'animations of Rig.load': (given) => Rig.load(whole().bytes, others(given)),
    'Rig.load of poselane/typescript': (given) => PlainRig.load(given.bytes, named(given)),
    'animations of Rig.load of poselane/typescript': (given) => PlainRig.load(whole().bytes, others(given)),
};
const NAMES = Object.keys(READERS);
const WITH_SIGNAL = NAMES.filter((name) => !name.includes('Rig.load'));

const give = (value: unknown): Resolve => (async () => value) as unknown as Resolve;

describe.each(NAMES)('%s', (name) => {
    const reader = READERS[name]!;

    test('accepts a Uint8Array, an ArrayBuffer, and either without a promise', async () => {
        const buffer = BIN.slice().buffer;
        for (const resolve of [give(BIN), give(buffer), (() => BIN) as unknown as Resolve]) {
            await expect(reader({ bytes: GLTF, resolve })).resolves.toBeDefined();
        }
    });

    test.each([7, 'text', null, undefined, [1, 2], {}, new Float32Array(4), new DataView(new ArrayBuffer(4))])(
        'names the file for which resolve returns %p',
        async (value) => {
            await expect(reader({ bytes: GLTF, resolve: give(value) })).rejects.toMatchObject({
                name: 'TypeError',
                code: 'ERR_ARGUMENT_TYPE',
                message: expect.stringMatching(/"hero one\.bin" must be a Uint8Array or ArrayBuffer, got /),
            });
        },
    );

    test('names the file for which resolve returns a detached buffer', async () => {
        for (const partOf of [(bytes: Uint8Array) => bytes, ({ buffer }: Uint8Array) => buffer]) {
            const bytes = partOf(BIN.slice());
            structuredClone(bytes, { transfer: [bytes instanceof Uint8Array ? bytes.buffer : bytes] as never });
            await expect(reader({ bytes: GLTF, resolve: give(bytes) })).rejects.toMatchObject({
                name: 'TypeError',
                code: 'ERR_DETACHED_BUFFER',
                message: expect.stringContaining('"hero one.bin"'),
            });
        }
    });

    test('an error of resolve is an InputError with its cause, also if it is thrown synchronously', async () => {
        const cause = new Error('no');
        const failing: Resolve[] = [
            async () => Promise.reject(cause),
            () => {
                throw cause;
            },
        ];
        for (const resolve of failing) {
            await expect(reader({ bytes: GLTF, resolve })).rejects.toMatchObject({ code: 'FILE_UNREADABLE', cause });
        }
    });

    test('bytes transferred right after the call are an error with a code', async () => {
        const bytes = skinnedModel().toGlb();
        const read = reader({ bytes: bytes.buffer as ArrayBuffer });
        structuredClone(bytes, { transfer: [bytes.buffer] });
        // Rig.load does not copy its bytes, and reports that its argument changed.
        await expect(read).rejects.toMatchObject({
            code: expect.stringMatching(/^ERR_(DETACHED_BUFFER|BUFFER_CHANGED)$/),
            message: expect.stringMatching(/detached/),
        });
    });
});

test('bytes of one buffer that are transferred while another is read', async () => {
    const model = skinnedModel();
    model.json.buffers.push({ byteLength: 4, uri: 'second.bin' });
    const first = BIN.slice();
    const resolve: Resolve = async (path) => {
        if (path === 'second.bin') structuredClone(first, { transfer: [first.buffer] });
        return path === 'second.bin' ? new Uint8Array(4) : first;
    };
    await expect(READERS.bakeFile!({ bytes: model.toGltf('first.bin'), resolve })).rejects.toMatchObject({
        code: 'ERR_DETACHED_BUFFER',
    });
});

describe.each(WITH_SIGNAL)('the signal of %s', (name) => {
    test('ends a resolve that never settles, and leaves no listener', async () => {
        const controller = new AbortController();
        const reason = new Error('enough');
        let asked = () => {};
        const waiting = new Promise<void>((go) => {
            asked = go;
        });
        const resolve: Resolve = () => {
            asked();
            return new Promise(() => {});
        };
        const read = READERS[name]!({ bytes: GLTF, resolve, signal: controller.signal });
        await Promise.race([waiting, read]);
        controller.abort(reason);
        await expect(read).rejects.toBe(reason);
    });

    test('ends a resolve that fails later, and its error is ignored', async () => {
        const controller = new AbortController();
        const reason = new Error('enough');
        const resolve: Resolve = async () => {
            controller.abort(reason);
            await new Promise((go) => setTimeout(go, 5));
            throw new Error('later');
        };
        const read = READERS[name]!({ bytes: GLTF, resolve, signal: controller.signal });
        await expect(read).rejects.toBe(reason);
        await new Promise((go) => setTimeout(go, 20)); // an unhandled rejection would end the process
    });
});

test.each(['bakeFile', 'reduceFile'])(
    'an image for which resolve of %s returns a number is an error, too',
    async (name) => {
        const resolve = (async (path: string) => (path === 'skin.png' ? 7 : BIN)) as unknown as Resolve;
        const input = named({ bytes: GLTF, resolve });
        const run = name === 'bakeFile' ? bakeFile(input, { emit: ['glb'] }) : reduceFile(input);
        await expect(run).rejects.toMatchObject({
            code: 'ERR_ARGUMENT_TYPE',
            message: expect.stringContaining('skin.png'),
        });
    },
);
