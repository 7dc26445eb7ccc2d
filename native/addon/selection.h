// SPDX-License-Identifier: MIT
//
// The joints that a call processes: the first `numJoints`, or those that an index names.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../core/index_chunks.h"
#include "float_lists.h"

namespace poselane {

class Selection {
public:
    static constexpr size_t kArguments = 2;

    /// (index | null, numJoints | -1)
    bool read(napi_env env, const napi_value* values) {
        napi_valuetype indexType;
        if (napi_typeof(env, values[0], &indexType) != napi_ok || !readInt(env, values[1], kAll, &count_)) {
            return false;
        }
        copy_ = nullptr;
        index_ = {nullptr, 0};
        return indexType == napi_null || readInts(env, values[0], &index_);
    }

    /// Checks everything, writes nothing but `scratch`: room for kMaxChunk numbers that must live as long as this.
    template <typename Lists> bool resolve(const Lists& lists, int* scratch) {
        if (index_.data == nullptr) {
            if (!lists.resolveCount(&count_)) {
                return false;
            }
            used_ = static_cast<size_t>(count_);
            return lists.areSeparate(used_);
        }
        if (count_ == kAll) {
            if (index_.length > INT32_MAX) {
                return false;
            }
            count_ = static_cast<int>(index_.length);
        }
        if (static_cast<size_t>(count_) > index_.length) {
            return false;
        }
        room_ = lists.room();
        scratch_ = scratch;
        // The whole list is checked before anything is written.
        if (count_ <= kMaxChunk) {
            if (!copy(scratch, index_.data, count_)) {
                return false;
            }
            copy_ = scratch;
        } else if (!areBelow(index_.data, count_, room_)) {
            return false;
        }
        // Few calls need to know the last joint that is named.
        used_ = count_ == 0 ? 0 : room_;
        if (!areSeparate(lists)) {
            used_ = usedBy(copy_ != nullptr ? copy_ : index_.data, count_);
            return areSeparate(lists);
        }
        return true;
    }

    /// Copies the index to `numbers`, `count()` numbers that must outlive all runs. The original is not read again.
    bool keep(int* numbers) {
        if (index_.data == nullptr) {
            return true;
        }
        copy_ = numbers;
        if (!copy(numbers, index_.data, count_)) {
            return false;
        }
        used_ = usedBy(numbers, count_);
        return true;
    }

    bool hasIndex() const { return index_.data != nullptr; }

    int count() const { return count_; }

    /// Runs touch only joints below this one. After `keep` it is the last one + 1.
    size_t used() const { return used_; }

    /// Calls `kernel(index | null, numJoints)` for each piece of the list. False where another thread has put something
    /// wrong into the index meanwhile.
    template <typename Kernel> bool run(Kernel kernel) const {
        if (index_.data == nullptr || copy_ != nullptr) {
            kernel(copy_, count_);
            return true;
        }
        for (int first = 0; first < count_;) {
            const int chunk = nextChunk(count_ - first);
            // Checked again, because shared memory may have changed since.
            if (!copy(scratch_, index_.data + first, chunk)) {
                return false;
            }
            kernel(scratch_, chunk);
            first += chunk;
        }
        return true;
    }

private:
    /// Checks the values that it keeps.
    bool copy(int* to, const int32_t* from, int count) const {
        memcpy(to, from, static_cast<size_t>(count) * sizeof(int));
        return areBelow(to, count, room_);
    }

    template <typename Lists> bool areSeparate(const Lists& lists) const {
        return lists.areSeparate(used_) &&
               lists.areSeparateFrom({index_.data, static_cast<size_t>(count_) * sizeof(int32_t)}, used_);
    }

    View<const int32_t> index_;
    int* copy_;
    int* scratch_;
    size_t room_;
    size_t used_;
    int count_;
};

} // namespace poselane
