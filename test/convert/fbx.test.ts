// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, convertFile } from '../../lib/bake';
import { bakedFiles } from '../../lib/bake/write/baked-files';
import { CHARACTER } from '../support/models';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';
import { poser } from './support/pose';

const folder = scratchFolder();
const ARM = readFileSync(join(__dirname, 'support/arm.fbx'), 'latin1');

/** The arm, with changed text. */
const arm = (...changes: readonly (readonly [from: string, to: string])[]) => ({
    name: 'arm.fbx',
    bytes: Buffer.from(
        changes.reduce((text, [from, to]) => text.replace(from, to), ARM),
        'latin1',
    ),
});
const converted = async (...changes: readonly (readonly [from: string, to: string])[]) =>
    poser((await convertFile(arm(...changes))).bytes);

/**
 * The vertex at the top right: 10 cm right of the axis, moved outward by a blend shape, and 1 m above the elbow, which turns by
 * 90 degrees from 1 to 2 s.
 */
function topRight(time: number): number[] {
    const share = Math.min(1, Math.max(0, time - 1));
    const angle = (share * Math.PI) / 2;
    const [x, y] = [0.1 + 0.4 * share, 1];
    return [0.5 + x * Math.cos(angle) - y * Math.sin(angle), 1 + x * Math.sin(angle) + y * Math.cos(angle), 0];
}

function expectNear(got: readonly (readonly number[])[], wanted: readonly number[], within = 1e-4 * 2): void {
    const nearest = Math.min(...got.map((point) => Math.hypot(...point.map((x, c) => x - wanted[c]!))));
    expect(nearest).toBeLessThan(within);
}

