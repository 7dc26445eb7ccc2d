// SPDX-License-Identifier: MIT

/**
 * npm run complete-lock, after npm install: adds the optional packages of other platforms that npm left out of
 * package-lock.json because the registry did not have them. Without them `npm ci` rejects the lock everywhere.
 *
 * The name of such a package has its system; on other systems npm does not ask for it.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPUS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
let added = 0;
for (const [where, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
        const known = [`${where}/node_modules/${name}`, `node_modules/${name}`].some((at) => lock.packages[at]);
        const os = SYSTEMS.find((system) => name.includes(`-${system}`));
        const cpu = CPUS.find((candidate) => name.includes(`-${candidate}`));
        // Only pinned packages of one system: npm must resolve all others.
        if (known || !/^\d/.test(version) || os === undefined || cpu === undefined) continue;
        lock.packages[`node_modules/${name}`] = {
            version,
            cpu: [cpu],
            ...(dev ? { dev } : {}),
            optional: true,
            os: [os],
        };
        added++;
    }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} packages of other platforms added`);
