// SPDX-License-Identifier: MIT

/** The release check reports all faults of a faulty addon, in the format of each system. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';
import { testUnless } from '../../../support/unless';

const ROOT = join(__dirname, '../../../..');
const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const HERE = `${process.platform}-${process.arch}`;
const ENTRY_POINTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];

const scratch = scratchFolder();
let folders = 0;

/** A new folder of prebuilds with one addon, which `link` writes, and all that the check reports of it. */
function faultsOf(platform: string, link: (file: string) => void): string[] {
    const prebuilds = join(scratch(), String(folders++));
    const file = join(prebuilds, platform, 'poselane.node');
    mkdirSync(dirname(file), { recursive: true });
    link(file);
    const args = ['scripts/check/release.mjs', '--prebuilds', prebuilds, '--platforms', platform];
    const { status, stderr } = runNode(args, { cwd: ROOT });
    const faults = stderr.split('\n').filter(Boolean);
    expect(status).toBe(faults.length === 0 ? 0 : 1);
    return faults.map((fault) => fault.replace(`release: ${platform}: `, ''));
}

function run(command: string, ...args: string[]): void {
    const { status, stderr } = runProgram(command, args);
    expect([status, stderr]).toEqual([0, '']);
}

/** C source with the exports of an addon. */
function sourceFile(file: string, attribute: string, exports: readonly string[], rest: string): string {
    const functions = exports.map((name) => `__attribute__((${attribute})) int ${name}(void) { return 8; }`);
    writeFileSync(`${file}.c`, [rest, 'int unseen(void) { return 1; }', ...functions].join('\n'));
    return `${file}.c`;
}

const reason = process.platform !== 'linux' ? 'needs Linux' : findCompiler() === null && 'no C++ compiler';

testUnless(reason, 'ELF: libraries, glibc, exports, undefined functions, paths, implementations', () => {
    const source = `extern long getrandom(void *, unsigned long, unsigned); extern int gone(void);
        long f(void) { return getrandom(0, 0, 0) + gone(); }
        const char *volatile source = "/home/somebody/poselane/native/addon.cpp";`;
    const faults = faultsOf(HERE, (file) => {
        const code = sourceFile(file, 'visibility("default")', [...ENTRY_POINTS, 'other'], source);
        const flags = ['-shared', '-fPIC', '-fvisibility=hidden', '-Wl,-u,f', '-Wl,--no-as-needed', '-lstdc++'];
        run(findCompiler()!, '-x', 'c', code, ...flags, '-o', file);
    });
    for (const fault of [
        /needs .*libstdc\+\+\.so\.6/,
        /needs .*GLIBC_2\.25/,
        /^exports other$/,
        /wants getrandom, gone of the process/,
        /^lacks strict\//,
        /names a place on the machine that built it: \/home\/somebody\/poselane\/native\/addon\.cpp$/,
    ]) {
        expect(faults).toContainEqual(expect.stringMatching(fault));
    }
});

testUnless(reason, 'ELF: the addon of this build passes here, and not for another processor', () => {
    const addon = readFileSync(join(ROOT, 'build/Release/poselane.node'));
    // A build that is not stripped has paths in it.
    const faults = faultsOf(HERE, (file) => writeFileSync(file, addon)).filter((fault) => !/names a place/.test(fault));
    expect(faults).toEqual([]);
    const other = process.arch === 'x64' ? 'linux-arm64' : 'linux-x64';
    expect(faultsOf(other, (file) => writeFileSync(file, addon))).toContain(`is for linux ${process.arch}`);
});

const TOOLS = ['clang-14', 'ld64.lld-14', 'lld-link-14', 'llvm-readobj-14'];
const missing = TOOLS.filter((tool) => runProgram(tool, ['--version']).status !== 0);
const without = missing.length > 0 && `${missing.join(', ')} not installed`;

function compile(file: string, target: string, code: string): string {
    run('clang-14', '-target', target, '-fvisibility=hidden', '-c', code, '-o', `${file}.o`);
    return `${file}.o`;
}

testUnless(without, 'Mach-O: libraries, the oldest macOS, exports', () => {
    const faults = faultsOf('darwin-arm64', (file) => {
        const code = sourceFile(file, 'visibility("default")', [...ENTRY_POINTS, 'other'], '');
        const library =
            "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\ninstall-name: '/opt/lib/libomp.dylib'\n...\n";
        writeFileSync(`${file}.tbd`, library);
        const version = ['-platform_version', 'macos', '14.2', '14.2'];
        const object = compile(file, 'arm64-apple-macos11', code);
        run('ld64.lld-14', '-bundle', '-arch', 'arm64', ...version, '-o', file, object, `${file}.tbd`);
    });
    expect(faults).toEqual([
        'needs /opt/lib/libomp.dylib',
        'needs macOS_14.2',
        'exports other',
        expect.stringMatching(/^lacks strict\//),
    ]);
});

testUnless(without, 'PE: libraries, exports, the path of the debugging information', () => {
    const faults = faultsOf('win32-x64', (file) => {
        const libraries = ['libstdc++-6.dll', 'Other.exe'].map((name, i) => {
            writeFileSync(`${file}${i}.def`, `LIBRARY ${name}\nEXPORTS\nf${i}\n`);
            run('llvm-dlltool-14', '-m', 'i386:x86-64', '-d', `${file}${i}.def`, '-l', `${file}${i}.lib`);
            return `${file}${i}.lib`;
        });
        const calls = 'int f0(void), f1(void); int call(void) { return f0() + f1(); } void __delayLoadHelper2(void) {}';
        const code = sourceFile(file, 'dllexport', [ENTRY_POINTS[0]!, 'other'], calls);
        const object = compile(file, 'x86_64-w64-windows-gnu', code);
        const options = ['/dll', '/noentry', '/include:call', '/delayload:Other.exe', `/out:${file}`];
        run('lld-link-14', ...options, object, ...libraries);
        // As MSVC's linker writes it: a signature, 16 bytes, the age and the name.
        const information = Buffer.from(`RSDS${'\x01'.repeat(20)}D:\\a\\poselane\\poselane.pdb\0`);
        writeFileSync(file, Buffer.concat([readFileSync(file), information]));
    });
    expect(faults).toEqual([
        'needs libstdc++-6.dll',
        'needs other.exe',
        'exports other',
        `does not export ${ENTRY_POINTS[1]}`,
        expect.stringMatching(/^lacks strict\//),
        'names a place on the machine that built it: D:\\a\\poselane\\poselane.pdb',
    ]);
});

test('no prebuild, and one in no known format', () => {
    expect(faultsOf('win32-x64', (file) => writeFileSync(file, 'x'.repeat(100)))).toEqual([
        'neither ELF nor PE nor Mach-O',
    ]);
    expect(faultsOf('win32-x64', () => {})).toEqual(['the prebuild is missing']);
});

test('no platform is shipped untested', () => {
    const platforms = JSON.parse(readFileSync(join(ROOT, 'prebuilds/platforms.json'), 'utf8'));
    const shipped = Object.values<{ prebuilt: boolean; tested: string }>(platforms).filter(({ prebuilt }) => prebuilt);
    expect(shipped.length).toBeGreaterThan(0);
    for (const { tested } of shipped) expect(tested).not.toBe('not yet');
});
