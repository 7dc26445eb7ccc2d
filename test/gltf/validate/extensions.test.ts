// SPDX-License-Identifier: MIT

import { skinnedModel } from '../support/builder';
import { expectFault, read, testFaults, testWarnings } from '../support/faults';

const requiring = (...names: unknown[]) => {
    const model = skinnedModel();
    model.json.extensionsRequired = model.json.extensionsUsed = names;
    return model.toGlb();
};

test.each([
    'EXT_meshopt_compression',
    'KHR_meshopt_compression',
    'KHR_mesh_quantization',
    'KHR_draco_mesh_compression',
    'KHR_animation_pointer',
    'KHR_texture_basisu',
    'KHR_texture_transform',
    'EXT_texture_webp',
    'MSFT_texture_dds',
    'KHR_materials_unlit',
    'KHR_materials_pbrSpecularGlossiness',
    'ADOBE_materials_thin_transparency',
    'KHR_lights_punctual',
    'EXT_lights_image_based',
    'KHR_node_visibility',
    'EXT_structural_metadata',
])('%s can be required', async (name) => {
    expect((await read(requiring(name))).warnings).toEqual([]);
});

test.each(['VENDOR_bones', 'KHR_physics_rigid_bodies', 'KHR_accessor_float64', 'MY_texture', 'materials', 'toString'])(
    'a file that requires %s is rejected',
    (name) =>
        expectFault(requiring('KHR_materials_unlit', name), {
            code: 'EXTENSION_UNSUPPORTED',
            pointer: '/extensionsRequired/1',
            rule: new RegExp(`needs "${name}"`),
        }),
);

testWarnings([['an unknown extension that is merely used is ignored', { '/extensionsUsed': ['VENDOR_bones'] }]]);

test('an extension is rejected before any buffer is requested', async () => {
    const model = skinnedModel();
    model.json.extensionsRequired = ['VENDOR_bones'];
    let asked = 0;
    const resolve = async () => {
        asked++;
        return model.bin();
    };
    const fault = { code: 'EXTENSION_UNSUPPORTED', pointer: '/extensionsRequired/0', rule: /VENDOR_bones/ };
    await expectFault(model.toGltf('a.bin'), fault, resolve);
    expect(asked).toBe(0);
});

testFaults([
    [{ '/extensionsRequired': [7] }, /must be/, '/extensionsRequired/0'],
    [{ '/extensionsRequired': 'KHR_materials_unlit' }, /must be/],
]);
