// SPDX-License-Identifier: MIT

/** Why a file is not read, in words; not the file system's doing. */
export class RefusedFile extends Error {}
