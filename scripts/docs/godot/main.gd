# SPDX-License-Identifier: MIT
# A crowd of 240, each with its own clip, time and place.
extends Spatial


func _ready():
	var environment := Environment.new()
	environment.background_mode = Environment.BG_COLOR
	environment.background_color = Color(0.74, 0.84, 0.9)
	environment.ambient_light_color = Color(0.8, 0.85, 1.0)
	environment.ambient_light_energy = 0.7
	$Camera.environment = environment
	$Camera.look_at_from_position(Vector3(0, 4.2, 13), Vector3(0, 0.6, 1.5), Vector3.UP)
	var ground := MeshInstance.new()
	ground.mesh = PlaneMesh.new()
	ground.mesh.size = Vector2(200, 200)
	var grass := SpatialMaterial.new()
	grass.albedo_color = Color(0.55, 0.66, 0.5)
	ground.material_override = grass
	add_child(ground)
	var names: Array = $Crowd.CLIPS.keys()
	for i in range($Crowd.count):
		var x := (i % 24 - 11.5) * 0.9
		var z := 7.5 - floor(i / 24.0) * 1.4
		var turn := Basis(Vector3.UP, sin(i * 12.9898) * 0.5)
		$Crowd.multimesh.set_instance_transform(i, Transform(turn, Vector3(x + sin(i * 4.1) * 0.2, 0, z + cos(i * 7.3) * 0.3)))
		$Crowd.play(i, names[i % names.size()], i * 0.37)
	for _frame in range(3):
		yield(get_tree(), "idle_frame")
	yield(VisualServer, "frame_post_draw")
	var image := get_viewport().get_texture().get_data()
	image.flip_y()
	image.save_png("res://crowd.png")
	get_tree().quit()
