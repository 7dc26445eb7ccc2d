// SPDX-License-Identifier: MIT

/** The shader and the script of a crowd for Godot: the files of the folder `godot`, with other constants. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = join(__dirname, '../../godot');

/** Words of Godot 3 for those of Godot 4, in the order in which they are replaced. */
const GODOT_3: readonly (readonly [from: string, to: string])[] = [
    [' : filter_nearest, repeat_disable', ''],
    [': source_color, hint_default_white', ': hint_albedo'],
    [': hint_default_white', ': hint_white'],
    [': source_color', ': hint_color'],
    ['ALPHA_SCISSOR_THRESHOLD', 'ALPHA_SCISSOR'],
    ['@export var', 'export var'],
    ['MultiMeshInstance3D', 'MultiMeshInstance'],
    ['MeshInstance3D', 'MeshInstance'],
    ['.instantiate()', '.instance()'],
    ['.get_image()', '.get_data()'],
    ['set_shader_parameter', 'set_shader_param'],
    ['emission_energy_multiplier', 'emission_energy'],
    ['old.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR', 'old.params_use_alpha_scissor'],
    ['old.cull_mode', 'old.params_cull_mode'],
    ['old.alpha_scissor_threshold', 'old.params_alpha_scissor_threshold'],
    ['BaseMaterial3D', 'SpatialMaterial'],
    ['_state.update(_image)', '_state.set_data(_image)'],
    [
        'return ImageTexture.create_from_image(image)',
        'var texture := ImageTexture.new()\n\ttexture.create_from_image(image, 0)\n\treturn texture',
    ],
    ['_image = Image.create(', '_image = Image.new()\n\t_image.create('],
    ['_image.set_pixel(index', '_image.lock()\n\t_image.set_pixel(index'],
    ['SIDE)), texel)', 'SIDE)), texel)\n\t_image.unlock()'],
];

/**
 * The shader and the script.
 *
 * @param constants By their names in the files.
 */
export function godotFilesOf(version: '4' | '3', constants: Readonly<Record<string, string>>): Uint8Array[] {
    return ['crowd.gdshader', 'crowd.gd'].map((file) => {
        let text = readFileSync(join(FILES, file), 'utf8');
        if (version === '3') for (const [from, to] of GODOT_3) text = text.replaceAll(from, to);
        // Constants last: names of clips can have words of Godot 4.
        text = text.replace(/^(const (?:int )?(\w+) :?= ).*?(;?)$/gm, (whole, start, name, end) =>
            name in constants ? `${start}${constants[name]}${end}` : whole,
        );
        return new TextEncoder().encode(text);
    });
}
