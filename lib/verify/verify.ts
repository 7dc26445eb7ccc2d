// SPDX-License-Identifier: MIT

import { significant } from '../base/messages';
import { CHECKS } from './arrays';
import { type ArrayCheck, ArrayFault, type Judged } from './arrays/check';
import { checkJointBounds } from './arrays/joint-bounds';
import { playbackBoxesOf } from './boxes';
import { type AddProblem, checkClips, checkColumns, checkFiles, STATED, type VerifyProblem } from './check-manifest';
import { readWithClips } from './clips';
import { columnsOfBake } from './columns';
import { DoubleEvaluator } from './evaluator';
import { extentTimesOf } from './extent';
import { judgeClip } from './judge-clip';
import { metricOf } from './metric';
import { checkArguments, type VerifyOptions } from './options';
import { createSubject, poseAt } from './pose';
import { Progress } from './progress';
import { readBake } from './read-bake';
import { judgeRetargeted } from './retargeted';
import { roundingFor } from './rounding';
import { checkRescaled, Sharing } from './sharing';
import { loadThree } from './three';
import { type ClipVerdict, type Verification, worstOfAll } from './verdict';
import { verticesOf } from './vertices';

/**
 * Verifies a bake: evaluates the input again, in double precision and with code that the baker does not share, and
 * compares every row of every array. Also checks manifest and bin: hashes, offsets of arrays, the skin's joints, and
 * rows and times of clips.
 *
 * @param input Path of the `.glb` or `.gltf` that was baked.
 * @param manifest Path of the `.bake.json` with its bin beside it, or of the `.bake.glb` with both.
 * @param options Tolerance and judge.
 * @returns Problems, and the maximum error of each array. `ok` is false for a wrong bake.
 * @throws InputError for files that cannot be read, UsageError for wrong options, the signal's reason.
 * @example
 * const { ok, problems, worst } = await verifyBake('hero.glb', 'out/hero.bake.json');
 */
export async function verifyBake(input: string, manifest: string, options: VerifyOptions = {}): Promise<Verification> {
    checkArguments(input, manifest, options);
    const { oracle = 'double', signal } = options;
    signal?.throwIfAborted();
    const files = await readBake(manifest);
    const { recipe, skin, arrays } = files.manifest;
    const problems: VerifyProblem[] = [];
    const addProblem: AddProblem = (code, pointer, message) => {
        problems.push({ code, pointer, message });
    };
    const { file, absent } = await readWithClips(input, files.manifest, options.animations);
    const evaluator = new DoubleEvaluator(file, { renormalize: recipe.renormalize === true });
    checkFiles(files, file.sha256, addProblem);
    for (const index of absent) {
        const { name, sha256 } = files.manifest.source.animations![index]!;
        const message = `the clips of '${name}' are not those of any file here, or it has changed since: it had the sha256 ${sha256}`;
        addProblem('SOURCE_DIFFERS', `/source/animations/${index}`, message);
    }
    const unjudged = { ok: false, problems, clips: [], retargeted: [], worst: null, extent: NaN, rows: 0 };
    // For another input, every further comparison would fail for the same reason.
    if (problems.some(({ code }) => code === 'SOURCE_DIFFERS')) return unjudged;
    for (const { animation } of files.manifest.clips) {
        const fault = file.faults.get(animation);
        if (fault !== undefined) throw fault;
    }
    const index = skin?.index ?? null;
    if (index === null ? evaluator.skinCount > 0 : index >= evaluator.skinCount) {
        const which = index === null ? 'the bake is of none' : `none of number ${index}`;
        addProblem('SKIN_DIFFERS', '/skin/index', `the input has ${evaluator.skinCount} skins, ${which}`);
        return unjudged;
    }
    const slots = Object.values(arrays).flatMap((array) => (array.slots ?? []).map(({ node }) => node));
    const known = slots.filter((node) => evaluator.parents[node] !== undefined);
    const { root } = recipe;
    if (root !== undefined && evaluator.parents[root.node] === undefined) {
        addProblem('SKIN_DIFFERS', '/recipe/root/node', `the input has no node ${root.node}`);
        return unjudged;
    }
    if (root?.mode === 'extract' && arrays.root === undefined) {
        addProblem('ARRAY_INVALID', '/arrays', "there is no array root, which recipe.root 'extract' needs");
    }
    const alike = columnsOfBake(evaluator, index, recipe.attachments);
    const rescaled = checkRescaled(evaluator, alike.skins, skin?.rescaled ?? [], addProblem);
    const columns = { ...alike, rescaled };
    const subject = createSubject(evaluator, columns, known, recipe);
    checkColumns(files, subject, addProblem);
    const clips = checkClips(files, subject, addProblem);
    const vertices = verticesOf(evaluator.file, subject);
    const { from, to } = recipe;
    const parts = clips.map(({ animation }) => ({ animation, from, to }));
    const metric = metricOf(subject, vertices, parts);
    const roundingOf = roundingFor(subject, vertices, metric);
    const { extent } = files.manifest;
    const isExtent = (stated: number) => {
        const off = Math.abs(stated - metric.extent);
        if (off <= STATED * metric.extent) return true;
        // Rounding far from the origin, and poses whose direction it decides, can move both sides of the box.
        const poses = parts.flatMap((part) =>
            extentTimesOf(evaluator, part).map((time) => poseAt(subject, part.animation, time)),
        );
        const rounding = Math.max(0, ...poses.map((pose) => roundingOf(pose).worst));
        return off <= STATED * metric.extent + 2 * rounding;
    };
    if (extent !== undefined && !isExtent(extent)) {
        addProblem('EXTENT_DIFFERS', '/extent', `${significant(extent)}, the input's is ${significant(metric.extent)}`);
    }
    const boxes = playbackBoxesOf(subject, vertices);
    const judged: Judged = { files, subject, vertices, metric, boxes, roundingOf, options };
    const checks = checksOf(judged, addProblem);
    const three = oracle === 'three' ? await loadThree(evaluator, subject, signal) : null;
    const progress = new Progress(
        options,
        clips.reduce((sum, { times }) => sum + times.length, 0),
    );
    const verdicts: ClipVerdict[] = [];
    const sharing = new Sharing(judged);
    const judge = { judged, checks, sharing, three, progress, addProblem };
    try {
        for (const clip of clips) verdicts.push(await judgeClip(judge, clip));
    } finally {
        await three?.close();
    }
    sharing.check(addProblem);
    const retargeted = judgeRetargeted(evaluator, verdicts);
    return {
        ok: problems.length === 0 && verdicts.every(({ ok }) => ok),
        problems,
        clips: verdicts,
        retargeted,
        worst: worstOfAll(verdicts),
        extent: metric.extent,
        rows: progress.done,
    };
}

/** Arrays that cannot be judged become problems. */
function checksOf(judged: Judged, addProblem: AddProblem): ArrayCheck[] {
    const { manifest, bin } = judged.files;
    return Object.entries(manifest.arrays).flatMap(([name, array]) => {
        const make = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
        if (make === undefined && name !== 'jointBounds') {
            addProblem('ARRAY_INVALID', `/arrays/${name}`, 'is not known to this version');
            return [];
        }
        if (array.byteOffset + array.byteLength > bin.length) return []; // already reported
        try {
            if (make !== undefined) return [make(judged, array, name)];
            checkJointBounds(judged, array, addProblem);
            return [];
        } catch (error) {
            if (!(error instanceof ArrayFault)) throw error;
            addProblem('ARRAY_INVALID', `/arrays/${name}`, error.message);
            return [];
        }
    });
}
