// SPDX-License-Identifier: MIT

/**
 * The types of the public functions, compiled by `npm run check:types`: arguments, results and read-only parts.
 * Wrong calls do not compile. Nothing of it ever runs.
 */

import { expectTypeOf } from 'expect-type';
import {
    type Backend,
    BakedTable,
    type BakeOptions,
    type BakeResult,
    type BoundBlend,
    type BoundCall,
    backend,
    bakeFile,
    bindSlerpJoints,
    bindSlerpJointsPerJoint,
    type ConvertOptions,
    convertJointQuatsToJointMats,
    createJoints,
    defaultImplementation,
    type FileBytes,
    type InputError,
    type InputErrorCode,
    implementation,
    implementations,
    JOINT_MAT_FLOATS,
    type Kernels,
    lerpJoints,
    type Manifest,
    type ManifestArray,
    type ManifestAttachment,
    type ManifestClip,
    type ManifestError,
    type ManifestJoint,
    type ManifestMorph,
    type ManifestRoot,
    type ManifestSlot,
    nativeLoadError,
    type PoselaneError,
    type Poses,
    Rig,
    type Routine,
    ready,
    slerpJoints,
    slerpQuats,
    type ToleranceError,
    transformSkeleton,
    UsageError,
    useModule,
    type Warning,
    writeBake,
} from '../../lib';
import * as browser from '../../lib/browser';
import * as browserBake from '../../lib/browser/bake';
import type schema from '../../lib/format/manifest.schema.json';

const floats = new Float32Array(8);

export function kernels(): void {
    type Blend = (
        joints: Float32Array,
        blendJoints: Float32Array,
        lerp: number,
        index?: Int32Array | null,
        numJoints?: number,
    ) => void;
    expectTypeOf(slerpJoints).toEqualTypeOf<Blend>();
    expectTypeOf(createJoints).toEqualTypeOf<(numJoints: number) => Float32Array>();
    expectTypeOf(lerpJoints).toEqualTypeOf<Blend>();
    expectTypeOf(slerpQuats).returns.toBeVoid();
    expectTypeOf(transformSkeleton).parameter(1).toEqualTypeOf<Int32Array>();
    expectTypeOf(convertJointQuatsToJointMats).parameter(2).toEqualTypeOf<ConvertOptions | undefined>();
    // Shared memory is accepted everywhere.
    slerpJoints(new Float32Array(new SharedArrayBuffer(32)), floats, 0.5, null, 1);

    // @ts-expect-error: doubles are rejected
    slerpJoints(new Float64Array(8), floats, 0.5);
    // @ts-expect-error: so are lists
    slerpJoints([0, 0, 0, 1, 0, 0, 0, 0], floats, 0.5);
    // @ts-expect-error: the fraction is missing
    slerpJoints(floats, floats);
    // @ts-expect-error: parents are Int32Array
    transformSkeleton(floats, new Uint16Array(1));
    expectTypeOf<NonNullable<ConvertOptions['convention']>>().toEqualTypeOf<'id' | 'gltf'>();
    // @ts-expect-error: there are two conventions
    convertJointQuatsToJointMats(floats, floats, { convention: 'three' });
    // @ts-expect-error: an option that does not exist
    convertJointQuatsToJointMats(floats, floats, { transposed: true });
}

export function bound(): void {
    expectTypeOf(bindSlerpJoints(floats, floats)).toEqualTypeOf<BoundBlend>();
    expectTypeOf(bindSlerpJointsPerJoint(floats, floats, floats)).toEqualTypeOf<BoundCall>();
    expectTypeOf<BoundBlend['run']>().parameters.toEqualTypeOf<[t: number]>();
    expectTypeOf<BoundCall['run']>().parameters.toEqualTypeOf<[]>();
    // @ts-expect-error: the time of a blend is not fixed
    bindSlerpJoints(floats, floats).run();
}

export function choosing(): void {
    expectTypeOf(backend).toEqualTypeOf<'native' | 'wasm' | 'ts'>();
    expectTypeOf(defaultImplementation).toBeString();
    expectTypeOf(nativeLoadError).toEqualTypeOf<PoselaneError | null>();
    expectTypeOf(implementation('paper/c')).toEqualTypeOf<Partial<Kernels>>();
    expectTypeOf(implementations()[0]!.routines).toEqualTypeOf<readonly Routine[]>();
    expectTypeOf(JOINT_MAT_FLOATS).toExtend<number>();
    // @ts-expect-error: an implementation can lack a routine
    implementation('eberly/sse2').slerpJoints(floats, floats, 0.5);
    // @ts-expect-error: the list is read-only
    implementations()[0]!.available = true;
    // @ts-expect-error: terms are a number
    implementation('eberly/sse2', { terms: '8' });
}

