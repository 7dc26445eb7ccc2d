// SPDX-License-Identifier: MIT

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode, runProgram } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const { findCompiler } = require('../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const PLATFORM = `${process.platform}-${process.arch}`;
const ENTRY_POINTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];

/** What the release check says of a folder of prebuilds, without what it says of those that are in order. */
function check(prebuilds: string, platform: string): { status: number | null; faults: string[] } {
    const args = ['scripts/check/release.mjs', '--prebuilds', prebuilds, '--platforms', platform];
    const { status, stderr } = runNode(args, { cwd: ROOT });
    return { status, faults: stderr.split('\n').filter(Boolean) };
}

function place(prebuilds: string, platform: string): string {
    const file = join(prebuilds, platform, 'poselane.node');
    mkdirSync(dirname(file), { recursive: true });
    return file;
}

/** A shared library with the entry points and whatever else the source has. */
function link(file: string, source: string, ...args: string[]): void {
    const code = join(dirname(file), 'addon.c');
    const entries = ENTRY_POINTS.map(
        (name) => `__attribute__((visibility("default"))) int ${name}(void) { return 8; }`,
    );
    writeFileSync(code, [...entries, source].join('\n'));
    const flags = ['-shared', '-fPIC', '-fvisibility=hidden', '-o', file, '-x', 'c', code, '-x', 'none'];
    const { status, stderr } = runProgram(findCompiler()!, [...flags, ...args]);
    expect([status, stderr]).toEqual([0, '']);
}

const reason =
    process.platform !== 'linux'
        ? 'needs Linux'
        : findCompiler() === null
          ? 'no C++ compiler'
          : process.env.POSELANE_BACKEND === 'ts'
            ? 'POSELANE_BACKEND=ts'
            : null;
const onLinux = reason === null ? describe : describe.skip;

