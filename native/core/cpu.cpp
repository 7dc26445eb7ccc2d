// SPDX-License-Identifier: MIT
#include "cpu.h"

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

#include <stdint.h>

// clang-cl uses the GNU code: its xgetbv intrinsic needs a function compiled for that instruction.
#if defined(__GNUC__) || defined(__clang__)
#include <cpuid.h>
#else
#include <immintrin.h>
#include <intrin.h>
#endif

namespace poselane {
namespace {

struct CpuidRegisters {
    uint32_t eax, ebx, ecx, edx;
};

/// All zero where the CPU does not have the leaf.
CpuidRegisters Cpuid(uint32_t leaf) {
#if defined(__GNUC__) || defined(__clang__)
    CpuidRegisters registers = {0, 0, 0, 0};
    if (__get_cpuid_count(leaf, 0, &registers.eax, &registers.ebx, &registers.ecx, &registers.edx) == 0) {
        return {0, 0, 0, 0};
    }
    return registers;
#else
    int info[4];
    __cpuid(info, 0);
    if (static_cast<uint32_t>(info[0]) < leaf) {
        return {0, 0, 0, 0};
    }
    __cpuidex(info, static_cast<int>(leaf), 0);
    return {static_cast<uint32_t>(info[0]), static_cast<uint32_t>(info[1]), static_cast<uint32_t>(info[2]),
            static_cast<uint32_t>(info[3])};
#endif
}

/// XCR0: the registers that the operating system saves. The instruction is legal only when CPUID reports OSXSAVE.
uint64_t Xcr0() {
#if defined(__GNUC__) || defined(__clang__)
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return static_cast<uint64_t>(high) << 32 | low;
#else
    return _xgetbv(0);
#endif
}

constexpr bool Has(uint32_t bits, int bit) { return (bits >> bit & 1) != 0; }

} // namespace

CpuFeatures cpuFeatures() {
    const CpuidRegisters leaf1 = Cpuid(1);
    const uint64_t xcr0 = Has(leaf1.ecx, 27) ? Xcr0() : 0; // OSXSAVE
    const bool ymmSaved = (xcr0 & 0x6) == 0x6;             // XMM and the upper halves of YMM
    const bool zmmSaved = (xcr0 & 0xE6) == 0xE6;           // those, the mask registers and both parts of ZMM

    CpuFeatures features = {false, false, false, false};
    features.avx = ymmSaved && Has(leaf1.ecx, 28);
    if (features.avx) {
        const CpuidRegisters leaf7 = Cpuid(7);
        features.avx2 = Has(leaf7.ebx, 5);
        features.fma = Has(leaf1.ecx, 12);
        features.avx512 = zmmSaved && Has(leaf7.ebx, 16) && Has(leaf7.ebx, 17) && // F, DQ
                          Has(leaf7.ebx, 30) && Has(leaf7.ebx, 31) &&             // BW, VL
                          Has(leaf7.ecx, 6);                                      // VBMI2
    }
    return features;
}

} // namespace poselane

#else

namespace poselane {

CpuFeatures cpuFeatures() { return {false, false, false, false}; }

} // namespace poselane

#endif
