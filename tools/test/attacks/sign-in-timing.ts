import { randomBytes, randomInt } from 'node:crypto';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';

/** Kinds of refused sign-ins. Their duration must not reveal the kind. */
export const refusals = [
  'unknown user',
  'wrong password',
  'wrong password, hash with fewer iterations',
  'disabled user',
  'archived user',
  'single sign-on only',
] as const;
export type RefusalKind = (typeof refusals)[number];

/** Processor and wall time in ms of one refused attempt, with client and service in one process. */
export type Timing = { readonly cpuMs: number; readonly wallMs: number };

/** Below the number of failures after which the service slows an account down. */
const triesPerName = 4;

/**
 * Times refused attempts of every kind on a new service, one after the other, with a random order of kinds in each
 * round. Each attempt has a different client address and each name is used few times, so that no throttle affects the
 * times.
 *
 * @param count  timed attempts of each kind, after `warmUps` untimed ones.
 * @param iterations  of new hashes: above 100,000, the number of the older hashes.
 */
export async function timeRefusals(
  count: number,
  { iterations, warmUps }: { readonly iterations: number; readonly warmUps: number },
): Promise<Readonly<Record<RefusalKind, readonly Timing[]>>> {
  const svc = await startService({ config: { 'Svc:UserManagement:PasswordIterations': iterations } });
  try {
    await setUp(svc);
    const names = Math.ceil((count + warmUps) / triesPerName);
    for (let index = 0; index < names; index += 1) await addNames(svc, index, iterations);
    const timings: Record<RefusalKind, Timing[]> = {
      'unknown user': [],
      'wrong password': [],
      'wrong password, hash with fewer iterations': [],
      'disabled user': [],
      'archived user': [],
      'single sign-on only': [],
    };
    for (let round = 0; round < count + warmUps; round += 1) {
      for (const kind of shuffled(refusals)) {
        const timing = await attempt(svc.origin, nameOf(kind, Math.floor(round / triesPerName)));
        if (round >= warmUps) timings[kind].push(timing);
      }
    }
    return timings;
  } finally {
    await svc.close();
  }
}

/** Returns names of equal length, so that attempts differ only in their kind. */
const nameOf = (kind: RefusalKind, index: number): string =>
  `${refusals.indexOf(kind)}-user-${String(index).padStart(6, '0')}`;

async function addNames(svc: RunningService, index: number, iterations: number): Promise<void> {
  for (const kind of refusals) {
    const name = nameOf(kind, index);
    if (kind === 'unknown user') continue;
    if (kind === 'single sign-on only') {
      await svc.database.query(
        `insert into svc.users (user_name, kind, issuer, subject) values ($1, 'External', 'https://idp', $1)`,
        [name],
      );
      continue;
    }
    const id = await createUser(svc.database, name, 'Viewer');
    if (kind === 'disabled user')
      await svc.database.query('update svc.users set is_enabled = false where id = $1', [id]);
    if (kind === 'archived user')
      await svc.database.query('update svc.users set archived_at = now() where id = $1', [id]);
    // Test users have hashes with the minimum of iterations. All kinds except one get a hash with the current number.
    if (kind !== 'wrong password, hash with fewer iterations') {
      const [salt, random] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64'));
      const hash = `pbkdf2-sha256$${iterations}$${salt}$${random}`;
      await svc.database.query('update svc.users set password_hash = $2 where id = $1', [id, hash]);
    }
  }
}

async function attempt(origin: string, username: string): Promise<Timing> {
  const client = createHttpClient(origin);
  const [usage, start] = [process.cpuUsage(), performance.now()];
  const answer = await client.post('/svc/api/auth/login', { username, password: 'Wrong-password-1' });
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  if (answer.status !== 401) throw new Error(`${username} was answered with ${answer.status}.`);
  return { cpuMs: (user + system) / 1_000, wallMs };
}

function shuffled<T>(values: readonly T[]): T[] {
  const left = [...values];
  for (let index = left.length - 1; index > 0; index -= 1) {
    const other = randomInt(index + 1);
    const [one, two] = [left[index], left[other]];
    if (one !== undefined && two !== undefined) [left[index], left[other]] = [two, one];
  }
  return left;
}

/** Returns the median. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Returns Welch's t of two samples without their slowest tenth, which other load on the machine distorts. Between -3
 * and 3, the samples do not differ at the usual level of 99.7 %.
 */
export function welchT(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [momentsOf(trimmed(one)), momentsOf(trimmed(other))];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

const trimmed = (values: readonly number[]): number[] =>
  values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.9));

function momentsOf(values: readonly number[]): { mean: number; variance: number; count: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { mean, variance, count };
}

/** Returns the 95 % bootstrap interval of the difference of the two medians. */
export function medianDifference(
  one: readonly number[],
  other: readonly number[],
  draws = 2_000,
): { readonly low: number; readonly high: number } {
  const again = (values: readonly number[]) => values.map(() => values[randomInt(values.length)] ?? 0);
  const differences = Array.from({ length: draws }, () => medianOf(again(one)) - medianOf(again(other)));
  differences.sort((a, b) => a - b);
  const at = (share: number) => differences[Math.floor(share * (draws - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}
