// SPDX-License-Identifier: MIT
// Twin: lib/reduce/write/packed-size.ts
#include <math.h>

#include <algorithm>

#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

/// Counts the symbols of a single deflated block. Another thread may change the bytes: no index comes from them.
class Deflater {
public:
    bool open(const View<const uint8_t>& bytes) {
        bytes_ = bytes;
        if (!heads_.allocate(memory_, size_t{1} << 15) || !earlier_.allocate(memory_, bytes.length)) {
            return false;
        }
        std::fill(heads_.begin(), heads_.end(), -1);
        return true;
    }

    double run(double limit) {
        size_t look = kLook;
        for (size_t i = 0; i < bytes_.length;) {
            if (i >= look) {
                if (size() > limit) {
                    break;
                }
                look = i + kLook;
            }
            i += add(i);
        }
        symbols_[256]++;
        return size();
    }

private:
    static constexpr size_t kLook = 8192, kShortest = 3, kLongest = 258, kWindow = 32768, kTries = 32;

    HeapMemory memory_;
    View<const uint8_t> bytes_;
    /// The last place with each hash of three bytes, and for each place the one before with its hash; -1 for none.
    Array<int32_t> heads_, earlier_;
    uint32_t symbols_[286] = {}, distances_[30] = {};
    double bits_ = 0.0;

    int32_t note(size_t i) {
        if (i + kShortest > bytes_.length) {
            return -1;
        }
        const uint8_t* const b = bytes_.data + i;
        const uint32_t three = static_cast<uint32_t>(b[0]) << 16 | static_cast<uint32_t>(b[1]) << 8 | b[2];
        int32_t& head = heads_.data[three * 0x9e3779b1u >> 17];
        earlier_.data[i] = head;
        head = static_cast<int32_t>(i);
        return earlier_.data[i];
    }

    /// Adds the symbols of a place. Returns how many bytes they are for.
    size_t add(size_t i) {
        const uint8_t* const bytes = bytes_.data;
        size_t length = 0, distance = 0;
        int32_t from = note(i);
        const size_t longest = std::min(kLongest, bytes_.length - i);
        for (size_t n = 0; n < kTries && from >= 0 && length < longest; n++, from = earlier_.data[from]) {
            const size_t start = static_cast<size_t>(from);
            if (i - start > kWindow) {
                break;
            }
            // Every longer match has this byte too.
            if (bytes[start + length] != bytes[i + length]) {
                continue;
            }
            size_t same = 0;
            while (same < longest && bytes[start + same] == bytes[i + same]) {
                same++;
            }
            if (same > length) {
                length = same;
                distance = i - start;
            }
        }
        if (length < kShortest) {
            symbols_[bytes[i]]++;
            return 1;
        }
        const int more = bitsOf(length - kShortest) - 3, farther = bitsOf(distance - 1) - 2;
        const size_t extra = static_cast<size_t>(std::max(0, more)), far = static_cast<size_t>(std::max(0, farther));
        symbols_[length == kLongest ? 285 : 257 + 4 * extra + ((length - kShortest) >> extra)]++;
        distances_[2 * far + ((distance - 1) >> far)]++;
        bits_ += static_cast<double>(far + (length == kLongest ? 0 : extra));
        for (size_t k = 1; k < length; k++) {
            note(i + k);
        }
        return length;
    }

    static int bitsOf(size_t x) {
        int bits = 0;
        for (; x > 0; x >>= 1) {
            bits++;
        }
        return bits;
    }

    double size() const { return ceil((bits_ + codedBits(symbols_, 286) + codedBits(distances_, 30)) / 8.0); }

    /// Bits of a Huffman code for symbols with these frequencies, including the code itself.
    static double codedBits(const uint32_t* counts, size_t count) {
        uint32_t rare[286];
        double merged[286];
        const size_t n = static_cast<size_t>(
            std::copy_if(counts, counts + count, rare, [](uint32_t one) { return one > 0; }) - rare);
        std::sort(rare, rare + n);
        size_t i = 0, j = 0;
        double bits = 3.0 * static_cast<double>(n) + (n == 1 ? rare[0] : 0.0);
        for (size_t m = 0; m + 1 < n; m++) {
            merged[m] = 0.0;
            for (int side = 0; side < 2; side++) {
                const bool isRare = j >= m || (i < n && rare[i] <= merged[j]);
                merged[m] += isRare ? rare[i++] : merged[j++];
            }
            bits += merged[m];
        }
        return bits;
    }
};

} // namespace

napi_value deflatedSize(napi_env env, napi_callback_info info) {
    Arguments<2> arguments;
    View<const uint8_t> bytes;
    double limit;
    Deflater deflater;
    if (!arguments.read(env, info) || !readView(env, arguments.values[0], napi_uint8_array, &bytes) ||
        !isNumber(env, arguments.values[1], &limit) || bytes.length > INT32_MAX || !deflater.open(bytes)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    napi_value result = nullptr;
    napi_create_double(env, deflater.run(limit), &result);
    return result;
}

} // namespace poselane
