// SPDX-License-Identifier: MIT
// Twin: lib/strict/prepareSlerp.ts
//
// The polynomials of y that all pairs of a slerp with one t share: t determines their coefficients.
#pragma once

#include "coefficients.h"

namespace poselane {
namespace {

/// The coefficients by powers of T, each row filled up with zeros to whole vectors of doubles.
struct SlerpColumns {
    static constexpr int kLength = (kSlerpTerms + Lanes::kDoubles - 1) / Lanes::kDoubles * Lanes::kDoubles;
    double b[4][kLength];
};

constexpr SlerpColumns slerpColumns() {
    SlerpColumns columns = {};
    for (int k = 0; k < kSlerpTerms; k++) {
        for (int j = 0; j < 4; j++) {
            columns.b[j][k] = kSlerp[k][j];
        }
    }
    return columns;
}
constexpr SlerpColumns kSlerpColumns = slerpColumns();

/// `other` gets the weight t + y (U[0] + U[1] y + ...), `base` 1 - t + y (V[0] + V[1] y + ...), written as
/// 1 - (t - y (V[0] + V[1] y + ...)).
struct PreparedSlerp {
    float t;
    float U[SlerpColumns::kLength];
    float V[SlerpColumns::kLength];

    /// 0 < t <= 0.5
    explicit PreparedSlerp(float t) : t(t) {
        const double other = t;
        const double base = 1.0 - other;
        const double p = other * base;
        fill(U, other * other, p * (1.0 + other));
        fill(V, base * base, p * (1.0 + base));
    }

private:
    static void fill(float (&result)[SlerpColumns::kLength], double square, double factor) {
        const Lanes::Doubles T = Lanes::setDoubles(square);
        const Lanes::Doubles g = Lanes::setDoubles(factor);
        for (int k = 0; k < SlerpColumns::kLength; k += Lanes::kDoubles) {
            Lanes::Doubles b = Lanes::loadDoubles(kSlerpColumns.b[3] + k);
            for (int j = 2; j >= 0; j--) {
                b = Lanes::addDoubles(Lanes::mulDoubles(b, T), Lanes::loadDoubles(kSlerpColumns.b[j] + k));
            }
            Lanes::storeAsFloats(result + k, Lanes::mulDoubles(g, b));
        }
    }
};

} // namespace
} // namespace poselane
