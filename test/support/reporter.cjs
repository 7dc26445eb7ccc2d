// SPDX-License-Identifier: MIT
'use strict';

/**
 * A jest reporter: prints which implementations ran in tests, and why tests were skipped. In CI a skip is a failure unless its
 * reason is in REASONS_IN_CI; elsewhere any reason will do.
 */

const posix = process.platform !== 'win32';
const linux = process.platform === 'linux';
/** Reasons for which a test can be skipped in CI on this system. A skipped test gives its reason at the end of its title. */
const REASONS_IN_CI = [
    /^\.\.\/shared(\/models)? is absent$/,
    /^the CPU lacks .+$/,
    process.env.npm_lifecycle_event === 'test:wasm' && /^POSELANE_BACKEND=wasm$/,
    !(linux && process.arch === 'x64') && /^needs x86-64 Linux$/,
    !linux && /^needs (Linux( on x86-64 or arm64)?|\/dev\/full)$/,
    !posix && /^needs (POSIX( \w+)?|a POSIX shell|python3 and pseudo-terminals)$/,
].filter(Boolean);
const REASON = /[[(]skipped: (.+)[\])]$/;
const IMPLEMENTATION = /^[a-z0-9]+\/[a-z0-9-]+$/;

module.exports = class Reporter {
    tested = new Map();
    skipped = new Map();

    constructor({ testNamePattern = '' } = {}) {
        // Jest reports tests that `-t` leaves out as skipped.
        this.all = testNamePattern === '';
    }

    onTestResult(_test, { testResults }) {
        const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
        for (const { status, ancestorTitles, title, fullName } of testResults) {
            if (status === 'passed' || status === 'failed') {
                const names = new Set(ancestorTitles.filter((ancestor) => IMPLEMENTATION.test(ancestor)));
                for (const name of names) count(this.tested, name);
            } else {
                const reasons = [...ancestorTitles, title].map((text) => REASON.exec(text)?.[1]);
                count(this.skipped, reasons.find(Boolean) ?? `no reason: ${fullName}`);
            }
        }
    }

    onRunComplete() {
        const tested = [...this.tested].sort().map(([name, count]) => `${name} (${count} tests)`);
        console.log(`\nImplementations tested: ${tested.join(', ') || 'none'}`);
        const skipped = this.all ? [...this.skipped] : [];
        for (const [reason, count] of skipped) console.log(`Skipped: ${count} tests, ${reason}`);
        const refused = skipped
            .map(([reason]) => reason)
            .filter((given) =>
                process.env.CI ? !REASONS_IN_CI.some((reason) => reason.test(given)) : given.startsWith('no reason: '),
            );
        if (refused.length === 0) return;
        this.error = new Error(`Tests were skipped that must run here: ${refused.join('; ')}`);
        console.error(this.error.message);
    }

    getLastError() {
        return this.error;
    }
};
