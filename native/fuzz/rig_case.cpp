// SPDX-License-Identifier: MIT
#include "rig_case.h"

#include <algorithm>

#include "../rig/row_tracks.h"

namespace poselane {

namespace {

std::vector<float> drawList(Input& input, Numbers numbers, size_t count) {
    std::vector<float> list(count);
    drawFloats(input, numbers, list.data(), count);
    return list;
}

std::vector<float> drawLocals(Input& input, Numbers numbers, int slots) {
    std::vector<float> list = drawList(input, numbers, static_cast<size_t>(slots) * kLocalFloats);
    for (int slot = 0; slot < slots; slot++) {
        if (input.randomBelow(2) == 0) {
            drawRotation(input, list.data() + slot * kLocalFloats + 3);
        }
    }
    return list;
}

/// Places of a clip's tracks in the rows of its groups, while they are drawn.
struct Rows {
    std::vector<KeyGroup> groups;

    Track drawTrack(Input& input, int components) {
        if (groups.empty() || input.randomBelow(4) == 0) {
            return {-1, kStep, 0};
        }
        const int group = input.randomBelow(static_cast<int>(groups.size()));
        const int kind = input.randomBelow(2) == 0 ? kLinear : input.randomBelow(3);
        KeyGroup& rows = groups[static_cast<size_t>(group)];
        const Track track = {group, kind, static_cast<int32_t>(rows.rowFloats)};
        rows.rowFloats += static_cast<uint32_t>(components * (kind == kCubicSpline ? 3 : 1));
        return track;
    }
};

/// Never decreasing; steps from none to huge.
void drawKeys(Input& input, KeyGroup* group, std::vector<float>* times) {
    group->firstKey = static_cast<uint32_t>(times->size());
    group->keys =
        static_cast<uint32_t>(input.randomBelow(8) == 0 ? 1 + input.randomBelow(300) : 1 + input.randomBelow(8));
    float time = input.randomBelow(3) == 0 ? input.around0() * 4.0f : 0.0f;
    for (uint32_t key = 0; key < group->keys; key++) {
        times->push_back(time);
        const int kind = input.randomBelow(16);
        time += kind == 0 ? 0.0f : kind == 1 ? 0x1p-149f : kind == 2 ? 1e30f * input.unit() : 0.1f * input.unit();
    }
    times->insert(times->end(), kKeysPadding, HUGE_VALF);
}

/// Each the last key of a cell before, or any key before that.
void drawStarts(Input& input, const Clip& cells, KeyGroup* group, const std::vector<float>& times,
                std::vector<uint16_t>* starts) {
    group->firstStart = static_cast<uint32_t>(starts->size());
    group->cellShift = static_cast<uint32_t>(16 - input.randomBelow(8));
    const bool early = input.randomBelow(4) == 0;
    for (int cell = 0; cell < kCells >> group->cellShift; cell++) {
        int start = -1;
        for (uint32_t key = 0; key < group->keys; key++) {
            const float at = (times[group->firstKey + key] - cells.firstTime) * cells.cellsPerSecond;
            const int of = at > 0.0f ? at < 65535.0f ? static_cast<int>(at) : 65535 : 0;
            start += of >> group->cellShift < cell ? 1 : 0;
        }
        start = std::max(start, 0);
        starts->push_back(static_cast<uint16_t>(early ? input.randomBelow(start + 1) : start));
    }
}

Clip drawClip(Input& input, Numbers numbers, RigCase* rig, const std::vector<Morph>& morphs) {
    Rows rows;
    rows.groups.resize(static_cast<size_t>(input.choice(5)));
    std::vector<Track> tracks, morphTracks;
    const bool together = input.oneIn(2);
    for (int slot = 0; slot < rig->slots; slot++) {
        if (together && !rows.groups.empty() && input.randomBelow(4) != 0) {
            // All three LINEAR and side by side, for which there is a way of its own.
            const int group = input.randomBelow(static_cast<int>(rows.groups.size()));
            KeyGroup& in = rows.groups[static_cast<size_t>(group)];
            const int32_t first = static_cast<int32_t>(in.rowFloats);
            tracks.insert(tracks.end(),
                          {{group, kLinear, first}, {group, kLinear, first + 3}, {group, kLinear, first + 7}});
            in.rowFloats += kLocalFloats;
            continue;
        }
        for (int path = 0; path < kPaths; path++) {
            tracks.push_back(rows.drawTrack(input, path == 1 ? 4 : 3));
        }
    }
    for (const Morph& morph : morphs) {
        morphTracks.push_back(rows.drawTrack(input, morph.weights));
    }
    std::vector<float> times;
    std::vector<uint16_t> starts;
    Clip clip = {};
    clip.firstTime = input.around0();
    clip.cellsPerSecond = input.randomBelow(8) == 0 ? 0.0f : 65536.0f * input.unit();
    uint32_t floats = 0;
    for (KeyGroup& group : rows.groups) {
        drawKeys(input, &group, &times);
        drawStarts(input, clip, &group, times, &starts);
        group.firstFloat = floats;
        floats += group.keys * group.rowFloats;
    }
    std::vector<float> values = drawList(input, numbers, floats);
    if (input.oneIn(2)) {
        for (size_t i = 0; i + 4 <= values.size(); i += 3) {
            drawRotation(input, values.data() + i);
        }
    }
    // NaNs, which nothing may come of.
    values.resize(floats + kValuesPadding, floatOf(0x7fc01234));
    std::vector<float> base = drawLocals(input, numbers, rig->slots);
    base.resize(base.size() + kBasePadding, floatOf(0x7fc01234));
    rig->groups = std::max(rig->groups, rows.groups.size());
    return {
        times.empty() ? 0.0f : 1.0f, clip.firstTime,
        clip.cellsPerSecond,         static_cast<int32_t>(rows.groups.size()),
        rig->tables.keep(values),    rig->tables.keep(rows.groups),
        rig->tables.keep(times),     rig->tables.keep(starts),
        rig->tables.keep(tracks),    rig->tables.keep(morphTracks),
        rig->tables.keep(base),      rig->tables.keep(drawList(input, numbers, static_cast<size_t>(rig->rig.weights)))};
}

/// Some slots, in order, with the parents that their places have.
void drawSelection(Input& input, RigCase* rig, int matrices) {
    std::vector<int32_t> slots, parents, places;
    const bool all = input.oneIn(2);
    for (int slot = 0; slot < rig->slots; slot++) {
        if (!all && input.randomBelow(3) == 0) {
            continue;
        }
        const int place = static_cast<int>(slots.size());
        slots.push_back(slot);
        parents.push_back(place == 0 || input.randomBelow(8) == 0 ? -1 : input.randomBelow(place));
        places.push_back(matrices > 0 && input.randomBelow(8) == 0 ? input.randomBelow(matrices) : -1);
    }
    rig->selected.count = static_cast<int>(slots.size());
    rig->selected.slots = rig->tables.keep(slots);
    rig->selected.parents = rig->tables.keep(parents);
    rig->selected.matrices = rig->tables.keep(places);
}

void keepTracks(RigCase* rig) {
    const int clips = static_cast<int>(rig->clips.size());
    std::vector<int32_t> tracks(listTracks(rig->rig, rig->selected, clips, nullptr));
    listTracks(rig->rig, rig->selected, clips, tracks.data());
    rig->selected.tracks = rig->tables.keep(tracks);
}

size_t vertexAt(size_t place, size_t vertices) { return place < vertices ? place : vertices - 1; }

/// [block][3][16], the last block filled up with the last vertex.
std::vector<float> drawVertices(Input& input, Numbers numbers, size_t vertices) {
    const size_t blocks = (vertices + kVertices - 1) / kVertices;
    std::vector<float> list = drawList(input, numbers, blocks * 3 * kVertices);
    for (size_t place = vertices; place < blocks * kVertices; place++) {
        for (size_t axis = 0; axis < 3; axis++) {
            float* const rows = list.data() + (blocks - 1) * 3 * kVertices + axis * kVertices;
            rows[place % kVertices] = rows[(vertices - 1) % kVertices];
        }
    }
    return list;
}

void drawMorphs(Input& input, Numbers numbers, RigCase* rig, MeshTables* mesh) {
    MeshView& view = mesh->view;
    view.firstWeight = rig->rig.weights == 0 ? 0 : input.randomBelow(rig->rig.weights);
    view.targets = input.oneIn(2) ? 0 : rig->rig.weights - view.firstWeight;
    if (view.targets == 0) {
        return;
    }
    std::vector<uint32_t> starts = {0}, targets;
    for (int vertex = 0; vertex < view.vertices; vertex++) {
        for (int target = 0; target < view.targets; target++) {
            if (input.randomBelow(4) == 0) {
                targets.push_back(static_cast<uint32_t>(target));
            }
        }
        starts.push_back(static_cast<uint32_t>(targets.size()));
    }
    view.morphStarts = rig->tables.keep(starts);
    view.morphTargets = rig->tables.keep(targets);
    view.morphPositions = rig->tables.keep(drawList(input, numbers, targets.size() * 3));
    view.morphNormals = rig->tables.keep(drawList(input, numbers, mesh->normals ? targets.size() * 3 : 0));
}

MeshTables drawMesh(Input& input, Numbers numbers, RigCase* rig) {
    MeshTables mesh;
    MeshView& view = mesh.view;
    view.vertices = 1 + input.choice(50);
    view.joints = rig->selected.count == 0 ? 0 : input.choice(8);
    view.sets = 1 + input.choice(3);
    mesh.normals = input.oneIn(2);
    const size_t vertices = static_cast<size_t>(view.vertices);
    const size_t places = (vertices + kVertices - 1) / kVertices * kVertices;
    view.positions = rig->tables.keep(drawVertices(input, numbers, vertices));
    view.normals = mesh.normals ? rig->tables.keep(drawVertices(input, numbers, vertices)) : nullptr;
    const size_t sets = static_cast<size_t>(view.sets);
    mesh.influences.resize(places * sets * kInfluences);
    std::vector<float> weights = drawList(input, numbers, mesh.influences.size());
    for (size_t place = 0; place < places; place++) {
        for (size_t set = 0; set < sets; set++) {
            const auto at = [&](size_t vertex) {
                return ((vertex / kVertices * sets + set) * kVertices + vertex % kVertices) * kInfluences;
            };
            for (size_t i = 0; i < kInfluences; i++) {
                uint32_t& influence = mesh.influences[at(place) + i];
                float& weight = weights[at(place) + i];
                if (place >= vertices) {
                    influence = mesh.influences[at(vertexAt(place, vertices)) + i];
                    weight = weights[at(vertexAt(place, vertices)) + i];
                } else if (view.joints == 0 || input.randomBelow(3) == 0) {
                    influence = 0;
                    weight = 1.0f;
                } else {
                    influence = 1 + static_cast<uint32_t>(input.randomBelow(view.joints));
                }
            }
        }
    }
    view.influenceWeights = rig->tables.keep(weights);
    view.inverseBinds = rig->tables.keep(drawList(input, numbers, static_cast<size_t>(view.joints) * kGlobalFloats));
    mesh.places = rig->tables.keep(drawPlaces(input, *rig, view.joints));
    drawMorphs(input, numbers, rig, &mesh);
    return mesh;
}

} // namespace

std::vector<int32_t> drawPlaces(Input& input, const RigCase& rig, int count) {
    std::vector<int32_t> places(static_cast<size_t>(count));
    for (int32_t& place : places) {
        place = input.randomBelow(rig.selected.count);
    }
    return places;
}

void drawRig(Input& input, RigCase* rig) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    rig->tables.clear();
    rig->clips.clear();
    rig->meshes.clear();
    rig->groups = 0;
    rig->slots = 1 + input.choice(20);
    if (rig->slots == 20) {
        // More than a tile.
        rig->slots += input.choice(130);
    }
    const int matrices = input.choice(3);
    std::vector<Morph> morphs(static_cast<size_t>(input.choice(3)));
    int weights = 0;
    for (Morph& morph : morphs) {
        morph = {weights, input.randomBelow(5)};
        weights += morph.weights;
    }
    rig->rig.weights = weights;
    rig->rig.morphs = static_cast<int>(morphs.size());
    rig->rig.rest = rig->tables.keep(drawLocals(input, numbers, rig->slots));
    rig->rig.restWeights = rig->tables.keep(drawList(input, numbers, static_cast<size_t>(weights)));
    rig->rig.matrices = rig->tables.keep(drawList(input, numbers, static_cast<size_t>(matrices) * kGlobalFloats));
    rig->rig.morphRanges = rig->tables.keep(morphs);
    for (int clips = 1 + input.choice(3); clips > 0; clips--) {
        rig->clips.push_back(drawClip(input, numbers, rig, morphs));
    }
    rig->rig.clips = rig->clips.data();
    drawSelection(input, rig, matrices);
    keepTracks(rig);
    for (int meshes = input.choice(2); meshes > 0; meshes--) {
        rig->meshes.push_back(drawMesh(input, numbers, rig));
    }
}

} // namespace poselane
