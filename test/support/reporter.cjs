// SPDX-License-Identifier: MIT
'use strict';

/**
 * A jest reporter: prints which implementations were really tested, and turns skips that nobody agreed to into
 * failures, so that nothing passes vacuously.
 */

/**
 * A skipped test says why at the end of its title. In CI these are the only reasons that count: those that name a system only
 * on others, that of WebAssembly only in `npm run test:wasm`.
 */
const REASONS_IN_CI = [
    { reason: /^\.\.\/shared(\/models)? is absent$/, counts: () => true },
    { reason: /^the CPU lacks .+$/, counts: () => true },
    { reason: /^POSELANE_BACKEND=wasm$/, counts: ({ env }) => env?.npm_lifecycle_event === 'test:wasm' },
    { reason: /^needs x86-64 Linux$/, counts: ({ platform, arch }) => `${platform}-${arch}` !== 'linux-x64' },
    { reason: /^needs (Linux( on x86-64 or arm64)?|\/dev\/full)$/, counts: ({ platform }) => platform !== 'linux' },
    {
        reason: /^needs (POSIX( \w+)?|a POSIX shell|python3 and pseudo-terminals)$/,
        counts: ({ platform }) => platform === 'win32',
    },
];
const REASON = /[[(]skipped: (.+)[\])]$/;
const IMPLEMENTATION = /^[a-z0-9]+\/[a-z0-9-]+$/;

class Reporter {
    /** jest gives its settings first; `system` is another one in this reporter's own test. */
    constructor({ testNamePattern = '' } = {}, { system = process, ci = process.env.CI } = {}) {
        // Tests that nobody asked for (jest -t) are told as skipped ones are.
        this.all = testNamePattern === '';
        this.system = system;
        this.ci = ci;
        this.tested = new Map();
        this.skipped = new Map();
    }

    onTestResult(_test, { testResults }) {
        for (const { status, ancestorTitles, title, fullName } of testResults) {
            if (status === 'passed' || status === 'failed') {
                for (const name of new Set(ancestorTitles.filter((ancestor) => IMPLEMENTATION.test(ancestor)))) {
                    this.tested.set(name, (this.tested.get(name) ?? 0) + 1);
                }
            } else {
                const titles = [...ancestorTitles, title].map((text) => REASON.exec(text)?.[1]);
                const reason = titles.find((found) => found !== undefined) ?? `no reason: ${fullName}`;
                this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
            }
        }
    }

    onRunComplete() {
        const tested = [...this.tested].sort().map(([name, count]) => `${name} (${count} tests)`);
        console.log(`\nImplementations tested: ${tested.length > 0 ? tested.join(', ') : 'none'}`);
        for (const [reason, count] of this.all ? this.skipped : []) console.log(`Skipped: ${count} tests, ${reason}`);
        const isAllowed = (given) =>
            REASONS_IN_CI.some(({ reason, counts }) => reason.test(given) && counts(this.system));
        const isRefused = (reason) => (this.ci ? !isAllowed(reason) : reason.startsWith('no reason: '));
        const refused = this.all ? [...this.skipped.keys()].filter(isRefused) : [];
        if (refused.length > 0) {
            this.error = new Error(`Tests were skipped that must run here: ${refused.join('; ')}`);
            console.error(this.error.message);
        }
    }

    getLastError() {
        return this.error;
    }
}

module.exports = Reporter;
