// SPDX-License-Identifier: MIT

/** Runs smoke.cjs in a runtime, and compares its report with the golden files. */

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { goldenFaults } from '../../../test/long/sweep/emulated.mjs';
import { root, runCommand } from '../../lib.mjs';

const goldenBake = JSON.parse(fs.readFileSync(path.join(root, 'test/golden/character.json'), 'utf8'));

/** Faults of a report, as sentences. `backend` is the expected one. */
function faultsOfReport(report, backend) {
    const faults = goldenFaults(report, [report.implementation]);
    if (report.backend !== backend) {
        const reason = report.reason ? `: ${report.reason}` : '';
        faults.push(`runs on the ${report.backend} backend, not ${backend}${reason}`);
    }
    for (const [routine, { outputs }] of Object.entries(report.hashes)) {
        if (Object.keys(outputs).length === 0) faults.push(`${routine}: was not run`);
    }
    if (report.bake !== goldenBake.sha256) faults.push('the example is baked to other bytes');
    return faults;
}

/**
 * Runs smoke.cjs on a package.
 *
 * @param command The runtime, with its arguments before the script.
 * @param asSeen Converts a path to that of the runtime, which differs in Wine.
 * @returns `{ report, faults }`, or only `{ faults }`.
 */
export async function smoke(command, packageFolder, { backend, env, asSeen = (file) => file }) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-smoke-'));
    try {
        const reportFile = path.join(folder, 'report.json');
        const files = [
            path.join(root, 'scripts/release/smoke/smoke.cjs'),
            packageFolder,
            reportFile,
            path.join(root, 'examples/character.glb'),
        ];
        const { status, output } = await runCommand(command[0], [...command.slice(1), ...files.map(asSeen)], { env });
        const text = fs.existsSync(reportFile) ? fs.readFileSync(reportFile, 'utf8') : null;
        if (text === null) return { faults: [`ended with ${status}: ${output.trim().slice(-2000)}`] };
        const report = JSON.parse(text);
        if (report.error) return { faults: [report.error] };
        // It must not print anything.
        const said = output.trim() === '' || env?.WINEPREFIX ? [] : [`printed: ${output.trim()}`];
        return { report, faults: [...said, ...faultsOfReport(report, backend)] };
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}
