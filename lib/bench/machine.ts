// SPDX-License-Identifier: MIT

/** Where a measurement was made. */

import * as os from 'node:os';
import { ALL } from '../implementations/arguments';
import { backend, defaultImplementation, nativeAddon, nativeLoadError } from '../implementations/registry';
import { createData, T } from './data';

export interface Machine {
    readonly cpu: string;
    readonly cores: number;
    /** E.g. `linux-x64`. */
    readonly platform: string;
    readonly node: string;
    /** The unit of what is timed in the addon; null where there is no addon. */
    readonly timer: 'tsc' | 'ns' | null;
    /** Ticks of the time stamp counter in a nanosecond; null where it is not the timer. */
    readonly ticksPerNs: number | null;
    /** What the plain functions use. */
    readonly tier: string;
    readonly backend: 'native' | 'ts';
    /** Why there is no addon; null where there is one. */
    readonly withoutAddon: string | null;
    /** How many programs wanted to run in the minute before; 0 where the system does not tell. */
    readonly load: number;
}

export function describeMachine(): Machine {
    const cpus = os.cpus();
    return {
        cpu: cpus[0]?.model.trim() || 'unknown',
        cores: cpus.length,
        platform: `${process.platform}-${process.arch}`,
        node: process.version,
        timer: nativeAddon?.timer ?? null,
        ticksPerNs: nativeAddon?.timer === 'tsc' ? measureTicks() : null,
        tier: defaultImplementation,
        backend,
        withoutAddon: nativeAddon === null ? (nativeLoadError?.message ?? 'the addon is switched off') : null,
        load: Number((os.loadavg()[0] ?? 0).toFixed(2)),
    };
}

/** The rate of the time stamp counter, by a kernel's run of some milliseconds timed both ways. */
function measureTicks(): number {
    // Any kernel will do that every addon has.
    const slerp = nativeAddon!.implementations.find(({ timed }) => timed.slerp)!.timed.slerp!;
    const data = createData(100_000, 'random');
    const [ticks, source] = [new Float64Array(1), new Float32Array(1)];
    const args = [data.workQuats, data.from, data.to, T, ALL, 0];
    let rate = 0;
    for (let i = 0; i < 8; i++) {
        const start = process.hrtime.bigint();
        slerp(ticks, source, ...args);
        const nanoseconds = Number(process.hrtime.bigint() - start);
        // The outer time is too long by what the call takes, so the greatest rate is the best.
        rate = Math.max(rate, ticks[0]! / nanoseconds);
    }
    return Number(rate.toPrecision(4));
}
