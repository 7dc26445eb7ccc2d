// SPDX-License-Identifier: MIT

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = join(__dirname, '../../../..');
const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

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

/** All that the files above have wrong, but for the implementations, which none of them has. */
function faultsOf(prebuilds: string, platform: string): string[] {
    const { faults } = check(prebuilds, platform);
    expect(faults.some((fault) => /lacks strict\//.test(fault))).toBe(true);
    return faults.filter((fault) => !/lacks strict\//.test(fault)).map((fault) => fault.replace(/^release: /, ''));
}

/** What links an addon for another system than this one, and reads it. */
const TOOLS = ['clang-14', 'ld64.lld-14', 'lld-link-14', 'llvm-readobj-14'];
const missing = TOOLS.filter((tool) => runProgram(tool, ['--version']).status !== 0);
const testOther = missing.length === 0 ? test : test.skip;
const without = missing.length === 0 ? '' : ` [skipped: ${missing.join(', ')} not installed]`;

function run(command: string, ...args: string[]): void {
    const { status, stderr } = runProgram(command, args);
    expect([status, stderr]).toEqual([0, '']);
}

interface Foreign {
    readonly exports: readonly string[];
    /** The library that it needs. */
    readonly library: string;
}

function compile(file: string, target: string, exports: readonly string[], source = ''): string {
    const attribute = target.includes('windows') ? 'dllexport' : 'visibility("default")';
    const functions = exports.map((name) => `__attribute__((${attribute})) int ${name}(void) { return 8; }`);
    writeFileSync(`${file}.c`, [source, 'int unseen(void) { return 1; }', ...functions].join('\n'));
    run('clang-14', '-target', target, '-fvisibility=hidden', '-c', `${file}.c`, '-o', `${file}.o`);
    return `${file}.o`;
}

/** For Apple silicon. */
function linkMachO(file: string, { library, minimum, exports }: Foreign & { minimum: string }): void {
    const object = compile(file, 'arm64-apple-macos11', exports);
    const stub = `--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\ninstall-name: '${library}'\n...\n`;
    writeFileSync(`${file}.tbd`, stub);
    const version = ['-platform_version', 'macos', minimum, minimum];
    run('ld64.lld-14', '-bundle', '-arch', 'arm64', ...version, '-o', file, object, `${file}.tbd`);
}

/** For 64-bit Windows; `delayed` is looked up at the first call. */
function linkPe(file: string, { library, delayed, exports }: Foreign & { delayed: string }): void {
    const libraries = [library, delayed].map((name, i) => {
        const [definitions, stub] = [`${file}${i}.def`, `${file}${i}.lib`];
        writeFileSync(definitions, `LIBRARY ${name}\nEXPORTS\nf${i}\n`);
        run('llvm-dlltool-14', '-m', 'i386:x86-64', '-d', definitions, '-l', stub);
        return stub;
    });
    const calls = 'int f0(void), f1(void); int call(void) { return f0() + f1(); } void __delayLoadHelper2(void) {}';
    const object = compile(file, 'x86_64-w64-windows-gnu', exports, calls);
    const options = ['/dll', '/noentry', '/include:call', `/delayload:${delayed}`, `/out:${file}`];
    run('lld-link-14', ...options, object, ...libraries);
}

describe('the release check, of prebuilds for other systems', () => {
    const scratch = scratchFolder();
    let folders = 0;
    const folder = () => join(scratch(), String(folders++));
    const skipped = (platform: string) => PLATFORM === platform;

    testOther(`reads Mach-O: libraries, the oldest macOS, exports${without}`, () => {
        if (skipped('darwin-arm64')) return;
        const at = folder();
        const good = { library: '/usr/lib/libSystem.B.dylib', minimum: '11.0', exports: ENTRY_POINTS };
        linkMachO(place(at, 'darwin-arm64'), good);
        expect(faultsOf(at, 'darwin-arm64')).toEqual([]);
        const bad = { library: '/opt/lib/libomp.dylib', minimum: '14.2', exports: [...ENTRY_POINTS, 'other'] };
        linkMachO(place(at, 'darwin-arm64'), bad);
        expect(faultsOf(at, 'darwin-arm64')).toEqual([
            'darwin-arm64: needs /opt/lib/libomp.dylib',
            'darwin-arm64: needs macOS_14.2',
            'darwin-arm64: exports other',
        ]);
    });

    const WINDOWS = { library: 'KERNEL32.dll', delayed: 'node.exe', exports: ENTRY_POINTS };

    testOther(`reads PE: libraries and exports${without}`, () => {
        if (skipped('win32-x64')) return;
        const at = folder();
        linkPe(place(at, 'win32-x64'), WINDOWS);
        expect(faultsOf(at, 'win32-x64')).toEqual([]);
        const bad = { library: 'libstdc++-6.dll', delayed: 'Other.exe', exports: [ENTRY_POINTS[0]!, 'other'] };
        linkPe(place(at, 'win32-x64'), bad);
        expect(faultsOf(at, 'win32-x64')).toEqual([
            'win32-x64: needs libstdc++-6.dll',
            'win32-x64: needs other.exe',
            'win32-x64: exports other',
            `win32-x64: does not export ${ENTRY_POINTS[1]}`,
        ]);
    });

    testOther(`sees where MSVC's linker has left the debugging information, but not its name alone${without}`, () => {
        if (skipped('win32-x64')) return;
        const at = folder();
        const file = place(at, 'win32-x64');
        linkPe(file, WINDOWS);
        const addon = readFileSync(file);
        const faultsWith = (information: string) => {
            // As its linker writes it: a signature, 16 bytes, the age and the name.
            writeFileSync(file, Buffer.concat([addon, Buffer.from(`RSDS${'\x01'.repeat(20)}${information}\0`)]));
            return faultsOf(at, 'win32-x64');
        };
        const wrong = ['D:\\a\\poselane\\build\\Release\\poselane.pdb', 'c:/Some Body/build/poselane.pdb'];
        expect(wrong.map(faultsWith)).toEqual(
            wrong.map((name) => [`win32-x64: names a place on the machine that built it: ${name}`]),
        );
        expect(faultsWith('poselane.pdb')).toEqual([]);
    });

    test('says what is no addon at all', () => {
        const at = folder();
        writeFileSync(place(at, 'win32-x64'), 'x'.repeat(100));
        expect(check(at, 'win32-x64').faults).toEqual(['release: win32-x64: neither ELF nor PE nor Mach-O']);
    });
});

test('the table of platforms in docs/install.md is that of prebuilds/platforms.json, and nothing is shipped untested', () => {
    const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
    const platforms = JSON.parse(readFileSync(join(ROOT, 'prebuilds/platforms.json'), 'utf8'));
    for (const [platform, { prebuilt, tested }] of Object.entries<{ prebuilt: boolean; tested: string }>(platforms)) {
        const [row = ''] = page.match(new RegExp(`^\\|.*\\(\`${platform}\`\\).*$`, 'm')) ?? [];
        const [, , addon, how] = row.split('|').map((cell) => cell.trim());
        expect([platform, /^prebuilt/.test(addon ?? ''), how]).toEqual([platform, prebuilt, tested]);
        expect([platform, prebuilt && tested === 'not yet']).toEqual([platform, false]);
    }
});
