// SPDX-License-Identifier: MIT

// One instance for `import` and `require`: the module is the CommonJS one, this only names its exports.
export * from './index.js';
