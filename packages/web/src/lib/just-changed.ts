/** A read replica may be so late. */
const lateMsMax = 5_000;

let freshUntil = 0;

/** The service has told of a change: what is read in the next seconds must not be from before it. */
export function noteChange(): void {
  freshUntil = performance.now() + lateMsMax;
}

/** Headers of a read: after a change it asks for what is now. */
export const freshness = (): Readonly<Record<string, string>> =>
  performance.now() < freshUntil ? { 'cache-control': 'no-cache' } : {};
