// SPDX-License-Identifier: MIT

/** The reporter prints what ran, and fails a run for a skip without an allowed reason. */

const Reporter = require('./reporter.cjs') as new (
    settings: unknown,
) => { onTestResult(test: unknown, results: object): void; onRunComplete(): void; getLastError(): Error | undefined };

/** The error of a run with one skipped test of that title. */
function verdict(title: string, ci: string, testNamePattern = ''): string | undefined {
    const reporter = new Reporter({ testNamePattern });
    const passed = { status: 'passed', ancestorTitles: ['strict/sse2'], title: 'a', fullName: 'strict/sse2 a' };
    const skipped = { status: 'pending', ancestorTitles: [], title, fullName: title };
    reporter.onTestResult(null, { testResults: [passed, skipped] });
    const log = jest.spyOn(console, 'log').mockImplementation();
    const error = jest.spyOn(console, 'error').mockImplementation();
    const before = process.env.CI;
    process.env.CI = ci;
    reporter.onRunComplete();
    if (before === undefined) delete process.env.CI;
    else process.env.CI = before;
    expect(log.mock.calls.flat().join('\n')).toContain('Implementations tested: strict/sse2 (1 tests)');
    for (const spy of [log, error]) spy.mockRestore();
    return reporter.getLastError()?.message;
}

test.each([
    ['a test [skipped: ../shared/models is absent]', 'true', undefined],
    ['a test [skipped: the CPU lacks AVX-512]', 'true', undefined],
    ['a test [skipped: no C++ compiler]', 'true', 'no C++ compiler'],
    ['a test [skipped: POSELANE_BACKEND=ts]', 'true', 'POSELANE_BACKEND=ts'],
    ['a test [skipped: needs POSIX]', 'true', process.platform === 'win32' ? undefined : 'needs POSIX'],
    ['a test', 'true', 'no reason: a test'],
    ['a test', '', 'no reason: a test'],
    ['a test [skipped: no C++ compiler]', '', undefined],
])('%s, CI=%j', (title, ci, reason) => {
    expect(verdict(title, ci)).toBe(reason && `Tests were skipped that must run here: ${reason}`);
    expect(verdict(title, ci, 'another test')).toBeUndefined();
});
