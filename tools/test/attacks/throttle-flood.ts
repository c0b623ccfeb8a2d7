import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { createSignInThrottle } from '../../../packages/server/src/domains/sign-in/index.ts';
import { sweepRateLimits } from '../../../packages/server/src/platform/rate-limit/index.ts';

/** Effects of a flood of sign-ins from many addresses: stored counters, and the sign-in of a legitimate user meanwhile. */
export type FloodReport = {
  readonly addresses: number;
  /** Addresses that the throttle counted one by one. The counters of the others were written in batches. */
  readonly throughThrottle: number;
  /** Counters in the table during the flood. */
  readonly rows: number;
  readonly tableBytes: number;
  /** Growth of the heap during the flood in bytes, after garbage collection. */
  readonly heapGrownBytes: number;
  /** Median processor time of one counted attempt, before the flood and with its counters in the table. */
  readonly admitCpuMs: { readonly before: number; readonly under: number };
  /** Statuses of eleven attempts from one more address while the counters exist. */
  readonly statuses: readonly number[];
  readonly retryAfterSeconds: number;
  /** Sign-in of the attacked account from another address: status and duration. */
  readonly legitimate: { readonly status: number; readonly wallMs: number };
  readonly sweepMs: number;
  /** Attempts that were admitted during the sweep. */
  readonly admittedDuringSweep: number;
  /** Longest wait in ms of an attempt during the sweep. */
  readonly admitDuringSweepMsMax: number;
  /** Expired counters that remained after the sweep. */
  readonly rowsAfterSweep: number;
};

const batchRows = 20_000;
const atOnce = 32;
const measured = 200;
const login = '/svc/api/auth/login';
const minuteMs = 60_000;

/**
 * Floods the sign-in throttle of a new service.
 *
 * @param options.addresses        different client addresses.
 * @param options.throughThrottle  addresses that the throttle itself counts, one statement each.
 * @param options.attacks          failed sign-ins to one account by HTTP, each from another address.
 */
export async function floodThrottle(options: {
  readonly addresses: number;
  readonly throughThrottle: number;
  readonly attacks: number;
}): Promise<FloodReport> {
  const svc = await startService();
  try {
    await setUp(svc);
    await createUser(svc.database, 'attacked', 'Viewer');
    const throttle = createSignInThrottle(svc.database);
    const before = await admitCpuMs(throttle, 0);
    const heapBefore = heapBytes();
    await inTurns(options.throughThrottle, (index) => throttle.admit(addressOf(index), unread));
    await writeCounters(svc, options.throughThrottle, options.addresses);
    const heapGrownBytes = heapBytes() - heapBefore;
    const under = await admitCpuMs(throttle, measured);
    const { rows, bytes } = await tableSize(svc);
    const { statuses, retryAfterSeconds } = await askElevenTimes(svc);
    await inTurns(options.attacks, async (index) => {
      const body = { username: 'attacked', password: 'Wrong-password-1' };
      await createHttpClient(svc.origin).post(login, body, at(addressOf(options.addresses + index)));
    });
    const legitimate = await signInOnce(svc);
    const swept = await sweepWhile(svc, throttle);
    return {
      ...options,
      rows,
      tableBytes: bytes,
      heapGrownBytes,
      admitCpuMs: { before, under },
      statuses,
      retryAfterSeconds,
      legitimate,
      ...swept,
    };
  } finally {
    await svc.close();
  }
}

/** Returns addresses from `16.0.0.0` upwards. The tests' clients use `10.0.0.0/8`. */
const addressOf = (index: number): string =>
  `${16 + (index >>> 24)}.${(index >>> 16) & 255}.${(index >>> 8) & 255}.${index & 255}`;

const at = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Runs `work` for 0 up to `count`, with several calls at the same time. */
async function inTurns(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Headers of an answer that the test ignores. */
const unread = { header: () => undefined };

/** Writes the counters of one attempt of each address, in the throttle's format. */
async function writeCounters(svc: RunningService, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += batchRows) {
    const end = Math.min(start + batchRows, to);
    const keys = Array.from({ length: end - start }, (_, index) => `sign-in:${addressOf(start + index)}`);
    await svc.database.query(
      'insert into svc.rate_limits (key, points, expire) select unnest($1::text[]), 1, $2',
      [keys, Date.now() + minuteMs],
    );
  }
}

/** Returns the median processor time in ms of attempts from new addresses, one after the other. */
async function admitCpuMs(
  throttle: ReturnType<typeof createSignInThrottle>,
  offset: number,
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < measured; index += 1) {
    const usage = process.cpuUsage();
    await throttle.admit(`9.1.${(offset + index) >>> 8}.${(offset + index) & 255}`, unread);
    const { user, system } = process.cpuUsage(usage);
    times.push((user + system) / 1_000);
  }
  return times.toSorted((a, b) => a - b)[measured / 2] ?? Number.NaN;
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function tableSize(svc: RunningService): Promise<{ rows: number; bytes: number }> {
  const { rows } = await svc.database.query<{ rows: number; bytes: number }>(
    `select count(*) as rows, pg_total_relation_size('svc.rate_limits') as bytes from svc.rate_limits`,
  );
  return { rows: rows[0]?.rows ?? 0, bytes: rows[0]?.bytes ?? 0 };
}

async function askElevenTimes(
  svc: RunningService,
): Promise<{ statuses: number[]; retryAfterSeconds: number }> {
  const statuses: number[] = [];
  let retryAfterSeconds = Number.NaN;
  for (let count = 0; count < 11; count += 1) {
    const body = { username: `nobody-${count}`, password: 'x' };
    const answer = await createHttpClient(svc.origin).post(login, body, at('8.8.4.4'));
    statuses.push(answer.status);
    retryAfterSeconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  }
  return { statuses, retryAfterSeconds };
}

async function signInOnce(svc: RunningService): Promise<{ status: number; wallMs: number }> {
  const start = performance.now();
  const body = { username: 'attacked', password: password };
  const { status } = await createHttpClient(svc.origin).post(login, body, at('8.8.8.8'));
  return { status, wallMs: performance.now() - start };
}

/** Sweeps as of three minutes later, while attempts arrive from addresses whose counters are removed. */
async function sweepWhile(
  svc: RunningService,
  throttle: ReturnType<typeof createSignInThrottle>,
): Promise<
  Pick<FloodReport, 'sweepMs' | 'admittedDuringSweep' | 'admitDuringSweepMsMax' | 'rowsAfterSweep'>
> {
  const later = Date.now() + 3 * minuteMs;
  let isSweeping = true;
  let admittedDuringSweep = 0;
  let admitDuringSweepMsMax = 0;
  const asking = (async () => {
    for (let index = 0; isSweeping; index += 1) {
      const start = performance.now();
      await throttle.admit(addressOf(index * 37), unread);
      admitDuringSweepMsMax = Math.max(admitDuringSweepMsMax, performance.now() - start);
      admittedDuringSweep += 1;
      await sleep(5);
    }
  })();
  const start = performance.now();
  await sweepRateLimits(svc.database, later);
  const sweepMs = performance.now() - start;
  isSweeping = false;
  await asking;
  await sweepRateLimits(svc.database, later);
  const { rows } = await svc.database.query<{ rows: number }>(
    'select count(*) as rows from svc.rate_limits where expire < $1',
    [later - minuteMs],
  );
  return { sweepMs, admittedDuringSweep, admitDuringSweepMsMax, rowsAfterSweep: rows[0]?.rows ?? 0 };
}
