# SPDX-License-Identifier: MIT
# Written by poselane: a crowd. Attach it to a MultiMeshInstance3D.
extends MultiMeshInstance3D

# Number of characters. Place them by multimesh.set_instance_transform.
@export var count := 1
# Whether time passes. Otherwise set `now`.
@export var playing := true
# Seconds.
var now := 0.0

# By clip: first row, intervals between rows, rows per second, whether it repeats.
const CLIPS := {}
# Files in the folder of this one.
const MESH := "crowd.glb"
const PALETTE := "crowd_palette.exr"
const SHADER := "crowd.gdshader"
# Distance from the mesh at rest to everywhere that the character moves.
const REACH := 1.0
# Texels in a line of the state, three for each instance.
const SIDE := 768

var _image: Image
var _state: ImageTexture
var _changed := true
var _materials := []
var _playing := []


func _ready():
	var folder: String = get_script().resource_path.get_base_dir() + "/"
	var model: Node = load(folder + MESH).instantiate()
	var mesh: Mesh = _mesh_of(model).duplicate()
	model.free()
	var lines := int(ceil(count * 3.0 / SIDE))
	_image = Image.create(SIDE, lines, false, Image.FORMAT_RGBAF)
	_playing.resize(count)
	for instance in range(count):
		play(instance, CLIPS.keys()[0])
	_state = _texture_of(_image)
	var image: Image = load(folder + PALETTE).get_image()
	var palette := _texture_of(image)
	for surface in range(mesh.get_surface_count()):
		var material := _material_of(mesh.surface_get_material(surface), load(folder + SHADER))
		material.set_shader_parameter("palette", palette)
		material.set_shader_parameter("state", _state)
		mesh.surface_set_material(surface, material)
		_materials.append(material)
	extra_cull_margin = REACH
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


# Plays a clip that began `time` seconds ago. The clip before fades out during `fade` seconds.
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
	var code := shader.code
	if old.cull_mode == BaseMaterial3D.CULL_DISABLED:
		code = code.replace("cull_back", "cull_disabled")
	if old.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
		code = code.replace("// ALPHA", "ALPHA")
		material.set_shader_parameter("scissor", old.alpha_scissor_threshold)
	if code != shader.code:
		material.shader = Shader.new()
		material.shader.code = code
	material.set_shader_parameter("metallic", old.metallic)
	material.set_shader_parameter("roughness", old.roughness)
	material.set_shader_parameter("albedo", old.albedo_color)
	material.set_shader_parameter("albedo_texture", old.albedo_texture)
	material.set_shader_parameter("metallic_roughness_texture", old.roughness_texture)
	material.set_shader_parameter("uv_scale", old.uv1_scale)
	material.set_shader_parameter("uv_offset", old.uv1_offset)
	if old.emission_enabled:
		# The importer makes it black where there is a texture, which it adds.
		var textured: bool = old.emission_texture != null and old.emission == Color(0, 0, 0)
		material.set_shader_parameter("emission", Color(1, 1, 1) if textured else old.emission)
		material.set_shader_parameter("emission_texture", old.emission_texture)
		material.set_shader_parameter("emission_energy", old.emission_energy_multiplier)
	return material
