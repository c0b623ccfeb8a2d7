/** Maximum lag of a read replica. */
const lateMsMax = 5_000;

let freshUntil = 0;

/** Records a change. Reads of the next seconds then bypass a read replica that lags behind. */
export function noteChange(): void {
  freshUntil = performance.now() + lateMsMax;
}

/** Returns the headers of a read. After a change they request fresh data. */
export const freshness = (): Readonly<Record<string, string>> =>
  performance.now() < freshUntil ? { 'cache-control': 'no-cache' } : {};
