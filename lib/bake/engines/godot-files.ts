// SPDX-License-Identifier: MIT

/** The shader and the script of a crowd for Godot. Both are under the license of this file. */

import type { EngineClip } from './parts';

export interface GodotFacts {
    readonly stem: string;
    readonly input: string;
    readonly version: '4' | '3';
    /** Matrices of a row of the palette. */
    readonly columns: number;
    /** Texels in a line of the texture. */
    readonly width: number;
    /** Number of the first texel with joints and weights. Each vertex has two for each set. */
    readonly skinning: number;
    readonly sets: number;
    /** Base of the two numbers in `TEXCOORD_1`. */
    readonly places: number;
    /** Distance from the mesh at rest to everywhere that the character moves. */
    readonly reach: number;
    /** Whether vertices have colors, and materials holes. */
    readonly colors: boolean;
    readonly masked: boolean;
    readonly clips: readonly EngineClip[];
}

/** Texels in a line of the texture with the state of instances, three for each. */
const LINE = 768;

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
    ['_image.set_pixel', '_image.lock()\n\t_image.set_pixel'],
    ['# unlock', '_image.unlock()'],
    [
        'return ImageTexture.create_from_image(image)',
        'var texture := ImageTexture.new()\n\ttexture.create_from_image(image, 0)\n\treturn texture',
    ],
    [
        '_image = Image.create(SIDE, lines, false, Image.FORMAT_RGBAF)',
        '_image = Image.new()\n\t_image.create(SIDE, lines, false, Image.FORMAT_RGBAF)',
    ],
];

