// SPDX-License-Identifier: MIT

/** scripts/release/tools.mjs: when the registry is asked for a program, and when what is there will do. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../../..');
const NAME = `poselane-test-${process.pid}`;
const folder = scratchFolder();

/** In the place of npm: notes what it was asked for, and ends as `NPM_ENDS` says. */
const NPM = `
require('node:fs').appendFileSync(process.env.NPM_LOG, process.argv.slice(2).join(' ') + '\\n');
process.exit(Number(process.env.NPM_ENDS));
`;

/** What npm was asked for on the way, and how it ended. */
function fetchTool(version: string, ends = 0): { asked: string[]; ok: boolean } {
    const npm = path.join(folder(), 'npm-cli.js');
    const log = path.join(folder(), 'log');
    fs.writeFileSync(npm, NPM);
    fs.writeFileSync(log, '');
    const tools = path.join(ROOT, 'scripts/release/tools.mjs');
    const program = `import { fetchTool } from ${JSON.stringify(tools)}; await fetchTool('${NAME}', '${version}');`;
    const { status } = runNode(['--input-type=module', '-e', program], {
        env: { ...process.env, npm_execpath: npm, NPM_LOG: log, NPM_ENDS: String(ends) },
    });
    return { asked: fs.readFileSync(log, 'utf8').split('\n').filter(Boolean), ok: status === 0 };
}

const placeOf = (version: string) => path.join(ROOT, 'build/tools', `${NAME}-${version}`);

function ageByDays(version: string, days: number): void {
    const then = Date.now() / 1000 - days * 86_400;
    fs.utimesSync(path.join(placeOf(version), 'installed'), then, then);
}

afterAll(() => {
    for (const version of ['latest', '20', '1.2.3']) fs.rmSync(placeOf(version), { recursive: true, force: true });
});

test.each(['latest', '20'])('%s is asked for once a week', (version) => {
    expect(fetchTool(version, 1)).toMatchObject({ ok: false });
    const first = fetchTool(version);
    expect(first).toMatchObject({ ok: true });
    expect(first.asked).toHaveLength(1);
    expect(first.asked[0]).toContain(`${NAME}@${version}`);
    ageByDays(version, 6);
    expect(fetchTool(version)).toEqual({ asked: [], ok: true });
    ageByDays(version, 8);
    // Nobody answers: what is there will do, and the next one asks again.
    expect(fetchTool(version, 1).asked).toHaveLength(1);
    expect(fetchTool(version)).toEqual({ asked: first.asked, ok: true });
    expect(fetchTool(version)).toEqual({ asked: [], ok: true });
});

test('a whole version is what it was', () => {
    expect(fetchTool('1.2.3').asked).toHaveLength(1);
    ageByDays('1.2.3', 800);
    expect(fetchTool('1.2.3', 1)).toEqual({ asked: [], ok: true });
});
