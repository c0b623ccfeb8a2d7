import assert from 'node:assert/strict';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { printPairs } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inPairs } from '../run/rounds.ts';
import { watchServerCpu } from '../run/server-cpu.ts';
import type { Subject } from '../run/subject.ts';
import { startContenders } from './contenders.ts';
import { callMessage, prepareMcp } from './prepare.ts';

const rowCount = 20;
const sql = `select id, name, amount from orders order by id limit ${rowCount}`;
/** Target ratios to the SDK's bare handler, to hand-written JSON-RPC and to DBHub, by number of clients. */
const targets = [
  { clients: 1, sdk: 0.8, 'json-rpc': 0.45 },
  { clients: 16, sdk: 0.8, 'json-rpc': 0.3, dbhub: 1 },
] as const;
/** Warm-up, so that frequently used code is compiled. */
const warmUp = { connections: 16, durationMs: 5_000 };
/** Number of turns in a round. */
const shortTurns = 2;
const against = ['sdk', 'json-rpc', 'dbhub'] as const;

/** Returns the path and the tool name of a subject. */
const callOf = ({ name }: Subject) =>
  name === 'dbhub' ? { path: '/mcp', tool: 'execute_sql' } : { path: '/svc/mcp', tool: 'query' };
const messageOf = (subject: Subject): string => callMessage(callOf(subject).tool, sql);

/** Measures a call of the tool `query` by a client of 2026-07-28. */
export const bench: Bench = {
  purpose: `an MCP call that reads ${rowCount} rows, against the SDK's bare handler, JSON-RPC by hand and DBHub`,
  run: async ({ rounds, roundMs }) => {
    const database = await startBenchDatabase();
    const { connection, loopback } = database;
    const shop = { ...loopback, database: 'shop' };
    const { service, subjects, generator } = await startContenders({ connection, shop });
    const figures: Figure[] = [];
    try {
      const headers = await prepareMcp(originOf(service), database, shop);
      await assertSameRows(subjects, headers);
      for (const subject of subjects) await loadOf(subject, generator, { headers, ...warmUp });
      for (const { clients, ...targetOf } of targets) {
        const durationMs = roundMs / shortTurns;
        const measured = (subject: Subject) => ({
          name: subject.name,
          measure: () => loadOf(subject, generator, { headers, connections: clients, durationMs }),
        });
        for (const other of against) {
          const floor = subjects.find(({ name }) => name === other);
          assert.ok(floor, `${other} was not started`);
          const pairs = await inPairs(measured(floor), measured(service), rounds * shortTurns);
          const target = (targetOf as Partial<Record<typeof other, number>>)[other];
          const names = { floor: other, contender: service.name };
          const comparison = {
            number: 'perSecond',
            isMoreBetter: true,
            ...(target !== undefined && { target }),
          };
          figures.push(printPairs(`${clients} clients`, names, pairs, columns, comparison));
        }
      }
      return figures;
    } finally {
      await Promise.all([generator, ...subjects].map((subject) => subject.stop()));
      await database.stop();
    }
  },
};

const columns = [
  { title: 'calls/s', number: 'perSecond', digits: 0 },
  { title: 'ms median', number: 'medianMs', digits: 2 },
  { title: 'ms p99', number: 'p99Ms', digits: 2 },
  { title: 'µs CPU', number: 'cpuMicrosEach', digits: 0 },
  { title: 'µs at the server', number: 'serverMicrosEach', digits: 0 },
];

const serverCpu = watchServerCpu();

const originOf = ({ ready }: Subject): string => String(ready['origin']);

async function loadOf(
  subject: Subject,
  generator: Subject,
  load: Pick<Load, 'headers' | 'connections' | 'durationMs'>,
): Promise<Record<string, number>> {
  await subject.usage();
  const call = callOf(subject);
  const request: Load = {
    origin: originOf(subject),
    path: call.path,
    method: 'POST',
    status: 200,
    body: messageOf(subject),
    ...load,
    headers: { ...load.headers, 'mcp-name': call.tool },
  };
  serverCpu.take();
  const result = (await generator.act(request)) as LoadResult;
  const { cpuMicros } = await subject.usage();
  return {
    ...result,
    cpuMicrosEach: cpuMicros / result.requests,
    serverMicrosEach: serverCpu.take() / result.requests,
  };
}

/** Throws when the answers differ, since only equal answers are comparable. */
async function assertSameRows(subjects: readonly Subject[], headers: Record<string, string>): Promise<void> {
  for (const subject of subjects) {
    const { path: where, tool } = callOf(subject);
    const response = await fetch(originOf(subject) + where, {
      method: 'POST',
      headers: { ...headers, 'mcp-name': tool },
      body: messageOf(subject),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${subject.name}: ${text}`);
    assert.equal(
      text.match(/Order \d+/g)?.length,
      rowCount * (text.match(/structuredContent/) ? 2 : 1),
      `${subject.name}: ${text}`,
    );
  }
}