export async function baking(): Promise<void> {
    expectTypeOf(bakeFile).parameter(0).toEqualTypeOf<string | URL | FileBytes>();
    expectTypeOf(bakeFile).returns.resolves.toEqualTypeOf<BakeResult>();
    expectTypeOf<BakeOptions['fps']>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<BakeOptions['root']>().toEqualTypeOf<'keep' | 'extract' | 'in-place' | undefined>();
    expectTypeOf<BakeOptions['dtype']>().toEqualTypeOf<'f32' | 'f16' | undefined>();
    const result = await bakeFile('hero.glb', { fps: 'auto', clips: ['Walk'], emit: ['palette', 'bounds'] });
    expectTypeOf(result.outputs[0]!.bin).toExtend<Uint8Array>();
    expectTypeOf(await writeBake(result, 'out/'))
        .items.toHaveProperty('json')
        .toBeString();

    // @ts-expect-error: results are read-only
    result.outputs[0] = result.outputs[1]!;
    // @ts-expect-error: there is no such array
    await bakeFile('hero.glb', { emit: ['colours'] });
    // @ts-expect-error: bytes go to Rig.load; bakes name their file
    await bakeFile(new Uint8Array(4));
    // @ts-expect-error: the name of an option
    await bakeFile('hero.glb', { rate: 60 });
}

export async function rigs(): Promise<void> {
    expectTypeOf(Rig.load).parameter(0).toEqualTypeOf<string | Uint8Array>();
    expectTypeOf(Rig.load).returns.resolves.toEqualTypeOf<Rig>();
    const rig = await Rig.load('hero.glb');
    const poses = rig.createPoses(16, { shared: true });
    expectTypeOf(poses).toEqualTypeOf<Poses>();
    const times = new Float64Array(16);
    rig.evaluate(poses, 0, times, { loop: 'wrap' });
    rig.evaluate(poses, new Uint16Array(16), times);
    rig.palettes(poses, 0, floats, 'mat4');
    expectTypeOf(rig.getLocal(poses, 0, 0, floats)).toEqualTypeOf<Float32Array>();
    expectTypeOf(rig.skins).toExtend<readonly unknown[]>();

    // The joints of a skin are accepted unchanged.
    rig.joints(poses, rig.skins[0]!.joints, floats);
    rig.createPoses(1, { only: rig.skins[0]!.joints });
    rig.blend(poses, poses, poses, 1, { mask: rig.subtreeMask(rig.slotNamed('Spine')) });

    expectTypeOf(rig.extractRoot(poses, floats, { slot: 0, from: poses })).toEqualTypeOf<Float32Array>();
    // @ts-expect-error: a motion has no such parts
    rig.extractRoot(poses, floats, { slot: 0, from: poses, motion: 'xz' });
    // @ts-expect-error: one clip for each pose is a Uint16Array
    rig.evaluate(poses, [0, 1], times);
    // @ts-expect-error: times are floats
    rig.evaluate(poses, 0, new Int32Array(16));
    // @ts-expect-error: there is no such end
    rig.evaluate(poses, 0, times, { loop: 'mirror' });
    // @ts-expect-error: there is no such format
    rig.palettes(poses, 0, floats, 'mat3');
    // @ts-expect-error: a read-only list
    rig.skins.push(rig.skins[0]!);
}

export function tables(table: BakedTable): void {
    const bytes = new Uint8Array();
    expectTypeOf(BakedTable.open('{}', bytes)).toEqualTypeOf<BakedTable>();
    expectTypeOf(BakedTable.open({}, bytes.buffer)).toEqualTypeOf<BakedTable>();
    expectTypeOf(BakedTable.open(bytes)).toEqualTypeOf<BakedTable>();
    // @ts-expect-error: a manifest needs its bin
    BakedTable.open('{}');
    // @ts-expect-error: there is no such container
    browserBake.bakedFiles([], { container: 'zip' });
    expectTypeOf(BakedTable.load).returns.toEqualTypeOf<Promise<BakedTable>>();
    table.sample('palette', 0, Float64Array.of(0), new Float32Array(16));
    expectTypeOf(table.manifest).toEqualTypeOf<Manifest>();
    // @ts-expect-error: there is no such array
    table.sample('colours', 0, Float64Array.of(0), new Float32Array(16));
    // @ts-expect-error: tables are made by open
    new BakedTable();
}

