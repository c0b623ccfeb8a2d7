import { readdirSync, readFileSync } from 'node:fs';
import { startContenders } from '../../bench/mcp/contenders.ts';
import { callMessage, prepareMcp } from '../../bench/mcp/prepare.ts';
import { startBenchDatabase } from '../../bench/run/database.ts';
import type { LoadResult } from '../../bench/run/http-load.ts';
import type { Subject } from '../../bench/run/subject.ts';

/**
 * `node --conditions=svc-source trials/mcp/processor-time.ts [rounds]`: measures processor time in microseconds per MCP
 * call, at 1 and 16 clients. Separates the process, the metadata database and the watched database. Compares the
 * service with the floors of the benchmark and with DBHub. Prints medians of alternating rounds. Processor times vary
 * less with other load on the machine than rates do.
 */
const rounds = Number(process.argv[2] ?? 5);
const roundMs = 2_000;
const warmUpMs = 4_000;
const nanosPerMicro = 1_000;
const statement = 'select id, name, amount from orders order by id limit 20';

const database = await startBenchDatabase();
const { connection } = database;
const shop = { ...database.loopback, database: 'shop' };
const { service, subjects, generator } = await startContenders({ connection, shop });

/** Returns the processor time in ns of each database server process, by `<process> <database>`. */
function serverTimes(): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of readdirSync('/proc')) {
    const [, name] = /postgres: bench (bench|shop) /.exec(textOf(`/proc/${pid}/cmdline`)) ?? [];
    if (name) times.set(`${pid} ${name}`, Number(textOf(`/proc/${pid}/schedstat`).split(' ')[0]));
  }
  return times;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function timesOf(
  subject: Subject,
  headers: Record<string, string>,
  connections: number,
  durationMs: number,
) {
  const isOther = subject.name === 'dbhub';
  const tool = isOther ? 'execute_sql' : 'query';
  await subject.usage();
  const before = serverTimes();
  const { requests, perSecond } = (await generator.act({
    origin: String(subject.ready['origin']),
    path: isOther ? '/mcp' : '/svc/mcp',
    method: 'POST',
    status: 200,
    body: callMessage(tool, statement),
    headers: { ...headers, 'mcp-name': tool },
    connections,
    durationMs,
  })) as LoadResult;
  const { cpuMicros } = await subject.usage();
  const each = { process: cpuMicros / requests, own: 0, watched: 0, all: cpuMicros / requests, perSecond };
  for (const [key, nanos] of serverTimes()) {
    const micros = (nanos - (before.get(key) ?? 0)) / nanosPerMicro / requests;
    each[key.endsWith('shop') ? 'watched' : 'own'] += micros;
    each.all += micros;
  }
  return each;
}

try {
  const headers = await prepareMcp(String(service.ready['origin']), database, shop);
  for (const subject of subjects) await timesOf(subject, headers, 16, warmUpMs);
  for (const clients of [1, 16]) {
    const all = new Map<string, Awaited<ReturnType<typeof timesOf>>[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const subject of subjects) {
        const times = await timesOf(subject, headers, clients, roundMs);
        all.set(subject.name, [...(all.get(subject.name) ?? []), times]);
      }
    for (const [subject, times] of all) {
      const median = (of: keyof (typeof times)[number]) =>
        Math.round(times.map((one) => one[of]).toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN);
      const medians = {
        process: median('process'),
        own: median('own'),
        watched: median('watched'),
        all: median('all'),
      };
      console.log(JSON.stringify({ clients, subject, ...medians, perSecond: median('perSecond') }));
    }
  }
} finally {
  await Promise.all([...subjects, generator].map((subject) => subject.stop()));
  await database.stop();
}
process.exit(0);