onLinux(`the release check, of a prebuild for Linux${reason === null ? '' : ` [skipped: ${reason}]`}`, () => {
    const scratch = scratchFolder();
    let folders = 0;
    const folder = () => join(scratch(), String(folders++));

    test('finds nothing wrong with the addon of this build', () => {
        const at = folder();
        const addon = readFileSync(join(ROOT, 'build/Release/poselane.node'));
        writeFileSync(place(at, PLATFORM), addon);
        // Only that it may still have the folder's name in it, before it is stripped, is no matter of this test.
        const { faults } = check(at, PLATFORM);
        expect(faults.filter((fault) => !/names a place/.test(fault))).toEqual([]);
    });

    test('sees that one is missing', () => {
        const { status, faults } = check(folder(), PLATFORM);
        expect({ status, faults }).toEqual({ status: 1, faults: [`release: ${PLATFORM}: the prebuild is missing`] });
    });

    const WRONG: [string, string, string[], RegExp][] = [
        ['a library beside libc', '', ['-Wl,--no-as-needed', '-lstdc++'], /needs .*libstdc\+\+\.so\.6/],
        [
            'a newer glibc',
            'extern long getrandom(void *, unsigned long, unsigned); long f(void) { return getrandom(0, 0, 0); }',
            ['-Wl,-u,f'],
            /needs .*GLIBC_2\.25/,
        ],
        [
            'another export',
            '__attribute__((visibility("default"))) int other(void) { return 1; }',
            ['-nodefaultlibs'],
            /exports other$/,
        ],
        [
            'a function of the process that not every one has',
            'extern int gone(void); int f(void) { return gone(); }',
            ['-nodefaultlibs'],
            /wants gone of the process/,
        ],
        ['no implementation', '', ['-nodefaultlibs'], /lacks strict\//],
        [
            'a folder of another machine',
            'const char *volatile source = "/home/somebody/poselane/native/addon.cpp";',
            ['-nodefaultlibs'],
            /names a place on the machine that built it: \/home\/somebody\/poselane\/native\/addon\.cpp$/,
        ],
    ];

    test.each(WRONG)('sees %s', (_, source, args, message) => {
        const at = folder();
        link(place(at, PLATFORM), source, ...args);
        const { status, faults } = check(at, PLATFORM);
        expect([status, faults.filter((fault) => message.test(fault)).length]).toEqual([1, 1]);
    });

    test('sees that it is for another processor', () => {
        const at = folder();
        const other = process.arch === 'x64' ? 'linux-arm64' : 'linux-x64';
        link(place(at, other), '', '-nodefaultlibs');
        const { faults } = check(at, other);
        expect(faults).toContain(`release: ${other}: is for linux ${process.arch}`);
    });
});

/** A list of 32-bit numbers, texts (of so many bytes) and buffers, little-endian, one after the other. */
function bytesOf(...parts: (number | [text: string, length: number] | Buffer)[]): Buffer {
    return Buffer.concat(
        parts.map((part) => {
            if (Buffer.isBuffer(part)) return part;
            if (Array.isArray(part)) return Buffer.from(part[0].padEnd(part[1], '\0'), 'latin1');
            const word = Buffer.alloc(4);
            word.writeUInt32LE(part >>> 0);
            return word;
        }),
    );
}

/** A dynamic library for Apple silicon, as Apple's loader.h and nlist.h lay it out. */
function machO({ library, minimum, symbols }: { library: string; minimum: number; symbols: string[] }): Buffer {
    const loaded = bytesOf(0xc, 24 + 64, 24, 0, 0, 0, [library, 64]);
    const version = bytesOf(0x32, 24, 1, minimum, minimum, 0);
    const strings = `\0${symbols.map((name) => `_${name}\0`).join('')}`;
    const start = 32 + loaded.length + version.length + 24;
    const table = symbols.map((name) => bytesOf(strings.indexOf(`_${name}\0`), 0x010f, 0, 0));
    const size = 16 * symbols.length;
    const listed = bytesOf(0x2, 24, start, symbols.length, start + size, strings.length);
    const header = bytesOf(0xfeedfacf, 0x0100000c, 0, 6, 3, loaded.length + version.length + 24, 0, 0);
    return Buffer.concat([header, loaded, version, listed, ...table, Buffer.from(strings, 'latin1')]);
}

/** A library for 64-bit Windows with one section, as Microsoft's specification lays it out. */
function portable({ library, symbols }: { library: string; symbols: string[] }): Buffer {
    const [address, offset, size] = [0x1000, 0x400, 0x400];
    const names = symbols.map((name, k) => ({ name, at: 0x200 + 64 * k }));
    const section = Buffer.alloc(size);
    // Imports: one descriptor, and an empty one behind it.
    section.writeUInt32LE(address + 0x100, 12);
    section.write(`${library}\0`, 0x100, 'latin1');
    // Exports.
    section.writeUInt32LE(names.length, 0x40 + 24);
    section.writeUInt32LE(address + 0x80, 0x40 + 32);
    names.forEach(({ name, at }, k) => {
        section.writeUInt32LE(address + at, 0x80 + 4 * k);
        section.write(`${name}\0`, at, 'latin1');
    });
    const file = Buffer.alloc(offset + size);
    file.write('MZ');
    file.writeUInt32LE(0x40, 0x3c);
    file.write('PE\0\0', 0x40, 'latin1');
    file.writeUInt16LE(0x8664, 0x44);
    file.writeUInt16LE(1, 0x46);
    file.writeUInt16LE(240, 0x54);
    file.writeUInt16LE(0x20b, 0x58);
    file.writeUInt32LE(address + 0x40, 0x58 + 112);
    file.writeUInt32LE(address, 0x58 + 120);
    const header = 0x58 + 240;
    for (const [field, value] of [
        [8, size],
        [12, address],
        [16, size],
        [20, offset],
    ] as const) {
        file.writeUInt32LE(value, header + field);
    }
    section.copy(file, offset);
    return file;
}

/** All that the files above have wrong, but for the implementations, which none of them has. */
function faultsOf(prebuilds: string, platform: string): string[] {
    const { faults } = check(prebuilds, platform);
    expect(faults.some((fault) => /lacks strict\//.test(fault))).toBe(true);
    return faults.filter((fault) => !/lacks strict\//.test(fault)).map((fault) => fault.replace(/^release: /, ''));
}

describe('the release check, of prebuilds for other systems', () => {
    const scratch = scratchFolder();
    let folders = 0;
    const folder = () => join(scratch(), String(folders++));
    const skipped = (platform: string) => PLATFORM === platform;

    test('reads Mach-O: libraries, the oldest macOS, exports', () => {
        if (skipped('darwin-arm64')) return;
        const at = folder();
        const good = { library: '/usr/lib/libSystem.B.dylib', minimum: 11 << 16, symbols: ENTRY_POINTS };
        writeFileSync(place(at, 'darwin-arm64'), machO(good));
        expect(faultsOf(at, 'darwin-arm64')).toEqual([]);
        const bad = {
            library: '/opt/lib/libomp.dylib',
            minimum: (14 << 16) | (2 << 8),
            symbols: [...ENTRY_POINTS, 'other'],
        };
        writeFileSync(place(at, 'darwin-arm64'), machO(bad));
        expect(faultsOf(at, 'darwin-arm64')).toEqual([
            'darwin-arm64: needs /opt/lib/libomp.dylib',
            'darwin-arm64: needs macOS_14.2',
            'darwin-arm64: exports other',
        ]);
    });

    test('reads PE: libraries and exports', () => {
        if (skipped('win32-x64')) return;
        const at = folder();
        writeFileSync(place(at, 'win32-x64'), portable({ library: 'KERNEL32.dll', symbols: ENTRY_POINTS }));
        expect(faultsOf(at, 'win32-x64')).toEqual([]);
        const bad = { library: 'libstdc++-6.dll', symbols: [ENTRY_POINTS[0]!, 'other'] };
        writeFileSync(place(at, 'win32-x64'), portable(bad));
        expect(faultsOf(at, 'win32-x64')).toEqual([
            'win32-x64: needs libstdc++-6.dll',
            'win32-x64: exports other',
            `win32-x64: does not export ${ENTRY_POINTS[1]}`,
        ]);
    });

    test("sees where MSVC's linker has left the debugging information, but not its name alone", () => {
        if (skipped('win32-x64')) return;
        const addon = portable({ library: 'KERNEL32.dll', symbols: ENTRY_POINTS });
        const faultsWith = (information: string) => {
            const at = folder();
            // As its linker writes it: a signature, 16 bytes, the age and the name.
            const record = bytesOf(['RSDS', 4], 1, 2, 3, 4, 1, [information, information.length + 1]);
            writeFileSync(place(at, 'win32-x64'), Buffer.concat([addon, record]));
            return faultsOf(at, 'win32-x64');
        };
        const wrong = ['D:\\a\\poselane\\build\\Release\\poselane.pdb', 'c:/Some Body/build/poselane.pdb'];
        expect(wrong.map(faultsWith)).toEqual(
            wrong.map((file) => [`win32-x64: names a place on the machine that built it: ${file}`]),
        );
        expect(faultsWith('poselane.pdb')).toEqual([]);
    });

    test('says what is no addon at all', () => {
        const at = folder();
        writeFileSync(place(at, 'win32-x64'), 'x'.repeat(100));
        expect(check(at, 'win32-x64').faults).toEqual(['release: win32-x64: neither ELF nor PE nor Mach-O']);
    });
});

test("the README's table of platforms is that of prebuilds/platforms.json, and nothing is shipped untested", () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const platforms = JSON.parse(readFileSync(join(ROOT, 'prebuilds/platforms.json'), 'utf8'));
    for (const [platform, { prebuilt, tested }] of Object.entries<{ prebuilt: boolean; tested: string }>(platforms)) {
        const [row = ''] = readme.match(new RegExp(`^\\|.*\\(\`${platform}\`\\).*$`, 'm')) ?? [];
        const [, , addon, how] = row.split('|').map((cell) => cell.trim());
        expect([platform, /^prebuilt/.test(addon ?? ''), how]).toEqual([platform, prebuilt, tested]);
        expect([platform, prebuilt && tested === 'not yet']).toEqual([platform, false]);
    }
});
