// SPDX-License-Identifier: MIT

/** Several processes and calls write one bake. Readers get whole pairs at all times. */

import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type WriteOptions, writeBake } from '../../../lib/bake';
import { BakedTable } from '../../../lib/table';
import { readBake } from '../../../lib/verify/read-bake';
import { startNode } from '../../support/processes';
import { rounds } from '../../support/rounds';
import { smallBake } from '../../table/small-bake';

const BAKE = join(__dirname, '../../../dist/bake');
const STEMS = ['a', 'b'];

let folder: string;
beforeEach(async () => {
    folder = await nodeFiles.mkdtemp(join(tmpdir(), 'poselane-writers-'));
});
afterEach(() => nodeFiles.rm(folder, { recursive: true, force: true }));

/** A bake of two pairs, with `rows` rows of the same number in both. */
function bakeOf(number: number, rows = 100) {
    return STEMS.map((stem) => {
        const clip = { frameCount: rows, duration: (rows - 1) / 10, lastFrameTime: (rows - 1) / 10 };
        const morph = { layout: 'weights', shape: [1], data: new Float32Array(rows).fill(number) };
        const { manifest, bin } = smallBake([clip], { morph });
        const sha256 = createHash('sha256').update(bin).digest('hex');
        const source = { name: 'a.glb', sha256: '' };
        Object.assign(manifest, { source, binary: { ...manifest.binary, uri: `${stem}.bake.bin`, sha256 } });
        return { stem, json: JSON.stringify(manifest), bin };
    });
}

/** The numbers in both stored pairs; NaN for a torn pair. */
async function numbersIn(): Promise<number[]> {
    return Promise.all(
        STEMS.map(async (stem) => {
            const json = await nodeFiles.readFile(join(folder, `${stem}.bake.json`), 'utf8');
            const bin = await nodeFiles.readFile(join(folder, `${stem}.bake.bin`));
            const agree = createHash('sha256').update(bin).digest('hex') === JSON.parse(json).binary.sha256;
            return agree ? bin.readFloatLE(0) : Number.NaN;
        }),
    );
}

interface Writer {
    readonly process: ChildProcess;
    /** A bake of {@link bakeOf}; until the process answers. */
    write(number: number, rows: number, answer?: string): Promise<void>;
}

