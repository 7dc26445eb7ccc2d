// SPDX-License-Identifier: MIT
'use strict';

/** Hostile things in the folder of a cache. */

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

/** What a cache would put there is then written anew. */
function emptied(folder) {
    for (const name of fs.readdirSync(folder)) clear(path.join(folder, name));
}

/** What takes the place of a file: whatever its name leads to, it is not followed. */
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

const anyFile = (place, random) => {
    const files = ['ac', 'cas'].flatMap((part) => filesIn(place, part));
    return random.of(files);
};
const anyEntry = (place, random) => random.of(filesIn(place, 'ac'));

/** Changes an entry, and makes all hashes right again. */
function poison(place, random, change) {
    const file = anyEntry(place, random);
    const entry = readEntry(place, file);
    change(entry);
    writeEntry(place, file, entry);
}

const mutated = (value, random) => {
    for (let i = 1 + random.below(3); i > 0; i--) mutateJson(value, random);
    // Marks that only a text can hold become what they parse as.
    try {
        return JSON.parse(textOf(value));
    } catch {
        return null;
    }
};

/** Each changes the folder once. `poisons` are entries that are right in themselves, which may be taken. */
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
    shard(place, random, { outside }) {
        const shard = path.dirname(anyFile(place, random));
        const moved = path.join(outside, path.basename(shard));
        clear(moved);
        fs.renameSync(shard, moved);
        if (random.below(2)) emptied(moved);
        const ways = [
            () => fs.symlinkSync(moved, shard),
            () => fs.writeFileSync(shard, ''),
            () => execFileSync('mkfifo', [shard]),
        ];
        random.of(ways)();
        return { lasting: true };
    },
    part(place, random, { outside }) {
        const part = path.join(place, random.of(['ac', 'cas']));
        const moved = path.join(outside, path.basename(part));
        clear(moved);
        fs.renameSync(part, moved);
        if (random.below(2)) emptied(moved);
        const ways = [() => fs.symlinkSync(moved, part), () => fs.writeFileSync(part, '')];
        random.of(ways)();
        return { lasting: true };
    },
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
        poison(place, random, (entry) => {
            entry.note = mutated(entry.note, random);
        });
        return { poisons: true };
    },
    manifest(place, random) {
        poison(place, random, ({ files }) => {
            const names = Object.keys(files).filter((name) => name.endsWith('.json'));
            if (names.length === 0) return;
            const name = random.of(names);
            files[name] = Buffer.from(manifestText(mutated(JSON.parse(files[name]), random)) ?? 'null');
        });
        return { poisons: true };
    },
    file(place, random) {
        poison(place, random, ({ files }) => {
            const name = random.of(Object.keys(files));
            files[name] = mutateBytes(files[name], random);
        });
        return { poisons: true };
    },
    names(place, random) {
        poison(place, random, (entry) => {
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
        return { poisons: true };
    },
    none: () => {},
};

/** What is drawn more often has more variants. */
const DRAWN = [...Object.keys(CHANGES), 'thing', 'thing', 'thing', 'note', 'manifest', 'manifest'];

/**
 * Changes the folder some times.
 *
 * @param places `outside` is a folder that links may lead to.
 * @returns `{ names, poisons, lasting }`: whether an entry may be taken that somebody made up, and whether something stays that a
 *   bake does not replace.
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
            // What an earlier change left cannot be changed in this way.
        }
    }
    return { names, poisons, lasting };
}

module.exports = { hostileFolder };
