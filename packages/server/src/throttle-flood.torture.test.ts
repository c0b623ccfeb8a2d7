import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { floodThrottle } from '../../../tools/test/attacks/throttle-flood.ts';

/** Some thousands in every test run; `trials/access/throttle.ts` requests a million. */
const addresses = Number(process.env['SVC_FLOOD_ADDRESSES'] ?? 10_000);
const report = process.env['SVC_FLOOD_REPORT'];
const throughThrottle = Math.ceil(addresses / 20);
const attacks = 9;
/** A counter and its two index entries. The table retains the space of deleted rows until it is reused. */
const bytesPerAddressMax = 400;
const heapGrownMax = 32 * 1024 * 1024;

test(
  `a flood from ${addresses} addresses leaves no rows behind and locks no user out`,
  async () => {
    const flood = await floodThrottle({ addresses, throughThrottle, attacks });
    if (report !== undefined) writeFileSync(report, JSON.stringify(flood, null, 2));
    expect(flood.rows).toBeGreaterThanOrEqual(addresses);
    expect(flood.tableBytes).toBeLessThan(1024 * 1024 + addresses * bytesPerAddressMax);
    expect(flood.heapGrownBytes).toBeLessThan(heapGrownMax);
    expect(flood.statuses).toEqual([...Array(10).fill(401), 429]);
    expect(flood.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(flood.legitimate.status).toBe(200);
    expect(flood.admittedDuringSweep).toBeGreaterThan(0);
    expect(flood.rowsAfterSweep).toBe(0);
  },
  120_000 + addresses,
);
