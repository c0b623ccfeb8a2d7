/** A request that is sent again and again. */
export type Load = {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Every other status is an error that ends the benchmark. */
  readonly status: number;
  /** Each request says, as a proxy would, that it comes from another client. */
  readonly hasOwnAddressEach?: boolean;
};

/** What came back. */
export type LoadResult = {
  readonly requests: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
};

/** What requests with these latencies, in ms, came to. */
export function resultOf(latencies: number[], tookMs: number): LoadResult {
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    perSecond: latencies.length / (tookMs / 1_000),
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
