// SPDX-License-Identifier: MIT
//
// For Windows, built by clang for mingw-w64 only (MSVC's builds take the hook of node-gyp or cmake-js): the addon
// imports from node.exe, but the running program may have another name. This hook of the delayed imports resolves
// node.exe to the running program.

#include <windows.h>

#include <delayimp.h>
#include <string.h>

namespace {

FARPROC WINAPI findNode(unsigned event, PDelayLoadInfo info) {
    if (event != dliNotePreLoadLibrary || _stricmp(info->szDll, "node.exe") != 0)
        return nullptr;
    return reinterpret_cast<FARPROC>(GetModuleHandleA(nullptr));
}

} // namespace

extern "C" PfnDliHook __pfnDliNotifyHook2 = findNode;
