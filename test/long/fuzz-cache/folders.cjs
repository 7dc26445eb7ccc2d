// SPDX-License-Identifier: MIT
'use strict';

/** Hostile changes of a cache folder. */

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { filesIn, manifestText, read, readEntry, writeEntry } = require('../../support/cache-entries.cjs');
const { mutateBytes } = require('../fuzz-gltf/mutate-bytes.cjs');
const { mutateJson, textOf } = require('../fuzz-gltf/mutate-json.cjs');

const HUGE = 2 ** 32;

function clear(file) {
    fs.rmSync(file, { recursive: true, force: true });
}

/** Moves a folder outside, where it may be emptied, and puts a link, a file or a pipe in its place. */
function moveFolder(folder, random, outside) {
    const moved = path.join(outside, path.basename(folder));
    clear(moved);
    fs.renameSync(folder, moved);
    if (random.below(2)) for (const name of fs.readdirSync(moved)) clear(path.join(moved, name));
    const ways = [
        () => fs.symlinkSync(moved, folder),
        () => fs.writeFileSync(folder, ''),
        () => execFileSync('mkfifo', [folder]),
    ];
    random.of(ways)();
    return { lasting: true };
}

/** Replacements of a file. A cache must follow none of them. */
const THINGS = {
    pipe: (file) => execFileSync('mkfifo', [file]),
    'link to a device': (file) => fs.symlinkSync('/dev/zero', file),
    'link to a file': (file, { outside }) => fs.symlinkSync(path.join(outside, 'file'), file),
    'link to a folder': (file, { outside }) => fs.symlinkSync(outside, file),
    'link to nothing': (file) => fs.symlinkSync('nothing', file),
    'link to itself': (file) => fs.symlinkSync(path.basename(file), file),
    folder: (file) => fs.mkdirSync(file),
    'folder with a file': (file) => {
        fs.mkdirSync(file);
        fs.writeFileSync(path.join(file, 'a'), 'a');
    },
    'empty file': (file) => fs.writeFileSync(file, ''),
    'huge file': (file) => {
        fs.writeFileSync(file, '');
        fs.truncateSync(file, HUGE);
    },
    nothing: () => {},
};

const anyFile = (place, random) => random.of(['ac', 'cas'].flatMap((part) => filesIn(place, part)));
const anyEntry = (place, random) => random.of(filesIn(place, 'ac'));

/** Changes an entry and makes all hashes right again, except for the seal in one of two cases: that one may not be taken. */
function poison(place, random, change) {
    const file = anyEntry(place, random);
    const entry = readEntry(place, file);
    change(entry);
    writeEntry(place, file, entry);
    const isSealed = random.below(2) === 0;
    if (!isSealed) {
        const stored = JSON.parse(read(file));
        const { note } = JSON.parse(Buffer.from(stored.stdoutRaw, 'base64').toString());
        stored.stdoutRaw = Buffer.from(JSON.stringify({ note, seal: '0'.repeat(64) })).toString('base64');
        fs.writeFileSync(file, JSON.stringify(stored));
    }
    return { poisons: isSealed };
}

const mutated = (value, random) => {
    for (let i = 1 + random.below(3); i > 0; i--) mutateJson(value, random);
    // Marks become what their text parses as.
    try {
        return JSON.parse(textOf(value));
    } catch {
        return null;
    }
};