/** A process that writes each number it receives, and reports it. `waitsAt`: it stops at this rename, and reports that. */
async function startWriter(waitsAt = -1): Promise<Writer> {
    const script = `
        const fs = require('node:fs/promises');
        const { writeBake } = require(${JSON.stringify(BAKE)});
        let renames = 0;
        const rename = async (from, to) => {
            if (renames++ === ${waitsAt}) {
                process.send('waits');
                await new Promise(() => {});
            }
            return fs.rename(from, to);
        };
        process.on('message', async (bake) => {
            const outputs = bake.map(({ bin, ...rest }) => ({ ...rest, bin: Buffer.from(bin, 'base64') }));
            const written = writeBake(outputs, ${JSON.stringify(folder)}, { files: { ...fs, rename } });
            process.send(await written.then(() => 'done', String));
        });
        process.send('ready');`;
    const child = startNode(['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    return {
        process: child,
        async write(number, rows, answer = 'done') {
            const answered = once(child, 'message');
            const bake = bakeOf(number, rows);
            child.send(bake.map(({ bin, ...rest }) => ({ ...rest, bin: Buffer.from(bin).toString('base64') })));
            expect((await answered)[0]).toBe(answer);
        },
    };
}

async function expectOneWhole(writeBoth: () => Promise<unknown>): Promise<void> {
    for (let round = 0; round < rounds(5); round++) {
        await writeBoth();
        const [a, b] = await numbersIn();
        expect([1, 2]).toContain(a);
        expect(b).toBe(a);
    }
    expect(await nodeFiles.readdir(folder)).toHaveLength(4);
}

test('two calls at once in one process: the files are all from one of them', async () => {
    await expectOneWhole(() => Promise.all([writeBake(bakeOf(1), folder), writeBake(bakeOf(2, 99), folder)]));
}, 600_000);

test('two processes at once: the files are all from one of them', async () => {
    const writers = [await startWriter(), await startWriter()];
    try {
        await expectOneWhole(() => Promise.all(writers.map((writer, i) => writer.write(i + 1, 100 - i))));
    } finally {
        for (const { process } of writers) process.kill('SIGKILL');
    }
}, 600_000);

describe('another process that writes between any two steps', () => {
    type Files = NonNullable<WriteOptions['files']>;
    const NAMES = STEMS.flatMap((stem) => [`${stem}.bake.bin`, `${stem}.bake.json`]);

    /** The file system, with another action before each step. */
    const filesWith = (happens: (step: number, to: string) => Promise<void>): Files => {
        let steps = 0;
        const then =
            (run: Files['link']): Files['link'] =>
            async (from, to) => {
                await happens(steps++, String(to));
                return run(from, to);
            };
        return { ...nodeFiles, link: then(nodeFiles.link), rename: then(nodeFiles.rename) };
    };

    /** As the other process does it. */
    const place = async (number: number, names: readonly string[] = NAMES) => {
        const files = bakeOf(number, 99).flatMap(({ stem, json, bin }) => [
            { name: `${stem}.bake.bin`, bytes: bin },
            { name: `${stem}.bake.json`, bytes: json },
        ]);
        for (const { name, bytes } of files.filter(({ name }) => names.includes(name))) {
            await nodeFiles.writeFile(join(folder, 'other'), bytes);
            await nodeFiles.rename(join(folder, 'other'), join(folder, name));
        }
    };

    // Four links, four renames.
    test.each([0, 1, 2, 3, 4, 5, 6, 7])('at step %i: its files are replaced', async (at) => {
        await writeBake(bakeOf(0), folder);
        const files = filesWith(async (step) => (step === at ? place(2) : undefined));
        await writeBake(bakeOf(1), folder, { files });
        expect(await numbersIn()).toEqual([1, 1]);
    });

    test('a call that fails meanwhile does not restore the earlier bake', async () => {
        await writeBake(bakeOf(0), folder);
        const files = filesWith(async (_, to) => {
            if (!to.endsWith('b.bake.json')) return;
            await place(2);
            throw new Error('disk failed');
        });
        await expect(writeBake(bakeOf(1), folder, { files })).rejects.toThrow('disk failed');
        expect(await numbersIn()).toEqual([2, 2]);
        expect((await nodeFiles.readdir(folder)).sort()).toEqual(NAMES);
    });

    test('all the time, the error says so', async () => {
        const files = filesWith(async (_, to) => (to.endsWith('a.bake.json') ? place(2, ['a.bake.bin']) : undefined));
        await expect(writeBake(bakeOf(1), folder, { files })).rejects.toMatchObject({ code: 'EBUSY', path: folder });
    });
});

test.each([0, 1])('a writer replaces or removes the files of one that was killed at rename %i', async (at) => {
    const killed = await startWriter(at);
    const next = await startWriter();
    try {
        await killed.write(1, 100, 'waits');
        killed.process.kill('SIGKILL');
        await once(killed.process, 'exit');
        expect((await nodeFiles.readdir(folder)).some((name) => name.startsWith('.'))).toBe(true);
        await next.write(2, 100);
        expect(await numbersIn()).toEqual([2, 2]);
        expect(await nodeFiles.readdir(folder)).toHaveLength(4);
    } finally {
        for (const { process } of [killed, next]) process.kill('SIGKILL');
    }
});

test('during rebakes every reader gets a whole pair, and a manifest all the time', async () => {
    const path = join(folder, 'a.bake.json');
    await writeBake(bakeOf(0), folder);
    const writer = await startWriter();
    let reads = 0;
    let rebakes = 0;
    const rebake = async () => {
        while (reads < rounds(20)) {
            await writer.write(++rebakes, 100 + (rebakes % 2));
            // A reader gives up after eight pairs that do not belong together, which without any pause are there to be met.
            await setTimeout(10);
        }
    };
    const read = async () => {
        for (; reads < rounds(20); reads++) {
            JSON.parse(await nodeFiles.readFile(path, 'utf8')); // ENOENT would be an error
            const table = await BakedTable.load(pathToFileURL(path), nodeFiles.readFile);
            expect(table.arrays.morph!.data.every((x, _, all) => x === all[0])).toBe(true);
            expect((await readBake(path)).agree).toBe(true);
        }
    };
    try {
        await Promise.all([rebake(), read()]);
    } finally {
        reads = Infinity;
        writer.process.kill('SIGKILL');
    }
    expect(rebakes).toBeGreaterThan(0);
}, 600_000);
