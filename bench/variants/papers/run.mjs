// SPDX-License-Identifier: MIT

/**
 * Builds the forms of variants.h, times them beside those of the addon, and counts their shuffles in the compiled code:
 * the tables of README.md. Needs x86-64 with AVX2 and FMA, a C++ compiler and objdump.
 *
 *     node bench/variants/papers/run.mjs [--rounds 200] [--json]
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../../scripts/lib.mjs';
import { roundsOf } from '../../harness.mjs';

const { findCompiler } = createRequire(import.meta.url)('../../../scripts/build/compiler.cjs');

/** Each file with the flags that it needs beside the addon's. */
const FILES = {
    'bench/variants/papers/main.cpp': [],
    'bench/variants/papers/skeleton.cpp': [],
    'bench/variants/papers/slerp.cpp': [],
    'bench/variants/papers/intel.cpp': ['-mavx'],
    'bench/variants/papers/eberly_fma.cpp': ['-mavx2', '-mfma', '-ffp-contract=fast'],
    // As the fused form, so that only the fusing differs.
    'native/papers/eberly.cpp': ['-mavx2', '-mfma'],
    'native/papers/from_quaternion_to_matrix_and_back.cpp': [],
};
const FLAGS = ['-std=c++17', '-O2', '-ffp-contract=off', '-fno-exceptions', '-Wall', '-Wextra'];

/** Functions of one loop, and how many quaternions it takes at a time. */
const LOOPS = {
    'paper_sse::SlerpQuatsRcpps': 4,
    'intel_avx::SlerpQuatsStraight': 8,
    'intel_avx::SlerpQuatsNotUnrolled': 8,
    'intel_avx::SlerpQuatsUnrolled': 16,
};
/** What Sandy Bridge runs on port 5 alone, where the article counts shuffles; logic between registers goes there, too. */
const SHUFFLE = /^v?(unpck[lh]p[sd]|shufp[sd]|perm2f128|permilp[sd]|(insert|extract)f128|mov(lh|hl)ps|pshufd)$/;
const LOGIC = /^v?(andn?ps|orps|xorps)$/;

function run(command, ...args) {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** The instructions of a function's loop: from where its last jump back goes. */
function loopOf(code) {
    const lines = [...code.matchAll(/^ *([0-9a-f]+):\t(\S+)(?: +([0-9a-f]+) <)?/gm)].map(([, at, opcode, target]) => ({
        at: Number.parseInt(at, 16),
        opcode,
        target: opcode.startsWith('j') ? Number.parseInt(target, 16) : Number.POSITIVE_INFINITY,
    }));
    const last = lines.findLastIndex(({ at, target }) => target <= at);
    return lines.filter(({ at }, k) => k <= last && at >= lines[last].target).map(({ opcode }) => opcode);
}

/** Shuffles and logic of each of LOOPS, each for as many quaternions as it takes. */
function countShuffles(objects) {
    const functions = objects.flatMap((object) =>
        run('objdump', '-dC', '--no-show-raw-insn', object).split(/\n(?=[0-9a-f]+ <)/),
    );
    return Object.entries(LOOPS).map(([name, quaternions]) => {
        const opcodes = loopOf(functions.find((text) => text.split('\n', 1)[0].includes(`<poselane::${name}(`)));
        const count = (kind) => opcodes.filter((opcode) => kind.test(opcode)).length;
        return { name, quaternions, shuffles: count(SHUFFLE), logic: count(LOGIC) };
    });
}

function build(folder) {
    const found = findCompiler();
    if (found === null) throw new Error('no C++ compiler');
    const [compiler, ...own] = found.split(' ');
    const objects = Object.entries(FILES).map(([file, flags], k) => {
        const object = join(folder, `${k}.o`);
        run(compiler, ...own, ...FLAGS, ...flags, '-c', file, '-o', object);
        return object;
    });
    const program = join(folder, 'variants');
    run(compiler, ...own, '-o', program, ...objects);
    return { objects, program };
}

const row = (cells) => `| ${cells.join(' | ')} |`;

const { values: options } = parseArgs({
    options: { rounds: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const rounds = roundsOf(options.rounds, 200);
const folder = mkdtempSync(join(tmpdir(), 'poselane-variants-'));
try {
    const { objects, program } = build(folder);
    const loops = countShuffles(objects);
    const forms = JSON.parse(run(program, String(rounds)));
    if (options.json) console.log(JSON.stringify({ forms, loops }, null, 2));
    else {
        console.log('| | form | ns, min / median | error |\n| --- | --- | --- | --- |');
        for (const { group, name, min, median, error, sameBits } of forms) {
            const off = [error?.toExponential(2), sameBits ? 'same bits' : undefined].filter((one) => one);
            console.log(row([group, name, `${min.toFixed(2)} / ${median.toFixed(2)}`, off.join(', ')]));
        }
        console.log('\n| loop | quaternions | shuffles | logic |\n| --- | ---: | ---: | ---: |');
        for (const loop of loops) console.log(row(Object.values(loop)));
    }
} finally {
    rmSync(folder, { recursive: true, force: true });
}
