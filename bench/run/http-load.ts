import { Client, type Dispatcher } from 'undici';
import { type Load, type LoadResult, resultOf } from './load.ts';
import { runSubject } from './subject-process.ts';

/**
 * Sends one request at a time on each connection until the time is over. Answers are taken by undici's handler, without
 * the stream and the promises of its `request`: those took more processor time than a bare host takes to answer, and on
 * two cores what the generator takes is taken from everything that a host does beside answering.
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
  return resultOf(latencies, performance.now() - startedAt);
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

runSubject(async () => ({ ready: {}, act: (options: Load) => load(options), stop: async () => undefined }));