describe('an FBX file of a skin, a clip and a blend shape', () => {
    test('is in meters, with Y up, and keeps its times', async () => {
        const pose = await converted();
        expect(pose.clips).toEqual(['Bend']);
        for (const time of [1, 1.25, 1.5, 2]) expectNear(pose.vertices('Bend', time), topRight(time), 1e-5);
        expect([...pose.places(null, 0)]).toEqual([
            ['Upper', [0, 0, 0]],
            ['Lower', [0, 1, 0]],
            ['Sleeve', [0, 0, 0]],
        ]);
    });

    test('is equally right between frames', async () => {
        const pose = await converted();
        for (let time = 1; time < 2; time += 0.0371) expectNear(pose.vertices('Bend', time), topRight(time), 1e-5 * 2);
    });

    test.each([
        ['meters', '"UnitScaleFactor", "double", "Number", "",100', 100],
        ['inches', '"UnitScaleFactor", "double", "Number", "",2.54', 2.54],
    ] as const)('in %s has other lengths', async (_, unit, factor) => {
        const pose = await converted(['"UnitScaleFactor", "double", "Number", "",1', unit]);
        expect(pose.places(null, 0).get('Lower')![1]).toBeCloseTo(factor, 6);
    });

    test('with Z up is turned', async () => {
        const up = ['"UpAxis", "int", "Integer", "",1', '"UpAxis", "int", "Integer", "",2'] as const;
        const front = ['"FrontAxis", "int", "Integer", "",2', '"FrontAxis", "int", "Integer", "",1'] as const;
        const sign = ['"FrontAxisSign", "int", "Integer", "",1', '"FrontAxisSign", "int", "Integer", "",-1'] as const;
        const pose = await converted(up, front, sign);
        const [x, y, z] = topRight(1.5);
        expectNear(pose.vertices('Bend', 1.5), [x!, z!, -y!], 1e-5);
    });

    test('keeps constant channels, which matter on the rig of another file', async () => {
        const { root } = await converted();
        const [animation] = root.listAnimations();
        const channels = animation!.listChannels().map((channel) => {
            const keys = channel.getSampler()!.getInput()!.getCount();
            return `${channel.getTargetNode()!.getName()} ${channel.getTargetPath()} ${keys > 1}`;
        });
        expect(channels.sort()).toEqual([
            'Lower rotation true',
            'Lower scale false',
            'Lower translation false',
            'Sleeve weights true',
            'Upper rotation false',
            'Upper scale false',
            'Upper translation false',
        ]);
    });

    test('has its material, texture coordinates, and few keys', async () => {
        const { root } = await converted();
        const [material] = root.listMaterials();
        expect(material!.getBaseColorFactor().map((part) => Math.round(part * 100))).toEqual([25, 50, 75, 100]);
        expect(material!.getDoubleSided()).toBe(true);
        const [primitive] = root.listMeshes()[0]!.listPrimitives();
        // v points down in glTF.
        expect(primitive!.getAttribute('TEXCOORD_0')!.getMax([])).toEqual([1, 1]);
        expect(primitive!.getAttribute('POSITION')!.getCount()).toBe(6);
        const keys = root
            .listAnimations()[0]!
            .listSamplers()
            .map((sampler) => sampler.getInput()!.getCount());
        expect(Math.max(...keys)).toBeLessThan(10); // of 960 samples: a turn at constant speed
    });

    test('gives equal bytes each time, and the bake of its GLB', async () => {
        const first = await convertFile(arm());
        await convertFile(arm(['"Bend"', '"Other"']));
        expect(Buffer.compare((await convertFile(arm())).bytes, first.bytes)).toBe(0);
        expect(first.source).toBe('FBX, centimeters, Y up, 30 fps');
        const baked = async (name: string, bytes: Uint8Array) => {
            const files = bakedFiles(await bakeFile({ name, bytes }, { fps: 30 }));
            return files.map((file) => Buffer.from(file.bytes).toString('latin1').replaceAll(name, 'arm'));
        };
        expect(await baked('arm.fbx', arm().bytes)).toEqual(await baked('arm.glb', first.bytes));
    });

    test.each([
        ['joint', 'a: 0,90', (share: number) => [0.1 + 0.4 * share, 0]],
        ['blend shape', 'a: 0,200', (share: number) => [0.1, share * 90]],
    ] as const)('holds the values of a stepped curve up to its next key: %s', async (_, keys, at) => {
        const flags = '\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: ';
        const pose = await converted([`${keys}${flags}4`, `${keys}${flags}2`]);
        for (const time of [1, 1.5, 1.9, 1.999, 1.99999, 2]) {
            const [x, degrees] = time < 2 ? at(time - 1) : [0.5, 90];
            const [sin, cos] = [Math.sin((degrees! * Math.PI) / 180), Math.cos((degrees! * Math.PI) / 180)];
            expectNear(pose.vertices('Bend', time), [0.5 + x! * cos - sin, 1 + x! * sin + cos, 0], 2e-5);
        }
    });

    test('has unit rotations where other curves jump', async () => {
        const stepped = [
            'a: 0,200\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: 4',
            'a: 0,200\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: 2',
        ] as const;
        const { root } = await converted(['a: 0,90', 'a: 0,700'], stepped);
        const rotations = root
            .listAnimations()[0]!
            .listChannels()
            .filter((channel) => channel.getTargetPath() === 'rotation')
            .flatMap((channel) => {
                const values = channel.getSampler()!.getOutput()!;
                return Array.from({ length: values.getCount() }, (_, i) => values.getElement(i, []));
            });
        for (const rotation of rotations) expect(Math.abs(Math.hypot(...rotation) - 1)).toBeLessThan(1e-6);
        expect(rotations.length).toBeGreaterThan(4);
    });

    test('that starts before 0 is moved to start at 0, with a warning', async () => {
        const text = ARM.replaceAll('46186158000', '-46186158000').replaceAll('92372316000', '0');
        const { bytes, warnings } = await convertFile({ name: 'arm.fbx', bytes: Buffer.from(text, 'latin1') });
        expect(warnings.map(({ message }) => message)).toEqual(["clip 'Bend' begins at -1 s; here it begins at 0"]);
        const pose = await poser(bytes);
        for (const time of [0, 0.4, 1]) expectNear(pose.vertices('Bend', time), topRight(time + 1), 1e-5);
    });

    test('has its local range, not that of the reference', async () => {
        const stop = '"LocalStop", "KTime", "Time", "",92372316000\n';
        const reference = `${stop}P: "ReferenceStart", "KTime", "Time", "",-769769300\nP: "ReferenceStop", "KTime", "Time", "",50000000000\n`;
        const pose = await converted([stop, reference]);
        for (const time of [1, 1.5, 2]) expectNear(pose.vertices('Bend', time), topRight(time), 1e-5);
    });

    test('that starts a frame before 0 keeps its times, with a warning', async () => {
        // Later by 1 s and 1 frame: half of the turn is at 0.4667 s.
        const [begin, end] = ['-1539538600', '44646619400'];
        const text = ARM.replaceAll('46186158000', begin).replaceAll('92372316000', end);
        const { bytes, warnings } = await convertFile({ name: 'arm.fbx', bytes: Buffer.from(text, 'latin1') });
        expect(warnings.map(({ message }) => message)).toEqual([
            "clip 'Bend' begins at -0.0333 s; the part before 0 is left out",
        ]);
        const pose = await poser(bytes);
        for (const time of [0, 0.4, 0.9]) expectNear(pose.vertices('Bend', time), topRight(time + 1 + 1 / 30), 1e-5);
    });

    const visibility = [
        '\tAnimationCurve: 55,',
        '\tAnimationCurveNode: 70, "AnimCurveNode::Visibility", "" {\n\t}\n\tAnimationCurve: 55,',
    ] as const;
    const cache = [
        '\tDeformer: 30,',
        '\tDeformer: 60, "Deformer::Cache", "VertexCacheDeformer" {\n\t}\n\tDeformer: 30,',
    ] as const;
    const second = ['\tModel: 11,', '\tModel: 12, "Model::Double", "Null" {\n\t}\n\tModel: 11,'] as const;
    const connected = (lines: string) => ['\tC: "OO",12,11\n', `\tC: "OO",12,11\n${lines}`] as const;
    test.each([
        ['a geometry cache', [cache, connected('\tC: "OO",60,1\n')], /^'Sleeve': its geometry cache is not read/],
        ['a node with two parents', [connected('\tC: "OO",12,10\n')], /^'Lower' has several parents/],
        ['an id of two objects', [second], /^'Lower': several objects have its number/],
        [
            'animated visibility',
            [visibility, connected('\tC: "OO",70,51\n\tC: "OP",70,10, "Visibility"\n\tC: "OP",55,70, "d|X"\n')],
            /^'Sleeve': clip 'Bend' shows and hides it$/,
        ],
    ])('warns of %s', async (_, changes, message) => {
        const { warnings } = await convertFile(arm(...changes));
        expect(warnings.map((warning) => warning.message)).toEqual([expect.stringMatching(message)]);
    });

    test('warns of dual quaternions with the name of the node', async () => {
        const { warnings } = await convertFile(arm(['SkinningType: "Linear"', 'SkinningType: "DualQuaternion"']));
        expect(warnings).toEqual([
            {
                code: 'SOURCE_APPROXIMATED',
                pointer: '',
                message: expect.stringMatching(/^'Sleeve': .*dual quaternions/),
            },
        ]);
    });
});

