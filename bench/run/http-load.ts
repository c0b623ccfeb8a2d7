import { Pool } from 'undici';
import { runSubject } from './subject-process.ts';

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

/** Sends one request at a time on each connection until the time is over. */
async function load(options: Load): Promise<LoadResult> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const deadline = startedAt + options.durationMs;
  const send = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({
        path: options.path,
        method: options.method,
        headers: options.hasOwnAddressEach
          ? { ...options.headers, 'x-forwarded-for': nextAddress() }
          : options.headers,
        body: options.body ?? null,
      });
      const text = statusCode === options.status ? undefined : await body.text();
      if (text !== undefined)
        throw new Error(`${options.method} ${options.path} answered ${statusCode}: ${text}`);
      await body.dump();
      latencies.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.connections }, send));
  } finally {
    await pool.destroy();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

let addresses = 0;
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

runSubject(async () => ({ ready: {}, act: (options: Load) => load(options), stop: async () => undefined }));
