# SPDX-License-Identifier: MIT
#
# From Linux, by Debian's clang-14, lld-14, llvm-14 and g++-mingw-w64-x86-64-posix (its headers and libraries). Not by
# mingw's own GCC, which keeps AVX registers on a stack that Windows aligns to 16 bytes only.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-windows-gnu)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# clang does not find what Debian's GCC keeps by its name.
execute_process(COMMAND x86_64-w64-mingw32-g++-posix -print-libgcc-file-name
  OUTPUT_VARIABLE POSELANE_LIBGCC OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(POSELANE_GCC ${POSELANE_LIBGCC} DIRECTORY)
set(CMAKE_CXX_FLAGS_INIT "-isystem ${POSELANE_GCC}/include/c++ -isystem ${POSELANE_GCC}/include/c++/x86_64-w64-mingw32")
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-14 -L${POSELANE_GCC} -nostdlib++ -static-libgcc")
endforeach()