describe('a texture next to the file', () => {
    const TEXTURED = [
        [
            '\tDeformer: 30,',
            '\tTexture: 60, "Texture::Cloth", "" {\n\t\tFileName: "C:\\\\work\\\\cloth.png"\n\t\tRelativeFilename: "maps\\\\cloth.png"\n\t}\n\tDeformer: 30,',
        ],
        ['\tC: "OO",30,1\n', '\tC: "OO",30,1\n\tC: "OP",60,20, "DiffuseColor"\n'],
    ] as const;
    const png = Uint8Array.from(Buffer.from('89504e470d0a1a0a', 'hex'));
    const convertWith = (found: Uint8Array, at: string) => {
        const resolve = async (path: string) => (path === at ? found : Promise.reject(new Error('none')));
        return convertFile({ ...arm(...TEXTURED), resolve });
    };

    test.each(['maps/cloth.png', 'cloth.png', 'textures/cloth.png'])('is embedded: %s', async (path) => {
        const { bytes, warnings } = await convertWith(png, path);
        const { root } = await poser(bytes);
        const texture = root.listMaterials()[0]!.getBaseColorTexture()!;
        expect([warnings, texture.getMimeType()]).toEqual([[], 'image/png']);
        expect(Buffer.compare(texture.getImage()!, png)).toBe(0);
        expect(root.listMaterials()[0]!.getBaseColorFactor()).toEqual([1, 1, 1, 1]);
    });

    test('keeps its place on the mesh', async () => {
        const moved = [
            '\t\tRelativeFilename:',
            '\t\tModelUVTranslation: 0.25,0.5\n\t\tModelUVScaling: 2,4\n\t\tRelativeFilename:',
        ] as const;
        const { bytes } = await convertFile({ ...arm(...TEXTURED, moved), resolve: async () => png });
        const transform = '"KHR_texture_transform":{"offset":[0.25,-3.5],"scale":[2,4]}';
        expect(Buffer.from(bytes).toString('latin1')).toContain(transform);
    });

    test('of a part that is not converted is left out with a warning', async () => {
        const [texture, [before, after]] = TEXTURED;
        const reflection = [before, after.replace('DiffuseColor', 'ReflectionColor')] as const;
        const { warnings } = await convertFile(arm(texture, reflection));
        expect(warnings.map(({ message }) => message)).toEqual(["material 'Cloth': the texture of reflectionColor"]);
    });

    test.each([
        [png, 'elsewhere.png', /^material 'Cloth': texture 'cloth\.png' was not found beside the file$/],
        [new Uint8Array(20), 'cloth.png', /^material 'Cloth': texture 'cloth\.png' is neither PNG nor JPEG$/],
    ])('is left out with a warning', async (found, path, message) => {
        const { bytes, warnings } = await convertWith(found, path);
        expect(warnings).toEqual([{ code: 'SOURCE_LEFT_OUT', pointer: '', message: expect.stringMatching(message) }]);
        expect((await poser(bytes)).root.listTextures()).toEqual([]);
    });
});

