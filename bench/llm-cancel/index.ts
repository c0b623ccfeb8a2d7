import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { apiOf, cookieOf, setupToken } from '../run/people.ts';
import { rounded } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { type Made, watchShop } from '../run/watching.ts';

const cancelsPerRound = 5;
const cancelsMin = 20;
const closedMsMax = 200;
/** Maximum wait for a request and for its end. A timeout is a defect of the service. */
const patienceMs = 10_000;

/** Starts a provider that accepts every question and never answers. */
async function startSilentProvider() {
  const server = http.createServer((request, response) => {
    request.resume();
    const closed = once(response, 'close').then(() => performance.now());
    arrived({ closed });
  });
  let arrived: (request: { readonly closed: Promise<number> }) => void = () => undefined;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the next request, with the time at which the caller closes it. */
    next: () =>
      new Promise<{ readonly closed: Promise<number> }>((resolve) => {
        arrived = resolve;
      }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const within = <T>(promise: Promise<T>, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come.`)), patienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

function figuresOf(title: string, times: readonly number[]): Figure[] {
  const sorted = times.toSorted((one, other) => one - other);
  const figure = (unit: string, value: number, valueMax: number | null): Figure => ({
    title,
    unit,
    against: null,
    values: [rounded(value)],
    floorValues: [],
    ratios: [],
    pairs: null,
    target: valueMax === null ? null : { valueMax },
  });
  const median = shareOf(sorted, 0.5);
  const p95 = shareOf(sorted, 0.95);
  process.stdout.write(
    `${title}, ${times.length} times: p50 ${rounded(median)} ms, p95 ${rounded(p95)} ms\n`,
  );
  return [figure('ms, p50', median, null), figure('ms, p95', p95, closedMsMax)];
}

/** Measures the time until the provider's request of a cancelled question is closed. */
export const bench: Bench = {
  purpose:
    'time from the cancel request of a question to the closed connection at the provider, in the process of the question and in another process',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const provider = await startSilentProvider();
    const settings = {
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:EncryptionKey': 'k'.repeat(32),
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'silent',
      // A cancelled call is charged at its upper bound.
      'Svc:LLM:CallsPerMinute': 100_000,
      'Svc:LLM:TokensPerMinute': 1_000_000_000,
      'Svc:LLM:DailyTokensPerUser': 1_000_000_000,
    };
    const start = (name: string, workers: number): Promise<Subject> =>
      startSubject(name, path.join(import.meta.dirname, '../run/service.ts'), {
        connection: database.connection,
        settings: { ...settings, 'Svc:Jobs:Workers': workers },
      });
    const working = await start('working', 4);
    const other = await start('other', 0);
    try {
      const { ask } = await prepare(working, database);
      const cookie = await cookieOf(String(working.ready['origin']), 'root');
      const cancels = Math.max(cancelsMin, rounds * cancelsPerRound);
      const figures: Figure[] = [];
      for (const { name, ready } of [working, other]) {
        const post = apiOf(String(ready['origin']), cookie);
        const times: number[] = [];
        for (let at = 0; at < cancels; at += 1) {
          const arriving = within(provider.next(), 'A request to the provider');
          const { id } = await ask();
          const { closed } = await arriving;
          const beganMs = performance.now();
          await post(`/svc/api/ask/answers/${id}/cancel`);
          times.push((await within(closed, 'The end of the request to the provider')) - beganMs);
        }
        const by = name === 'working' ? 'the process of the question' : 'another process';
        figures.push(...figuresOf(`cancelled by ${by}`, times));
      }
      return figures;
    } finally {
      await Promise.all([working.stop(), other.stop(), provider.stop()]);
      await database.stop();
    }
  },
};

/** Creates a project with a data source and its table metadata, and a conversation. */
async function prepare(service: Subject, database: BenchDatabase) {
  const { post } = await watchShop(service, database, {
    createTable: 'create table orders (id int primary key)',
    sql: 'select id from orders',
  });
  const [made] = await database.sql<{ projectId: number; sourceId: number }>(
    `select p.id as "projectId", d.id as "sourceId" from svc.projects p, svc.data_sources d where p.name = 'Bench'`,
  );
  await post(`/svc/api/data-sources/${made?.sourceId}/refresh-metadata`, {});
  const talk = await post<Made>('/svc/api/ask/conversations', { projectId: made?.projectId });
  return {
    ask: () =>
      post<Made>(`/svc/api/ask/conversations/${talk.id}/questions`, {
        question: 'How many orders are there?',
      }),
  };
}
