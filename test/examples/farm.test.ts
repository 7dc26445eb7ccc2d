// SPDX-License-Identifier: MIT

/**
 * Runs the examples of farms: the commands of each, for all its shards, with the variables of its system. Slurm itself:
 * test/long/farm.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inNewFolder, poselane, put, readJson } from '../cli/command-line';
import { smallGlb } from '../cli/small-gltf';
import { runProgram } from '../support/processes';
import { describeUnless, NOT_POSIX } from '../support/unless';

// biome-ignore lint/suspicious/noExplicitAny: any JSON
const { safeLoad } = require('js-yaml') as { safeLoad(text: string): any };
const EXAMPLES = join(__dirname, '../../examples/farm');
const textOf = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

type Variables = Record<string, string>;

/** A poselane command: arguments and environment variables. */
interface Call {
    readonly argv: readonly string[];
    readonly variables: Variables;
}

/** The only call in a script. */
function callOf(script: string, variables: Variables = {}): Call {
    const shell = `set -eu; poselane() { printf '%s\\0' "$@"; }; npx() { "$@"; }; exec() { "$@"; }\n${script}`;
    const { status, stdout, stderr } = runProgram('bash', ['-c', shell], { env: { ...process.env, ...variables } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return { argv: stdout.split('\0').slice(0, -1), variables };
}

/** The last command, which a comment names. */
const mergeIn = (text: string) => callOf(/poselane merge-reports [^"\n]+/.exec(text)![0]);

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const fill = (text: string, values: Variables) =>
    text.replace(/(?:\$\{|\{)\{ *([\w.-]+) *\}\}/g, (_, name) => {
        expect(values).toHaveProperty([name]);
        return values[name]!;
    });

/** The calls of all shards, and the one that merges their reports. */
const FARMS: Record<string, () => Call[]> = {
    'slurm.sh'() {
        const text = textOf('slurm.sh');
        const [, min, max] = /^#SBATCH --array=(\d+)-(\d+)$/m.exec(text)!.map(Number);
        const count = max! - min! + 1;
        const shards = upTo(count).map((i) =>
            callOf(text, {
                SLURM_ARRAY_TASK_ID: `${min! + i}`,
                SLURM_ARRAY_TASK_MIN: `${min}`,
                SLURM_ARRAY_TASK_MAX: `${max}`,
                SLURM_ARRAY_TASK_STEP: '1',
                SLURM_ARRAY_TASK_COUNT: `${count}`,
                SLURM_CPUS_PER_TASK: /^#SBATCH --cpus-per-task=(\d+)$/m.exec(text)![1]!,
            }),
        );
        return [...shards, mergeIn(text)];
    },
    'kubernetes.yml'() {
        const text = textOf('kubernetes.yml');
        const { apiVersion, kind, spec } = safeLoad(text);
        expect([apiVersion, kind, spec.completionMode]).toEqual(['batch/v1', 'Job', 'Indexed']);
        const [container] = spec.template.spec.containers;
        expect(container.command).toEqual(['sh', '-c']);
        expect(spec.podFailurePolicy.rules[0].onExitCodes.containerName).toBe(container.name);
        const shards = upTo(spec.completions).map((i) => callOf(container.args[0], { JOB_COMPLETION_INDEX: `${i}` }));
        return [...shards, mergeIn(text)];
    },
    'openjd.yml'() {
        const { specificationVersion, parameterDefinitions, steps } = safeLoad(textOf('openjd.yml'));
        expect(specificationVersion).toBe('jobtemplate-2023-09');
        const [folder, shards] = parameterDefinitions;
        const values: Variables = { [`Param.${folder.name}`]: '.', [`Param.${shards.name}`]: `${shards.default}` };
        const [task] = steps[0].parameterSpace.taskParameterDefinitions;
        expect(fill(task.range, values)).toBe(`1-${shards.default}`);
        expect(steps[1].dependencies).toEqual([{ dependsOn: steps[0].name }]);
        const call = (
            { script }: { script: { actions: { onRun: { command: string; args: string[] } } } },
            own = {},
        ) => {
            const { command, args } = script.actions.onRun;
            expect(command).toBe('poselane');
            return { argv: args.map((argument) => fill(argument, { ...values, ...own })), variables: {} };
        };
        const first = upTo(shards.default).map((i) => call(steps[0], { [`Task.Param.${task.name}`]: `${i + 1}` }));
        return [...first, call(steps[1])];
    },
    'github.yml'() {
        const { jobs } = safeLoad(textOf('github.yml'));
        const [bake, report] = Object.values<{ steps: { run?: string }[] }>(jobs);
        const { shard } = jobs.bake.strategy.matrix;
        const runOf = (job: typeof bake) => job!.steps.find(({ run }) => run?.includes('poselane'))!.run!;
        const shards = shard.map((i: number) =>
            callOf(fill(runOf(bake), { 'matrix.shard': `${i}`, 'strategy.job-total': `${shard.length}` })),
        );
        return [...shards, callOf(runOf(report))];
    },
};

describeUnless(NOT_POSIX, 'farms', () => {
    inNewFolder();
    beforeEach(() => {
        for (const i of upTo(10)) put(`models/f${i}.glb`, smallGlb({ clips: [`Walk ${i}`] }));
    });

    /** Runs a call in this process, because a start takes longer than its work. */
    async function runCall({ argv, variables }: Call): Promise<string> {
        const own = argv.map((argument) => argument.replace('https://cache.example', 'cache'));
        const before = { ...process.env };
        Object.assign(process.env, variables);
        try {
            const { code, stdout, stderr } = await poselane([
                ...own,
                ...(own[0] === 'bake' ? ['-j', '1', '--quiet'] : []),
            ]);
            expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
            return stdout + stderr;
        } finally {
            for (const name of Object.keys(variables)) {
                if (before[name] === undefined) delete process.env[name];
                else process.env[name] = before[name];
            }
        }
    }

    const filesIn = (folder: string) =>
        readdirSync(folder)
            .filter((file) => !file.startsWith('report'))
            .sort()
            .map((file) => [file, readFileSync(join(folder, file), 'base64')]);

    test('tests cover all files', () => {
        expect(readdirSync(EXAMPLES).sort()).toEqual([...Object.keys(FARMS), 'slurm-one-node.sh'].sort());
    });

    test.each(Object.keys(FARMS))('%s: the shards give the output of one machine, and one report', async (name) => {
        const calls = FARMS[name]!();
        await runCall({ argv: ['bake', 'models/**/*.glb', '-o', 'out-one'], variables: {} });
        const merge = calls.pop()!;
        expect(calls.length).toBeGreaterThan(1);
        for (const call of calls) await runCall(call);
        expect(await runCall(merge)).toMatch(/report\.json: of 10 files 10 baked, 0 failed, 0 not begun\n$/);
        expect(filesIn('out')).toHaveLength(20);
        expect(filesIn('out')).toEqual(filesIn('out-one'));
        // A second run takes its files from the shared cache.
        await runCall(calls[0]!);
        const again = readdirSync('out').filter((file) => file.startsWith('report'));
        const hits = again.flatMap((file) => readJson(join('out', file)).inputs).filter(({ cache }) => cache.hit);
        expect(hits.length).toBe(Math.ceil(10 / calls.length));
    });
});
