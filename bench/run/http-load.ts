import { Client, type Dispatcher } from 'undici';
import { runSubject } from './subject-process.ts';

/** A request that is sent repeatedly. */
export type Load = {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Any other status fails the benchmark. */
  readonly status: number;
  /** Sends a different client address with each request, as a proxy would. */
  readonly hasOwnAddressEach?: boolean;
};

/** Result of a load. */
export type LoadResult = {
  readonly requests: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
};

/**
 * Sends one request at a time on each connection until the time is over. Uses undici's handler instead of `request`,
 * whose stream and promises take more processor time than the answer of a bare host. On two cores, the generator's
 * processor time reduces that of the host.
 */
async function load(options: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const deadline = startedAt + options.durationMs;
  const clients = Array.from({ length: options.connections }, () => new Client(options.origin));
  try {
    await Promise.all(clients.map((client) => sendUntil(client, options, deadline, latencies)));
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
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

const sendUntil = (client: Client, options: Load, deadline: number, latencies: number[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const { path, method, headers, body = null } = options;
    let sentAt = 0;
    let answered = 0;
    let refusal: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status) => {
        answered = status;
      },
      onResponseData: (_controller, chunk) => {
        if (answered !== options.status) refusal.push(chunk);
      },
      onResponseEnd: () => {
        const now = performance.now();
        if (answered !== options.status) {
          reject(new Error(`${method} ${path} answered ${answered}: ${Buffer.concat(refusal)}`));
          return;
        }
        latencies.push(now - sentAt);
        if (now < deadline) send();
        else resolve();
      },
      onResponseError: (_controller, error) => reject(error),
    };
    const send = () => {
      refusal = [];
      sentAt = performance.now();
      const own = options.hasOwnAddressEach ? { ...headers, 'x-forwarded-for': nextAddress() } : headers;
      client.dispatch({ path, method, headers: own, body }, handler);
    };
    send();
  });

let addresses = 0;
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

runSubject(async () => ({ ready: {}, act: (options: Load) => load(options), stop: async () => undefined }));
