// SPDX-License-Identifier: MIT

/**
 * examples/farm/slurm.sh on a real Slurm of one node, with a cache on nginx: 200 files in 8 tasks. One task is killed
 * while it bakes, and requeued.
 */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallGlb } from '../../cli/small-gltf';
import { freePort, startNginx } from '../../support/nginx';
import { runNode, runProgram } from '../../support/processes';
import { fileOf } from '../../support/split-file';
import { describeUnless } from '../../support/unless';

const ROOT = join(__dirname, '../../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const FILES = 200;
const TASKS = 8;
/** The task that is killed, and after how many files. */
const [VICTIM, BAKED] = [3, 5];

const needed = ['slurmctld', 'slurmd', 'munged', 'sbatch', 'nginx'];
const missing = needed.find((name) => runProgram('sh', ['-c', `command -v ${name}`]).status !== 0);
const reason = missing ?? (process.getuid?.() === 0 ? undefined : 'root');

/**
 * The first run of the task hangs as it puts a file in place, and ignores SIGTERM. With SIGKILL, Slurm leaves it no time to write a
 * report.
 */
const hanging = (mark: string) => `
    const fs = require('node:fs');
    const { renameSync } = fs;
    let bins = 0;
    fs.renameSync = (from, to) => {
        if (to.endsWith('.bake.bin') && ++bins > ${BAKED}) {
            fs.writeFileSync(${JSON.stringify(mark)}, '');
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        }
        return renameSync(from, to);
    };`;

/** Queues the example, has the one task killed, and waits for all of them and for the report. */
const DRIVER = `
    set -eu
    job=$(sbatch --parsable slurm.sh)
    merge=$(sbatch --parsable --dependency=afterany:$job --output=merge.log \\
        --wrap "poselane merge-reports 'out/report-*.json' -o report.json")
    until [ -e hangs ]; do sleep 0.2; done
    scontrol requeue \${job}_${VICTIM}
    while squeue --noheader --jobs=$job,$merge | grep -q .; do sleep 0.5; done
    scontrol --oneliner show job \${job}_${VICTIM} | tr ' ' '\\n' | grep -E '^(JobState|Restarts)='
    scontrol --oneliner show job $merge | tr ' ' '\\n' | grep -E '^JobState='`;

describeUnless(reason && `needs ${reason}`, 'Slurm', () => {
    let folder: string;
    let stop: () => Promise<void>;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), 'poselane-slurm-'));
        for (const name of ['models', 'bin', 'nginx']) mkdirSync(join(folder, name));
    });
    afterEach(async () => {
        await stop();
        rmSync(folder, { recursive: true, force: true });
    });

    // biome-ignore lint/suspicious/noExplicitAny: whatever was written
    const read = (name: string): any => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const bakesIn = (name: string) =>
        readdirSync(join(folder, name))
            .filter((file) => /\.bake\.(json|bin)$/.test(file))
            .sort()
            .map((file) => [file, readFileSync(join(folder, name, file), 'base64')]);

    test(`${FILES} files in ${TASKS} tasks, one killed and requeued: the files and the report of one machine`, async () => {
        for (let i = 0; i < FILES; i++) fileOf(folder, `models/f${i}.glb`, smallGlb({ clips: [`Walk ${i}`] }));
        const port = await freePort();
        stop = await startNginx(join(folder, 'nginx'), port);
        const example = readFileSync(join(ROOT, 'examples/farm/slurm.sh'), 'utf8');
        const script = example.replace('https://cache.example', `http://127.0.0.1:${port}`);
        expect(script).not.toBe(example);
        expect(script).toContain(`#SBATCH --array=0-${TASKS - 1}\n`);
        writeFileSync(join(folder, 'slurm.sh'), script);
        writeFileSync(join(folder, 'hang.cjs'), hanging(join(folder, 'hangs')));
        writeFileSync(
            join(folder, 'bin/poselane'),
            `#!/bin/bash
            own=()
            [ "\${SLURM_ARRAY_TASK_ID-}" != ${VICTIM} ] || [ -n "\${SLURM_RESTART_COUNT-}" ] || own=(--require "${folder}/hang.cjs")
            exec "${process.execPath}" "\${own[@]}" "${MAIN}" "$@"\n`,
        );
        chmodSync(join(folder, 'bin/poselane'), 0o755);
        const own = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, POSELANE_CACHE_TOKEN: 'secret' };
        const { status, stdout, stderr } = runProgram(
            'bash',
            [join(ROOT, 'examples/farm/slurm-one-node.sh'), 'bash', '-c', DRIVER],
            { cwd: folder, env: { ...process.env, ...own }, limit: 300_000 },
        );
        expect({ status, stdout, stderr }).toEqual({
            status: 0,
            stdout: 'JobState=COMPLETED\nRestarts=1\nJobState=COMPLETED\n',
            stderr: '',
        });

        const one = ['bake', 'models/**/*.glb', '-o', 'one', '--quiet', '--report', 'one.json'];
        expect(runNode([MAIN, ...one], { cwd: folder }).status).toBe(0);
        expect(bakesIn('out')).toHaveLength(2 * FILES);
        expect(bakesIn('out')).toEqual(bakesIn('one'));
        // biome-ignore lint/suspicious/noExplicitAny: whatever was written
        const bare = ({ inputs, ...rest }: any) => ({
            ...rest,
            inputs: inputs.map(({ input, status, outputs }: Record<string, unknown>) => ({ input, status, outputs })),
        });
        expect(bare(read('report.json'))).toEqual(bare(read('one.json')));

        // The task took from the server exactly the bakes from before it was killed: all files differ.
        const hits = Array.from({ length: TASKS }, (_, task) => read(`out/report-${task}.json`)).map(
            ({ inputs }) => inputs.filter(({ cache }: { cache: { hit: boolean } }) => cache.hit).length,
        );
        expect(hits.map((count, task) => (task === VICTIM ? count >= BAKED : count === 0))).not.toContain(false);
        expect(readdirSync(join(folder, 'nginx/www')).sort()).toEqual(['ac', 'cas']);
        // The requeued task has removed the half-written files of the killed one.
        const others = readdirSync(join(folder, 'out')).filter((file) => !/\.bake\.(json|bin)$/.test(file));
        expect(others).toEqual(Array.from({ length: TASKS }, (_, task) => `report-${task}.json`));
    }, 400_000);
});
