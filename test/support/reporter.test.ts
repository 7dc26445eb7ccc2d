// SPDX-License-Identifier: MIT

/** In CI a test may be skipped for what that system cannot have, and for nothing else. */

const Reporter = require('./reporter.cjs') as new (
    settings: unknown,
    options: { system: { platform: string; arch: string }; ci: string },
) => { onTestResult(test: unknown, results: object): void; onRunComplete(): void; getLastError(): Error | undefined };

const LINUX = { platform: 'linux', arch: 'x64' };
const ARM = { platform: 'linux', arch: 'arm64' };
const MAC = { platform: 'darwin', arch: 'arm64' };
const WINDOWS = { platform: 'win32', arch: 'x64' };

/** What a run with one skipped test of that title ends with. */
function verdict(title: string, system = LINUX, ci = 'true', testNamePattern = ''): string | undefined {
    const reporter = new Reporter({ testNamePattern }, { system, ci });
    const passed = { status: 'passed', ancestorTitles: ['strict/sse2'], title: 'a', fullName: 'strict/sse2 a' };
    reporter.onTestResult(null, {
        testResults: [passed, { status: 'pending', ancestorTitles: [], title, fullName: title }],
    });
    const log = jest.spyOn(console, 'log').mockImplementation();
    const error = jest.spyOn(console, 'error').mockImplementation();
    reporter.onRunComplete();
    expect(log.mock.calls.flat().join('\n')).toContain('strict/sse2 (1 tests)');
    log.mockRestore();
    error.mockRestore();
    return reporter.getLastError()?.message;
}

const skipped = (reason: string) => `a test [skipped: ${reason}]`;

test.each(['../shared/models is absent', '../shared is absent', 'the CPU lacks AVX-512'])('anywhere: %s', (reason) => {
    for (const system of [LINUX, ARM, MAC, WINDOWS]) expect(verdict(skipped(reason), system)).toBeUndefined();
});

test.each([
    ['needs x86-64 Linux', [ARM, MAC, WINDOWS]],
    ['needs Linux', [MAC, WINDOWS]],
    ['needs Linux on x86-64 or arm64', [MAC, WINDOWS]],
    ['needs /dev/full', [MAC, WINDOWS]],
    ['needs POSIX', [WINDOWS]],
    ['needs POSIX links', [WINDOWS]],
    ['needs a POSIX shell', [WINDOWS]],
    ['needs python3 and pseudo-terminals', [WINDOWS]],
])('only where there is none: %s', (reason, systems) => {
    for (const system of [LINUX, ARM, MAC, WINDOWS]) {
        const message = verdict(skipped(reason), system);
        if (systems.includes(system)) expect(message).toBeUndefined();
        else expect(message).toBe(`Tests were skipped that must run here: ${reason}`);
    }
});

test.each([
    'no C++ compiler',
    'POSELANE_BACKEND=ts',
    '../shared/models/Fox.glb is absent',
    'needs draco3dgltf',
    'later',
])('nowhere: %s', (reason) => {
    for (const system of [LINUX, ARM, MAC, WINDOWS]) expect(verdict(skipped(reason), system)).toContain(reason);
});

test('only where WebAssembly is asked for: POSELANE_BACKEND=wasm', () => {
    const asked = { ...LINUX, env: { npm_lifecycle_event: 'test:wasm' } };
    expect(verdict(skipped('POSELANE_BACKEND=wasm'), asked)).toBeUndefined();
    expect(verdict(skipped('POSELANE_BACKEND=wasm'))).toContain('POSELANE_BACKEND=wasm');
});

test('without CI any reason will do, but there has to be one', () => {
    expect(verdict(skipped('no C++ compiler'), LINUX, '')).toBeUndefined();
    expect(verdict('a test', LINUX, '')).toContain('no reason: a test');
});

test('what jest -t leaves out is no skip', () => {
    expect(verdict('a test', LINUX, '', 'another test')).toBeUndefined();
});
