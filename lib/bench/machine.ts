// SPDX-License-Identifier: MIT

/** The machine that a measurement was made on. */

import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { addon, nativeLoadError } from '../addon/load';
import { type Backend, backend, defaultImplementation } from '../lists/choose';
import { ALL } from '../lists/targets';
import { createData, T } from './data';
import { medianOf } from './statistics';

export interface Machine {
    readonly cpu: string;
    readonly cores: number;
    /** E.g. `linux-x64`. */
    readonly platform: string;
    readonly node: string;
    /** The unit of times measured in the addon; null without the addon. */
    readonly timer: 'tsc' | 'ns' | null;
    /** Ticks of the time stamp counter in a nanosecond; null where it is not the timer. */
    readonly ticksPerNs: number | null;
    /** The implementation of the plain functions. */
    readonly tier: string;
    readonly backend: Backend;
    /** Why the addon did not load; null if it did. */
    readonly withoutAddon: string | null;
    /** How many programs wanted to run in the minute before; 0 if the system does not report it. */
    readonly load: number;
}

/**
 * The processor's own name; on Linux with its family and model, because names such as "AMD EPYC" leave open which of
 * several generations it is.
 */
export function cpuModel(): string {
    const name = os.cpus()[0]?.model.trim() || 'unknown';
    let info = '';
    try {
        info = readFileSync('/proc/cpuinfo', 'utf8');
    } catch {
        // Only Linux has it.
    }
    const [family, model] = ['cpu family', 'model'].map(
        (key) => new RegExp(`^${key}\\s*: (\\d+)$`, 'm').exec(info)?.[1],
    );
    return family && model ? `${name} (family ${family}, model ${model})` : name;
}

export function describeMachine(): Machine {
    return {
        cpu: cpuModel(),
        cores: os.cpus().length,
        platform: `${process.platform}-${process.arch}`,
        node: process.version,
        timer: addon?.timer ?? null,
        ticksPerNs: addon?.timer === 'tsc' ? measureTicks() : null,
        tier: defaultImplementation,
        backend,
        withoutAddon: addon === null ? (nativeLoadError?.message ?? 'the addon is switched off') : null,
        load: Number((os.loadavg()[0] ?? 0).toFixed(2)),
    };
}

/** The rate of the time stamp counter, by some milliseconds of a kernel timed both ways. */
function measureTicks(): number {
    // Any kernel that every addon has will do.
    const slerp = addon!.implementations.find(({ timed }) => timed.slerp)!.timed.slerp!;
    const data = createData(20_000, 'random');
    const source = new Float32Array(1);
    const take = (count: number): [ticks: number, nanoseconds: number] => {
        const samples = new Float64Array(count);
        const start = process.hrtime.bigint();
        slerp(samples, source, data.workQuats, data.from, data.to, T, ALL, 0);
        const nanoseconds = Number(process.hrtime.bigint() - start);
        return [samples.reduce((sum, ticks) => sum + ticks), nanoseconds];
    };
    const rates: number[] = [];
    for (let i = 0; i < 5; i++) {
        // The overhead of a call is in both times and cancels out.
        const [few, many] = [take(2), take(14)];
        rates.push((many[0] - few[0]) / (many[1] - few[1]));
    }
    return Number(medianOf(rates).toPrecision(4));
}
