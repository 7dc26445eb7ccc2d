// SPDX-License-Identifier: MIT
//
// A fuzz target without libFuzzer: `<target> [--runs n] [--seed n] <file or folder>...` runs files, and then random
// inputs. For compilers that have no libFuzzer, and for other tools to watch. Files that are kept are named after a
// routine, and are for it only where POSELANE_FUZZ_ROUTINE says so (routine_name.h): a process a routine.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <filesystem>
#include <string>
#include <vector>

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

/// In memory of exactly that size.
void runBytes(const std::vector<uint8_t>& bytes) {
    uint8_t* const copy = static_cast<uint8_t*>(malloc(bytes.size()));
    if (!bytes.empty()) {
        memcpy(copy, bytes.data(), bytes.size());
    }
    LLVMFuzzerTestOneInput(copy, bytes.size());
    free(copy);
}

bool runFile(const std::string& path) {
    FILE* const file = fopen(path.c_str(), "rb");
    if (file == nullptr) {
        fprintf(stderr, "%s: cannot be read\n", path.c_str());
        return false;
    }
    std::vector<uint8_t> bytes;
    uint8_t part[4096];
    for (size_t got; (got = fread(part, 1, sizeof(part), file)) > 0;) {
        bytes.insert(bytes.end(), part, part + got);
    }
    fclose(file);
    fprintf(stderr, "%s\n", path.c_str());
    runBytes(bytes);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    long long runs = 0, files = 0;
    uint32_t seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = atoll(argv[++i]);
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = static_cast<uint32_t>(atoll(argv[++i]));
        } else if (std::filesystem::is_directory(argv[i])) {
            for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
                files += runFile(entry.path().string()) ? 1 : 0;
            }
        } else if (runFile(argv[i])) {
            files++;
        } else {
            return 1;
        }
    }
    const uint8_t seedBytes[4] = {static_cast<uint8_t>(seed), static_cast<uint8_t>(seed >> 8),
                                  static_cast<uint8_t>(seed >> 16), static_cast<uint8_t>(seed >> 24)};
    poselane::Input random(seedBytes, sizeof(seedBytes));
    random.word();
    std::vector<uint8_t> bytes;
    for (long long run = 0; run < runs; run++) {
        bytes.resize(static_cast<size_t>(random.randomBelow(64)));
        for (uint8_t& byte : bytes) {
            byte = static_cast<uint8_t>(random.random());
        }
        runBytes(bytes);
    }
    printf("%lld files and %lld random inputs, nothing found\n", files, runs);
    return 0;
}
