// SPDX-License-Identifier: MIT

/** What of an addon can be written while it is loaded: it must have no state that threads and contexts would share. */

/** Of the compiler's own start-up files. */
const ALLOWED = new Set([
    '__dso_handle',
    '__TMC_END__',
    'completed.0',
    'completed.7698',
    '_edata',
    '_end',
    '__bss_start',
]);
const WRITABLE = /^\.(data|bss|tdata|tbss)$/;
/** Of those files' variables. */
const MOST_BYTES = 16;

/**
 * @param symbols What `objdump -t` prints; `sections` what `readelf -SW` does. What is constant once it has been relocated lies in
 * `.data.rel.ro`, which the loader makes read-only.
 * @returns What is wrong.
 */
export function writableState(symbols, sections) {
    const faults = [];
    for (const line of symbols.split('\n')) {
        const match = /^[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+)\s+(.+)$/.exec(line);
        if (match === null) continue;
        const [, flags, section, , name] = match;
        if (!WRITABLE.test(section) || flags.includes('d') || ALLOWED.has(name.trim())) continue;
        faults.push(`${name.trim()} in ${section} can be written, by all threads and contexts`);
    }
    for (const match of sections.matchAll(/\] (\.\S+)\s+\S+\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)/g)) {
        const [, section, size] = match;
        const bytes = Number.parseInt(size, 16);
        if (WRITABLE.test(section) && bytes > MOST_BYTES)
            faults.push(`${section} has ${bytes} bytes that can be written`);
    }
    return faults;
}