/** The keys of the type equal those of the schema. */
export function manifests(): void {
    type Schema = typeof schema;
    type Keys<Part extends { properties: object }> = keyof Part['properties'];
    type Defs = Schema['$defs'];
    type Arrays = Required<Manifest['arrays']>;
    /** In addition to the members of every array. */
    type Own<Name extends keyof Arrays> = Exclude<keyof Arrays[Name], keyof ManifestArray>;
    expectTypeOf<Keys<Schema>>().toEqualTypeOf<keyof Manifest>();
    expectTypeOf<Keys<Schema['properties']['source']>>().toEqualTypeOf<keyof Manifest['source']>();
    expectTypeOf<Keys<Schema['properties']['recipe']>>().toEqualTypeOf<keyof Manifest['recipe']>();
    expectTypeOf<Keys<Schema['properties']['recipe']['properties']['root']>>().toEqualTypeOf<keyof ManifestRoot>();
    expectTypeOf<Keys<Schema['properties']['binary']>>().toEqualTypeOf<keyof Manifest['binary']>();
    expectTypeOf<Keys<Schema['properties']['skin']>>().toEqualTypeOf<keyof NonNullable<Manifest['skin']>>();
    expectTypeOf<Keys<Schema['properties']['arrays']>>().toEqualTypeOf<keyof Arrays>();
    expectTypeOf<Keys<Schema['properties']['skin']['properties']['joints']['items']>>().toEqualTypeOf<
        keyof ManifestJoint
    >();
    expectTypeOf<Keys<Schema['properties']['attachments']['items']>>().toEqualTypeOf<keyof ManifestAttachment>();
    expectTypeOf<Keys<Schema['properties']['warnings']['items']>>().toEqualTypeOf<keyof Warning>();
    expectTypeOf<Keys<Defs['clip']>>().toEqualTypeOf<keyof ManifestClip>();
    expectTypeOf<Keys<Defs['clip']['properties']['error']>>().toEqualTypeOf<keyof ManifestError>();
    expectTypeOf<Keys<Defs['array']>>().toEqualTypeOf<keyof ManifestArray>();
    expectTypeOf<Keys<Defs['local']['properties']['slots']['items']>>().toEqualTypeOf<keyof ManifestSlot>();
    expectTypeOf<Keys<Defs['morph']['properties']['meshes']['items']>>().toEqualTypeOf<keyof ManifestMorph>();
    expectTypeOf<Exclude<Keys<Defs['hit']>, keyof ManifestArray>>().toEqualTypeOf<Own<'hit'>>();
    expectTypeOf<Exclude<Keys<Defs['root']>, keyof ManifestArray>>().toEqualTypeOf<Own<'root'>>();
}

export function errors(): void {
    expectTypeOf(new UsageError('x')).toExtend<Error>();
    expectTypeOf<UsageError['code']>().toEqualTypeOf<'USAGE'>();
    expectTypeOf<ToleranceError['code']>().toEqualTypeOf<'ERR_TOLERANCE'>();
    expectTypeOf<InputErrorCode>().toExtend<InputError['code']>();
    expectTypeOf<'NO_SKIN'>().toExtend<InputErrorCode>();
    expectTypeOf<'NO_SUCH_CODE'>().not.toExtend<InputErrorCode>();
}

/** The browser entry has the same types, without files. */
export function browsers(): void {
    expectTypeOf(browser.slerpJoints).toEqualTypeOf(slerpJoints);
    expectTypeOf(browser.createQuats).toEqualTypeOf<(count: number) => Float32Array>();
    expectTypeOf(browser.backend).toEqualTypeOf<Backend>();
    expectTypeOf(browser.ready).toEqualTypeOf(ready);
    expectTypeOf(browser.useModule).toEqualTypeOf(useModule);
    expectTypeOf(browser.BakedTable).toEqualTypeOf(BakedTable);
    // @ts-expect-error: the baker is poselane/bake
    browser.bakeFile;
    expectTypeOf(browserBake.bakeFile).returns.resolves.toEqualTypeOf<BakeResult>();
    // @ts-expect-error: browsers have no files
    browserBake.bakeFile('hero.glb');
}