/** Each changes the folder once. `poisons`: an entry is forged, and may be taken. `lasting`: a bake does not replace the change. */
const CHANGES = {
    thing(place, random, places) {
        const file = anyFile(place, random);
        const name = random.of(Object.keys(THINGS));
        clear(file);
        THINGS[name](file, places);
    },
    bytes(place, random) {
        const file = anyFile(place, random);
        fs.writeFileSync(file, mutateBytes(read(file), random));
    },
    /** An entry and its files under the key of another entry, which has other options. */
    foreign(place, random, { twin }) {
        fs.writeFileSync(anyEntry(place, random), read(anyEntry(twin, random)));
        fs.cpSync(path.join(twin, 'cas'), path.join(place, 'cas'), { recursive: true });
    },
    swap(place, random) {
        const [a, b] = [anyFile(place, random), anyFile(place, random)];
        const [left, right] = [read(a), read(b)];
        fs.writeFileSync(a, right);
        fs.writeFileSync(b, left);
    },
    json(place, random) {
        const file = anyEntry(place, random);
        const entry = { json: JSON.parse(read(file)) };
        mutateJson(entry.json, random);
        fs.writeFileSync(file, textOf(entry.json));
    },
    claim(place, random) {
        const file = anyEntry(place, random);
        const entry = JSON.parse(read(file));
        const claims = ['2147483647', '1073741824', '-1', '0', '1e3', ' 5', '99999999999999999999', 5, null, {}];
        random.of(entry.outputFiles).digest.sizeBytes = random.of(claims);
        fs.writeFileSync(file, JSON.stringify(entry));
    },
    shard: (place, random, { outside }) => moveFolder(path.dirname(anyFile(place, random)), random, outside),
    part: (place, random, { outside }) => moveFolder(path.join(place, random.of(['ac', 'cas'])), random, outside),
    strangers(place, random, places) {
        const names = [
            'README',
            '.poselane-00000000-1-0123456789ab.tmp',
            'ac/zz',
            'cas/notes',
            `cas/${'f'.repeat(64)}`,
        ];
        const file = path.join(place, random.of(names));
        clear(file);
        THINGS[random.of(Object.keys(THINGS))](file, places);
        return { lasting: true };
    },
    note(place, random) {
        return poison(place, random, (entry) => {
            entry.note = mutated(entry.note, random);
        });
    },
    manifest(place, random) {
        return poison(place, random, ({ files }) => {
            const names = Object.keys(files).filter((name) => name.endsWith('.json'));
            if (names.length === 0) return;
            const name = random.of(names);
            files[name] = Buffer.from(manifestText(mutated(JSON.parse(files[name]), random)) ?? 'null');
        });
    },
    file(place, random) {
        return poison(place, random, ({ files }) => {
            const name = random.of(Object.keys(files));
            files[name] = mutateBytes(files[name], random);
        });
    },
    names(place, random) {
        return poison(place, random, (entry) => {
            const { files, note } = entry;
            const [from, to] = [random.of(Object.keys(files)), random.of(Object.keys(files))];
            const other = random.of([
                `../${to}`,
                `/tmp/${to}`,
                `x${to}`,
                to.replace('.bake', '.skinANY.bake'),
                '..',
                '',
            ]);
            const bytes = files[from];
            if (random.below(2)) delete files[from];
            files[other] = bytes;
            const stem = other.replace(/\.bake.*/, '');
            if (Array.isArray(note?.outputs) && random.below(2)) note.outputs[0] = { ...note.outputs[0], stem };
        });
    },
    none: () => {},
};

/** Changes with more variants are drawn more often. */
const DRAWN = [...Object.keys(CHANGES), 'thing', 'thing', 'foreign', 'note', 'manifest', 'manifest'];

/**
 * Changes the folder up to three times.
 *
 * @param places `outside` is a folder that links may lead to, `twin` a cache of other options.
 * @returns `{ names, poisons, lasting }`, as of CHANGES.
 */
function hostileFolder(place, random, places) {
    const names = [];
    let [poisons, lasting] = [false, false];
    for (let i = 1 + random.below(3); i > 0; i--) {
        const name = random.of(DRAWN);
        try {
            const done = CHANGES[name](place, random, places);
            poisons ||= done?.poisons === true;
            lasting ||= done?.lasting === true;
            names.push(name);
        } catch {
            // An earlier change left nothing that this one applies to.
        }
    }
    return { names, poisons, lasting };
}

module.exports = { hostileFolder };
