// SPDX-License-Identifier: MIT

/** Modules that scripts/build/bundle-report.mjs puts into the bundle. */

declare module 'draco:draco_wasm_wrapper.js' {
    const text: string;
    export default text;
}

declare module 'draco:draco_decoder.wasm' {
    const bytes: Uint8Array<ArrayBuffer>;
    export default bytes;
}
