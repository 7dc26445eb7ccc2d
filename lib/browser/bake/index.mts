// SPDX-License-Identifier: MIT

// For its types: `import` in browsers takes the one file that scripts/build/build.mjs makes of it, dist/esm/bake.mjs.
export * from './index.js';
