// SPDX-License-Identifier: MIT

import { openContainer, withSpaces } from '../../lib/gltf/container';
import { createReport } from '../../lib/gltf/reading';
import { glb, skinnedModel } from './support/builder';
import { expectFault, NAME, read } from './support/faults';

const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const utf8 = (text: string) => new TextEncoder().encode(text);
const MINIMAL = utf8('{"asset":{"version":"2.0"}}  ');
/** 28 bytes. */
const PADDED = utf8('{"asset":{"version":"2.0"}} ').subarray(0, 28);
const TEXT = [JSON_CHUNK, PADDED] as const;
const BIN = [BIN_CHUNK, new Uint8Array(4)] as const;
const UNKNOWN = [0x58585858, new Uint8Array(4)] as const;

const notGltf = (bytes: Uint8Array, rule: RegExp, pointer = '') =>
    expectFault(bytes, { code: 'NOT_GLTF', pointer, rule });

const open = async (bytes: Uint8Array) => {
    const report = createReport(NAME);
    const seen: Uint8Array[] = [];
    const opened = await openContainer(
        () => bytes,
        report,
        (json) => seen.push(json),
    );
    expect(seen).toHaveLength(1);
    return { ...opened, jsonBytes: seen[0]!, warnings: report.warnings as { code: string }[] };
};

/** Truncates a GLB, and optionally writes the new length to its header. */
function truncate(bytes: Uint8Array, length: number, patch: boolean): Uint8Array {
    const cut = bytes.slice(0, length);
    if (patch && length >= 12) new DataView(cut.buffer).setUint32(8, length, true);
    return cut;
}

test('a GLB consists of JSON, its chunk with padding, and BIN', async () => {
    const bin = new Uint8Array([1, 2, 3, 4]);
    const opened = await open(glb([TEXT, [BIN_CHUNK, bin]]));
    expect(opened.json).toEqual({ asset: { version: '2.0' } });
    expect(Buffer.from(opened.jsonBytes).equals(PADDED)).toBe(true);
    expect([...opened.bin!]).toEqual([1, 2, 3, 4]);
});

test('a .gltf is JSON in UTF-8; a byte order mark is dropped, and is part of the bytes', async () => {
    const text = '\ufeff{"asset":{"version":"2.0","generator":"ü"}}';
    const { json, jsonBytes, bin } = await open(utf8(text));
    expect(json.asset).toEqual({ version: '2.0', generator: 'ü' });
    expect(jsonBytes.length).toBe(utf8(text).length);
    expect(bin).toBeNull();
});

test('the bytes can start anywhere in their ArrayBuffer', async () => {
    const bytes = skinnedModel().toGlb();
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    expect(await read(shifted)).toEqual(await read(bytes));
});

test('NUL characters after the JSON are read as spaces, with a warning, and are part of the bytes', async () => {
    const json = utf8('{"asset":{"version":"2.0"}}\0\0\0\0\0');
    const opened = await open(glb([[JSON_CHUNK, json]]));
    expect(opened.json).toEqual({ asset: { version: '2.0' } });
    expect(Buffer.from(opened.jsonBytes).equals(json)).toBe(true);
    expect(opened.warnings.map(({ code }) => code)).toEqual(['GLB_JSON_PADDING']);
});

test('a NUL character elsewhere in the JSON is not glTF', () => notGltf(utf8('{"asset":\0{}}'), /must be a GLB file/));

test('withSpaces returns a GLB that other readers accept, and copies only if needed', () => {
    const [nuls, spaces] = ['\0', ' '].map((filler) =>
        glb([
            [JSON_CHUNK, utf8(`{"asset":{"version":"2.0"}}${filler}`)],
            [BIN_CHUNK, new Uint8Array([1, 2, 3, 0])],
        ]),
    ) as [Uint8Array, Uint8Array];
    const before = nuls.slice();
    expect(withSpaces(nuls)).toEqual(spaces);
    expect(nuls).toEqual(before);
    for (const same of [spaces, utf8('{}'), utf8('{"asset":{"version":"2.0"}}\0'), new Uint8Array(0)]) {
        expect(withSpaces(same)).toBe(same);
    }
});

test('unknown chunks after the second are ignored (4.4.3.1)', async () => {
    expect((await open(glb([TEXT, BIN, UNKNOWN]))).bin).toHaveLength(4);
    expect((await open(glb([TEXT, UNKNOWN]))).bin).toBeNull();
});

