# SPDX-License-Identifier: MIT
# Draws the frames of given.json in the light of a lamp and of the sky, by Lambert's law, and writes the pixels of each as RGB into frame<i>.rgb.
extends Spatial

# The mathematics of OpenVAT's own shader for Godot, by the exact row.
const OPENVAT = """
shader_type spatial;
render_mode diffuse_lambert, specular_disabled, cull_disabled;
uniform sampler2D vat;
uniform sampler2D albedo : hint_albedo;
uniform vec4 color : hint_color = vec4(1.0);
uniform vec3 least;
uniform vec3 most;
vec3 godot(vec3 found) {
	return vec3(found.x, found.z, -found.y);
}
vec3 mixed(vec2 place, float frame) {
	vec2 line = vec2(0.0, 1.0 / float(textureSize(vat, 0).y));
	place += floor(frame) * line;
	return mix(texture(vat, place).rgb, texture(vat, place + line).rgb, fract(frame));
}
void vertex() {
	VERTEX += godot(least + mixed(UV2, INSTANCE_CUSTOM.x) * (most - least));
	NORMAL = normalize(godot(2.0 * mixed(UV2 + vec2(0.0, 0.5), INSTANCE_CUSTOM.x) - 1.0));
}
void fragment() {
	ALBEDO = color.rgb * texture(albedo, UV).rgb;
	ROUGHNESS = 1.0;
}
"""


func _ready():
	var file := File.new()
	file.open("res://given.json", File.READ)
	var given: Dictionary = parse_json(file.get_as_text())
	file.close()
	var at: Array = given.at
	$Camera.look_at_from_position(Vector3(at[0], at[1], at[2]), Vector3(0, at[1] * 0.6, 0), Vector3.UP)
	$Light.look_at_from_position(Vector3(1, 2, 3), Vector3(), Vector3.UP)
	$Camera.environment = Environment.new()
	$Camera.environment.ambient_light_color = Color(1, 1, 1)
	$Camera.environment.ambient_light_sky_contribution = 0.0
	$Camera.environment.ambient_light_energy = 0.2
	$Camera.near = at[2] / 50
	$Camera.far = at[2] * 10
	var crowd: MultiMeshInstance = vat(given) if given.has("vat") else palette(given)
	for i in range(3):
		crowd.multimesh.set_instance_transform(i, Transform(Basis(), Vector3((i - 1) * given.apart, 0, 0)))
	var number := 0
	for frame in given.frames:
		for i in range(3):
			if given.has("vat"):
				crowd.multimesh.set_instance_custom_data(i, Color(frame[i], 0, 0, 0))
			else:
				crowd.play(i, frame[i][0], frame[i][1])
		yield(get_tree(), "idle_frame")
		yield(get_tree(), "idle_frame")
		yield(VisualServer, "frame_post_draw")
		var image := get_viewport().get_texture().get_data()
		image.flip_y()
		image.convert(Image.FORMAT_RGB8)
		file.open("res://frame%d.rgb" % number, File.WRITE)
		file.store_buffer(image.get_data())
		file.close()
		number += 1
	get_tree().quit()


func palette(given: Dictionary) -> MultiMeshInstance:
	var crowd := MultiMeshInstance.new()
	crowd.set_script(load("res://%s_godot/%s.gd" % [given.stem, given.stem]))
	crowd.count = 3
	crowd.playing = false
	add_child(crowd)
	for material in crowd._materials:
		var code: String = material.shader.code
		material.shader = Shader.new()
		material.shader.code = code.replace("render_mode ", "render_mode diffuse_lambert, specular_disabled, ")
		material.set_shader_param("metallic", 0.0)
		material.set_shader_param("emission", Color(0, 0, 0))
	return crowd


func vat(given: Dictionary) -> MultiMeshInstance:
	var folder: String = "res://%s_vat/%s" % [given.stem, given.stem]
	var mesh: Mesh = load(folder + ".glb").instance().get_child(0).mesh
	var texture := ImageTexture.new()
	texture.create_from_image(load(folder + "_vat.exr").get_data(), 0)
	for i in range(mesh.get_surface_count()):
		var old: SpatialMaterial = mesh.surface_get_material(i)
		var material := ShaderMaterial.new()
		material.shader = Shader.new()
		material.shader.code = OPENVAT
		material.set_shader_param("vat", texture)
		material.set_shader_param("albedo", old.albedo_texture)
		material.set_shader_param("color", old.albedo_color)
		material.set_shader_param("least", Vector3(given.vat.Min[0], given.vat.Min[1], given.vat.Min[2]))
		material.set_shader_param("most", Vector3(given.vat.Max[0], given.vat.Max[1], given.vat.Max[2]))
		mesh.surface_set_material(i, material)
	var crowd := MultiMeshInstance.new()
	crowd.multimesh = MultiMesh.new()
	crowd.multimesh.transform_format = MultiMesh.TRANSFORM_3D
	crowd.multimesh.custom_data_format = MultiMesh.CUSTOM_DATA_FLOAT
	crowd.multimesh.mesh = mesh
	crowd.multimesh.instance_count = 3
	crowd.extra_cull_margin = 1000
	add_child(crowd)
	return crowd
