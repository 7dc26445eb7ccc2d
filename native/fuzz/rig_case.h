// SPDX-License-Identifier: MIT
//
// A rig as the addon would hand it to the kernels: tables that keep every promise of native/rig/rig.h, each on the heap
// by itself and no longer than promised, with any numbers in them.
#pragma once

#include <memory>
#include <vector>

#include "../rig/kernels.h"
#include "numbers.h"
#include "placed.h"

namespace poselane {

/// Tables that stay where they are while the case runs. The kernels only read them.
class Tables {
public:
    template <typename Element> const Element* keep(const std::vector<Element>& values, size_t offset = 0) {
        kept_.push_back(std::make_unique<KeptList<Element>>(values, offset));
        return static_cast<KeptList<Element>*>(kept_.back().get())->list.data();
    }
    bool areUnchanged() const {
        for (const auto& list : kept_) {
            if (!list->isUnchanged()) {
                return false;
            }
        }
        return true;
    }
    void clear() { kept_.clear(); }

private:
    struct Kept {
        virtual ~Kept() = default;
        virtual bool isUnchanged() const = 0;
    };
    template <typename Element> struct KeptList : Kept {
        std::vector<Element> values;
        Placed<Element> list;

        KeptList(const std::vector<Element>& from, size_t offset)
            : values(from), list(from.data(), from.size(), offset) {}
        bool isUnchanged() const override { return list.holds(values.data()); }
    };

    std::vector<std::unique_ptr<Kept>> kept_;
};

struct MeshTables {
    /// But for what depends on the kernels: `influenceMatrices`.
    MeshView view = {};
    /// Joints, 1 + their number, 0 for none.
    std::vector<uint32_t> influences;
    const int32_t* places = nullptr;
    bool normals = false;
};

struct RigCase {
    Tables tables;
    int slots = 0;
    size_t groups = 0;
    std::vector<Clip> clips;
    std::vector<MeshTables> meshes;
    RigView rig = {};
    SlotsView selected = {};

    size_t blockFloats() const {
        return (static_cast<size_t>(selected.count) * (kLocalFloats + kGlobalFloats) +
                static_cast<size_t>(rig.weights)) *
               kPoses;
    }
    size_t globalsOffset() const { return static_cast<size_t>(selected.count) * kLocalFloats * kPoses; }
    size_t weightsOffset() const {
        return static_cast<size_t>(selected.count) * (kLocalFloats + kGlobalFloats) * kPoses;
    }
};

void drawRig(Input& input, RigCase* rig);

/// Any places of poses, `count` of them.
std::vector<int32_t> drawPlaces(Input& input, const RigCase& rig, int count);

} // namespace poselane