describe('a truncated GLB is rejected', () => {
    const whole = skinnedModel().toGlb();
    const jsonLength = new DataView(whole.buffer).getUint32(12, true);
    const boundaries = [12, 16, 20, 20 + jsonLength, 24 + jsonLength, 28 + jsonLength, whole.length];

    test.each(boundaries.filter((boundary) => boundary !== 20 + jsonLength))(
        'before byte %d, with a corrected header',
        async (boundary) => {
            await notGltf(truncate(whole, boundary - 1, true), /GLB/);
        },
    );

    test('between its chunks, with a corrected header: the container is complete, the buffer has no data', async () => {
        const cut = truncate(whole, 20 + jsonLength, true);
        expect((await open(cut)).bin).toBeNull();
        await expectFault(cut, { code: 'GLTF_INVALID', pointer: '/bufferViews/0/buffer', rule: /no data/ });
    });

    test('at every length, with its old header', async () => {
        for (let length = 0; length < whole.length; length++) {
            await notGltf(truncate(whole, length, false), length < 4 ? /GLB/ : /truncated GLB/);
        }
    });
});

const old = glb([TEXT]);
old[4] = 1;

test.each([
    ['of another container version', old, /GLB version 1/],
    ['without chunks', glb([]), /no JSON chunk/],
    ['whose first chunk is not JSON', glb([BIN, TEXT]), /first chunk, and only that, must be JSON/],
    ['with a second JSON chunk', glb([TEXT, TEXT]), /first chunk, and only that, must be JSON/],
    ['with BIN twice', glb([TEXT, BIN, BIN]), /chunk 2: BIN must be the second/],
    ['with BIN in the wrong place', glb([TEXT, UNKNOWN, BIN]), /chunk 2: BIN must be the second/],
    ['with a chunk that ends unaligned before another', glb([[JSON_CHUNK, MINIMAL], BIN]), /on a 4-byte boundary/],
])('a GLB %s is rejected', (_what, bytes, rule) => notGltf(bytes, rule));

test('a last chunk that ends unaligned is read with a warning, padded or not', async () => {
    const bare = glb([[JSON_CHUNK, MINIMAL]]);
    const padded = new Uint8Array(Math.ceil(bare.length / 4) * 4);
    padded.set(bare);
    new DataView(padded.buffer).setUint32(8, padded.length, true);
    expect(bare.length % 4).not.toBe(0);
    for (const bytes of [bare, padded]) {
        expect((await open(bytes)).warnings.map(({ code }) => code)).toEqual(['GLB_UNALIGNED']);
    }
});

test('bytes after the stated length are ignored with a warning', async () => {
    const bytes = glb([TEXT]);
    const longer = new Uint8Array(bytes.length + 5);
    longer.set(bytes);
    expect((await open(longer)).warnings.map(({ code }) => code)).toEqual(['GLB_TRAILING_BYTES']);
});

test.each([
    ['nothing', ''],
    ['three letters', 'glT'],
    ['JSON that ends early', '{"asset":'],
    ['text', 'Hello'],
])('%s is not glTF', (_what, text) => notGltf(utf8(text), /must be a GLB file or JSON in UTF-8/));

test.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['solid cube\nfacet normal 0 0 1\n', 'it begins with "solid cube"'],
    ['404: Not Found', 'it begins with "404: Not Found"'],
    ['<X3D version="3.0">', 'it begins with "<X3D'],
])('%j is not glTF: the message has its start, and no text of the parser', (text, what) =>
    notGltf(utf8(text), new RegExp(`: ${what}.*; check that it is the right file, and complete$`)),
);

test('JSON in another encoding is not glTF', () =>
    notGltf(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), /must be a GLB file or JSON in UTF-8/));

test.each(['[]', 'null', '"glTF"', '7'])('the JSON %s is not glTF', (text) => notGltf(utf8(text), /must be an object/));

test.each([
    ['no asset', '{}', '/asset'],
    ['no version', '{"asset":{}}', '/asset/version'],
    ['a numeric version', '{"asset":{"version":2.0}}', '/asset/version'],
    ['an invalid version', '{"asset":{"version":"2"}}', '/asset/version'],
    ['glTF 1.0', '{"asset":{"version":"1.0"}}', '/asset/version'],
    ['glTF 20.0', '{"asset":{"version":"20.0"}}', '/asset/version'],
    ['a minVersion above 2.0', '{"asset":{"version":"2.1","minVersion":"2.1"}}', '/asset/minVersion'],
])('%s is rejected (3.2)', (_what, text, pointer) => notGltf(utf8(text), /3\.2/, pointer));

test.each(['{"asset":{"version":"2.1"}}', '{"asset":{"version":"2.0","minVersion":"2.0"}}'])(
    'a later minor version is read: %s',
    async (text) => expect((await open(utf8(text))).json.asset).toBeDefined(),
);
