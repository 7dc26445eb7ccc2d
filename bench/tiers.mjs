// SPDX-License-Identifier: MIT

/** The tiers of the package, from the slowest on. All have the same bits. */
export const TIERS = ['typescript', 'wasm', 'scalar', 'sse2', 'neon', 'avx2', 'avx512'].map((tier) => `strict/${tier}`);

/** The tiers of `names` that a tier must not lose to. `strict/scalar` may lose to WebAssembly, which needs SIMD. */
export const slowerTiers = (tier, names) =>
    TIERS.slice(0, TIERS.indexOf(tier)).filter(
        (name) => names.includes(name) && !(tier === 'strict/scalar' && name === 'strict/wasm'),
    );