/** @param names Texts for each `%key%`: names of the input and its clips, which can have words of Godot 4. */
function forVersion(text: string, version: '4' | '3', names: Readonly<Record<string, string>>): string {
    if (version === '3') for (const [from, to] of GODOT_3) text = text.replaceAll(from, to);
    return text.replace(/\n\t# unlock/g, '').replace(/%(\w+)%/g, (_, key: string) => names[key]!);
}

/** Moves vertices by the palette: rows are mixed linearly, and so are two clips during a fade. */
export function shaderOf({
    input,
    version,
    columns,
    width,
    skinning,
    sets,
    places,
    colors,
    masked,
}: GodotFacts): string {
    const influence = (k: string) => `if (weights.${k} != 0.0) {
			add(int(joints.${k} + 0.5), row, weights.${k}, x, y, z);
		}`;
    return forVersion(
        `// SPDX-License-Identifier: MIT
// Written by poselane for %input%: moves a crowd by rows of matrices.
shader_type spatial;
render_mode cull_back;

uniform sampler2D palette : filter_nearest, repeat_disable;
uniform sampler2D state : filter_nearest, repeat_disable;
uniform float now = 0.0;
uniform vec4 albedo : source_color = vec4(1.0);
uniform sampler2D albedo_texture : source_color, hint_default_white;
uniform float metallic = 0.0;
uniform float roughness = 1.0;
uniform sampler2D metallic_roughness_texture : hint_default_white;
uniform vec4 emission : source_color = vec4(0.0, 0.0, 0.0, 1.0);
uniform sampler2D emission_texture : source_color, hint_default_white;
uniform float emission_energy = 1.0;
uniform vec3 uv_scale = vec3(1.0);
uniform vec3 uv_offset = vec3(0.0);
${masked ? 'uniform float scissor = 0.0;\n' : ''}
vec4 texel(int index) {
	return texelFetch(palette, ivec2(index % ${width}, index / ${width}), 0);
}

vec4 entry(int index) {
	return texelFetch(state, ivec2(index % ${LINE}, index / ${LINE}), 0);
}

// The palette's row of a clip: first row, intervals (negative: played once), rows per second, start.
float row_of(vec4 clip) {
	float intervals = abs(clip.y);
	float at = (now - clip.w) * clip.z;
	if (clip.y > 0.0) {
		at -= intervals * floor(at / intervals);
	}
	return clip.x + clamp(at, 0.0, intervals);
}

// Adds the first three rows of a column's matrix.
void add(int column, float row, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
	int at = (int(row) * ${columns} + column) * 3;
	int next = at + ${columns * 3};
	float share = fract(row);
	x += weight * (1.0 - share) * texel(at);
	y += weight * (1.0 - share) * texel(at + 1);
	z += weight * (1.0 - share) * texel(at + 2);
	if (share > 0.0) {
		x += weight * share * texel(next);
		y += weight * share * texel(next + 1);
		z += weight * share * texel(next + 2);
	}
}

void pose(int vertex, float row, float share, inout vec4 x, inout vec4 y, inout vec4 z) {
	int first = ${skinning} + vertex * ${sets * 2};
	float total = 0.0;
	for (int set = 0; set < ${sets}; set++) {
		total += dot(texel(first + set * 2 + 1), vec4(1.0));
	}
	for (int set = 0; set < ${sets}; set++) {
		vec4 joints = texel(first + set * 2);
		vec4 weights = texel(first + set * 2 + 1) * (share / total);
		${['x', 'y', 'z', 'w'].map(influence).join('\n\t\t')}
	}
}

void vertex() {
	int vertex = int(UV2.x + 0.5) + int(UV2.y + 0.5) * ${places};
	vec4 fade = entry(INSTANCE_ID * 3 + 2);
	float share = fade.y > 0.0 ? clamp((now - fade.x) / fade.y, 0.0, 1.0) : 1.0;
	vec4 x = vec4(0.0);
	vec4 y = vec4(0.0);
	vec4 z = vec4(0.0);
	pose(vertex, row_of(entry(INSTANCE_ID * 3)), share, x, y, z);
	if (share < 1.0) {
		pose(vertex, row_of(entry(INSTANCE_ID * 3 + 1)), 1.0 - share, x, y, z);
	}
	vec4 at = vec4(VERTEX, 1.0);
	VERTEX = vec3(dot(x, at), dot(y, at), dot(z, at));
	vec3 side = cross(y.xyz, z.xyz);
	vec3 normal = vec3(dot(side, NORMAL), dot(cross(z.xyz, x.xyz), NORMAL), dot(cross(x.xyz, y.xyz), NORMAL));
	NORMAL = normalize(dot(x.xyz, side) < 0.0 ? -normal : normal);
	UV = UV * uv_scale.xy + uv_offset.xy;
}

void fragment() {
	vec4 color = albedo * texture(albedo_texture, UV)${colors ? ' * COLOR' : ''};
	vec4 metal = texture(metallic_roughness_texture, UV);
	ALBEDO = color.rgb;
	METALLIC = metallic * metal.b;
	ROUGHNESS = roughness * metal.g;
	EMISSION = emission.rgb * texture(emission_texture, UV).rgb * emission_energy;
${masked ? '\tALPHA = color.a;\n\tALPHA_SCISSOR_THRESHOLD = scissor;\n' : ''}}
`,
        version,
        { input: JSON.stringify(input) },
    );
}

export function scriptOf({ stem, input, version, reach, masked, clips }: GodotFacts): string {
    const listed = clips.map(({ name, first, intervals, fps, loop }) => {
        const rate = Number.isInteger(fps) ? `${fps}.0` : String(fps);
        return `\t${JSON.stringify(name)}: [${first}, ${intervals}, ${rate}, ${loop}],`;
    });
    return forVersion(
        `# SPDX-License-Identifier: MIT
# Written by poselane for %input%: a crowd. Attach it to a MultiMeshInstance3D.
extends MultiMeshInstance3D

# Number of characters. Place them by multimesh.set_instance_transform.
@export var count := 1
# Whether time passes. Otherwise set \`now\`.
@export var playing := true
# Seconds.
var now := 0.0

# By clip: first row, intervals between rows, rows per second, whether it repeats.
const CLIPS := {
%clips%
}
const SIDE := ${LINE}

var _image: Image
var _state: ImageTexture
var _changed := true
var _materials := []
var _playing := []


func _ready():
	var folder: String = get_script().resource_path.get_base_dir()
	var model: Node = load(folder + %mesh%).instantiate()
	var mesh: Mesh = _mesh_of(model).duplicate()
	model.free()
	var lines := int(ceil(count * 3.0 / SIDE))
	_image = Image.create(SIDE, lines, false, Image.FORMAT_RGBAF)
	_playing.resize(count)
	for instance in range(count):
		play(instance, CLIPS.keys()[0])
	_state = _texture_of(_image)
	var image: Image = load(folder + %palette%).get_image()
	var palette := _texture_of(image)
	for surface in range(mesh.get_surface_count()):
		var material := _material_of(mesh.surface_get_material(surface), load(folder + %shader%))
		material.set_shader_parameter("palette", palette)
		material.set_shader_parameter("state", _state)
		mesh.surface_set_material(surface, material)
		_materials.append(material)
	extra_cull_margin = ${reach}
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.mesh = mesh
	multimesh.instance_count = count


func _process(delta):
	if playing:
		now += delta
	if _changed:
		_state.update(_image)
		_changed = false
	for material in _materials:
		material.set_shader_parameter("now", now)


# Plays a clip that began \`time\` seconds ago. The clip before fades out during \`fade\` seconds.
func play(instance: int, clip: String, time := 0.0, fade := 0.0):
	var rows: Array = CLIPS[clip]
	var before = _playing[instance]
	_playing[instance] = Color(rows[0], rows[1] if rows[3] else -rows[1], rows[2], now - time)
	_write(instance * 3, _playing[instance])
	_write(instance * 3 + 1, _playing[instance] if before == null else before)
	_write(instance * 3 + 2, Color(now, fade, 0.0, 0.0))
	_changed = true


func _write(index: int, texel: Color):
	_image.set_pixel(index % SIDE, int(index / float(SIDE)), texel)
	# unlock


func _texture_of(image: Image) -> ImageTexture:
	return ImageTexture.create_from_image(image)


func _mesh_of(node: Node) -> Mesh:
	if node is MeshInstance3D:
		return node.mesh
	for child in node.get_children():
		var found := _mesh_of(child)
		if found != null:
			return found
	return null


func _material_of(old: Material, shader: Shader) -> ShaderMaterial:
	var material := ShaderMaterial.new()
	material.shader = shader
	if not old is BaseMaterial3D:
		return material
	if old.cull_mode == BaseMaterial3D.CULL_DISABLED:
		material.shader = Shader.new()
		material.shader.code = shader.code.replace("cull_back", "cull_disabled")
	material.set_shader_parameter("metallic", old.metallic)
	material.set_shader_parameter("roughness", old.roughness)
	material.set_shader_parameter("albedo", old.albedo_color)
	material.set_shader_parameter("albedo_texture", old.albedo_texture)
	material.set_shader_parameter("metallic_roughness_texture", old.roughness_texture)
	material.set_shader_parameter("uv_scale", old.uv1_scale)
	material.set_shader_parameter("uv_offset", old.uv1_offset)
${
    masked
        ? `	if old.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
		material.set_shader_parameter("scissor", old.alpha_scissor_threshold)
`
        : ''
}	if old.emission_enabled:
		# The importer makes it black where there is a texture, which it adds.
		var textured: bool = old.emission_texture != null and old.emission == Color(0, 0, 0)
		material.set_shader_parameter("emission", Color(1, 1, 1) if textured else old.emission)
		material.set_shader_parameter("emission_texture", old.emission_texture)
		material.set_shader_parameter("emission_energy", old.emission_energy_multiplier)
	return material
`,
        version,
        {
            input: JSON.stringify(input),
            clips: listed.join('\n'),
            mesh: JSON.stringify(`/${stem}.glb`),
            palette: JSON.stringify(`/${stem}_palette.exr`),
            shader: JSON.stringify(`/${stem}${version === '3' ? '.shader' : '.gdshader'}`),
        },
    );
}