test.each([
    [
        'missing',
        "throw Object.assign(new Error('none'), { code: 'MODULE_NOT_FOUND' })",
        /later: they are not installed; run 'npm install /,
    ],
    [
        'too old',
        `return require.resolve('${join(__dirname, 'support/old-loaders.json')}')`,
        /later: @babylonjs\/loaders is 9\.26\.0; run/,
    ],
])('without Babylon.js, or with a release that is %s, the command to install it is printed', (_, found, message) => {
    const hook = join(folder(), 'hook.cjs');
    writeFileSync(
        hook,
        `const Module = require('node:module');
        const resolve = Module._resolveFilename;
        Module._resolveFilename = (name, ...others) => {
            if (name === '@babylonjs/loaders/package.json') ${found};
            return resolve(name, ...others);
        };`,
    );
    const main = join(__dirname, '../../dist/cli/main.js');
    const { status, stderr } = runNode(['--require', hook, main, 'inspect', join(__dirname, 'support/arm.fbx')]);
    expect([status, stderr]).toEqual([3, expect.stringMatching(message)]);
});

test('a blend shape goes beyond 100%, and between its targets', async () => {
    const pose = await converted(
        ['a: 0,200', 'a: 0,-300'],
        ['FullWeights: *1 {\n\t\t\ta: 100', 'FullWeights: *1 {\n\t\t\ta: 50'],
    );
    // The weight at 2 s is -300 / 50, so the vertex moves by -6 * 20 cm; the elbow is turned by 90 degrees.
    expectNear(pose.vertices('Bend', 2), [0.5 - 1, 1 + 0.1 - 1.2, 0], 1e-5);
});

describe('the weight of a blend shape as a property of its mesh', () => {
    const old = ['; FBX 7.4.0', '; FBX 7.1.0'] as const;
    const property = (value: string) => `Properties70:  {\n\t\t\tP: "Wide", "Number", "", "A+",${value}\n\t\t}\n`;
    const onMesh = (value: string) =>
        ['GeometryVersion: 124\n', `GeometryVersion: 124\n\t\t${property(value)}`] as const;
    const other = [
        '\tModel: 10,',
        `\tGeometry: 3, "Geometry::Other", "Mesh" {\n\t\t${property('75')}\t}\n\tModel: 10,`,
    ] as const;
    const onNode = ['"Lcl Translation", "Lcl Translation", "", "A",0,100,0', '"Wide", "Number", "", "A",75'] as const;

    test.each([
        ['is used before version 7200', [old, onMesh('50')], 0.5],
        ['is that of its own mesh', [old, onMesh('50'), other, onNode], 0.5],
        ['is not one of another mesh or node', [old, other, onNode], 0],
        ['must be a number', [old, onMesh('"half"')], 0],
        ['is not read since version 7200', [onMesh('50')], 0],
    ])('%s', async (_, changes, weight) => {
        const { root } = await converted(...changes);
        expect(root.listMeshes()[0]!.getWeights()).toEqual([weight]);
    });
});

describe('an unreadable file', () => {
    test.each([
        ['cut off', ARM.slice(0, 4000)],
        ['with a damaged start', ARM.slice(2), 'unrecognized FBX format'],
        ['empty', '', 'unrecognized FBX format'],
        ['not FBX after its first line', '; FBX 7.4.0 project file\n{{{'],
        ['without a number', ARM.replace('-10,0,0', 'nan,0,0')],
        [
            'too long for JavaScript',
            ARM.replace(/("LocalStop".*,)\d+/, '$11e300'),
            'its clips have too many frames; export shorter ones',
        ],
    ])('%s is rejected', async (_, text, rule = '') => {
        await expect(convertFile({ name: 'bad.fbx', bytes: Buffer.from(text, 'latin1') })).rejects.toMatchObject({
            code: 'SOURCE_INVALID',
            file: 'bad.fbx',
            message: expect.stringContaining(`bad.fbx: the FBX file cannot be read: ${rule}`),
        });
    });
});

test('glTF is returned as GLB, and other options are rejected', async () => {
    const { bytes, source, nodes } = await convertFile(CHARACTER.path);
    expect(Buffer.compare(bytes, readFileSync(CHARACTER.path))).toBe(0);
    expect(source).toBeNull();
    expect(nodes).toBeGreaterThan(10);
    await expect(convertFile(arm(), { bvhScale: 0 })).rejects.toThrow(/bvhScale is 0; it must be greater than 0/);
});
