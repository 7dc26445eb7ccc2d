// SPDX-License-Identifier: MIT
'use strict';

/** Entries of a cache folder, read and written as docs/baking.md describes them. Shares no code with lib/bake/cache. */

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (place, part, key) => path.join(place, part, key.slice(0, 2), key);

const kindOf = (file) => fs.lstatSync(file, { throwIfNoEntry: false });

/** Paths in a folder, sorted; none where it is a link or missing. */
function pathsIn(folder) {
    if (!kindOf(folder)?.isDirectory()) return [];
    return fs
        .readdirSync(folder)
        .sort()
        .map((name) => path.join(folder, name));
}

/** Paths of the regular files in a part of a cache, `ac` or `cas`. Links are not followed. */
function filesIn(place, part) {
    return pathsIn(path.join(place, part))
        .flatMap(pathsIn)
        .filter((file) => kindOf(file).isFile());
}

/** @throws For what is not a regular file, which may never end, and for one of more than 16 MiB. */
function read(file) {
    const { size } = kindOf(file);
    if (!kindOf(file).isFile() || size > 2 ** 24) throw new Error(`${file} is not a small file`);
    return fs.readFileSync(file);
}

/** The contents of an entry: `{ note, files }`, where `files` has the bytes by file name. */
function readEntry(place, file) {
    const { outputFiles, stdoutRaw } = JSON.parse(read(file));
    const files = outputFiles.map(({ path: name, digest }) => [name, read(pathOf(place, 'cas', digest.hash))]);
    return { note: JSON.parse(Buffer.from(stdoutRaw, 'base64').toString()).note, files: Object.fromEntries(files) };
}

/** Writes an entry that only its contents can give away: all hashes, sizes and the seal are right. */
function writeEntry(place, file, { note, files }) {
    const outputs = Object.entries(files).map(([name, bytes]) => [name, hashOf(bytes), bytes.length]);
    for (const [name, hash] of outputs) {
        const blob = pathOf(place, 'cas', hash);
        fs.mkdirSync(path.dirname(blob), { recursive: true });
        fs.rmSync(blob, { recursive: true, force: true });
        fs.writeFileSync(blob, files[name]);
    }
    const seal = hashOf(JSON.stringify([path.basename(file), outputs, note]));
    const outputFiles = outputs.map(([name, hash, size]) => ({ path: name, digest: { hash, sizeBytes: `${size}` } }));
    const stdoutRaw = Buffer.from(JSON.stringify({ note, seal })).toString('base64');
    fs.writeFileSync(file, JSON.stringify({ outputFiles, stdoutRaw }));
}

/** The text of a manifest, with its keys in order. */
function manifestText(manifest) {
    const sorted = (value) => {
        if (Array.isArray(value)) return value.map(sorted);
        if (typeof value !== 'object' || value === null) return value;
        const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
        return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
    };
    return `${JSON.stringify(sorted(manifest), null, 2)}\n`;
}

module.exports = { filesIn, hashOf, manifestText, pathOf, read, readEntry, writeEntry };
