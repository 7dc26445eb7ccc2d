{
  "target_defaults": {
    "defines": ["NAPI_VERSION=8", "NAPI_DISABLE_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED"],
    # The order of IEEE operations is an interface: no contraction into FMA, no reassociation.
    "cflags": ["-O2", "-Wall", "-Wextra", "-ffp-contract=off", "-fvisibility=hidden"],
    "cflags!": ["-O3"],
    "cflags_cc": ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"],
    "cflags_cc!": ["-std=gnu++17", "-std=gnu++20", "-std=gnu++1y"],
    "xcode_settings": {
      "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
      "GCC_ENABLE_CPP_EXCEPTIONS": "NO",
      "GCC_ENABLE_CPP_RTTI": "NO",
      "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
      "MACOSX_DEPLOYMENT_TARGET": "11.0",
      "OTHER_CFLAGS": ["-ffp-contract=off"],
    },
    "msvs_settings": {
      "VCCLCompilerTool": {
        "AdditionalOptions": ["/std:c++17", "/fp:precise"],
        "ExceptionHandling": "0",
        "RuntimeTypeInfo": "false",
      },
    },
  },
  "targets": [
    {
      "target_name": "poselane",
      "sources": ["<!@(node -p \"const s = require('./native/sources.json'); [...s.addon, ...s.core].join(' ')\")"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": ["POSELANE_VERSION=<!(node -p \"require('./package.json').version\")"],
      # Node's settings make debugging information in release builds, too, and the addon names the file that has it, by its
      # whole path. Its name alone finds it as well, beside the addon, and says nothing of the machine. CMake's release
      # builds have none.
      "msvs_settings": { "VCLinkerTool": { "AdditionalOptions": ["/PDBALTPATH:%_PDB%"] } },
      "conditions": [
        ["OS=='linux'", {
          # No library is linked: the few functions of libc and libm are the process's own, which makes one binary for
          # glibc (of any age) and musl. With -z now a missing one ends the loading, not the process at its first call.
          "ldflags": ["-Wl,--as-needed", "-nodefaultlibs", "-Wl,-z,now", "-Wl,--version-script=<(module_root_dir)/native/addon/exports.map"],
          "libraries": ["-lgcc"],
        }],
        ["target_arch=='x64'", { "dependencies": ["poselane_sse2", "poselane_avx", "poselane_avx2", "poselane_fma", "poselane_avx512"] }],
        ["target_arch=='arm64'", { "dependencies": ["poselane_neon"] }],
      ],
    },
  ],
  # gyp has no flags per file, so each instruction set is a library of its own.
  "conditions": [
    ["target_arch=='x64'", {
      "targets": [
        {
          "target_name": "poselane_sse2",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.sse2.join(' ')\")"],
        },
        {
          "target_name": "poselane_avx",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.avx.join(' ')\")"],
          "cflags": ["-mavx"],
          "xcode_settings": { "OTHER_CFLAGS": ["-mavx"] },
          "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/arch:AVX"] } },
        },
        {
          "target_name": "poselane_avx2",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.avx2.join(' ')\")"],
          "cflags": ["-mavx2"],
          "xcode_settings": { "OTHER_CFLAGS": ["-mavx2"] },
          "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/arch:AVX2"] } },
        },
        {
          "target_name": "poselane_fma",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.fma.join(' ')\")"],
          "cflags": ["-mavx2", "-mfma"],
          "xcode_settings": { "OTHER_CFLAGS": ["-mavx2", "-mfma"] },
          "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/arch:AVX2"] } },
        },
        {
          "target_name": "poselane_avx512",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.avx512.join(' ')\")"],
          "cflags": ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"],
          "xcode_settings": { "OTHER_CFLAGS": ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"] },
          "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/arch:AVX512"] } },
        },
      ],
    }],
    ["target_arch=='arm64'", {
      "targets": [
        {
          "target_name": "poselane_neon",
          "type": "static_library",
          "sources": ["<!@(node -p \"require('./native/sources.json').isa.neon.join(' ')\")"],
        },
      ],
    }],
  ],
}
