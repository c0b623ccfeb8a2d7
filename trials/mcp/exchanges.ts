import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { startContenders } from '../../bench/mcp/contenders.ts';
import { callMessage, prepareMcp } from '../../bench/mcp/prepare.ts';
import { startBenchDatabase } from '../../bench/run/database.ts';
import type { LoadResult } from '../../bench/run/http-load.ts';
import { createFramedStream } from '../../packages/connectors/src/framed-stream.ts';

/**
 * `node --conditions=svc-source trials/mcp/exchanges.ts [seconds]`: counts the exchanges of an MCP call with the
 * metadata database and with the watched one, at 1 and 16 clients. Compares the service with the floors of the
 * benchmark and with DBHub. An exchange is a request that waits for one answer. Work of the service outside its calls
 * (jobs, last uses) counts too.
 */
const durationMs = Number(process.argv[2] ?? 3) * 1_000;
const statement = 'select id, name, amount from orders order by id limit 20';

type Counts = { exchanges: number; statements: number };
const headBytes = 5;
const lengthBytes = 4;

/** Starts a proxy to a server that counts exchanges (Sync, Query) and statements (Execute, Query). */
async function countingGateway(port: number) {
  const counts: Counts = { exchanges: 0, statements: 0 };
  const server = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    far.setNoDelay(true);
    near.setNoDelay(true);
    const see = createFramedStream(headBytes, (head) => {
      const type = String.fromCharCode(head[0] ?? 0);
      if (type === 'S' || type === 'Q') counts.exchanges += 1;
      if (type === 'E' || type === 'Q') counts.statements += 1;
      return head.readUInt32BE(1) - lengthBytes;
    });
    let isStarted = false;
    near.on('data', (chunk: Buffer) => {
      far.write(chunk);
      // The startup message has no type, and arrives alone.
      if (isStarted) see(chunk);
      isStarted = true;
    });
    far.on('data', (chunk) => near.write(chunk));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, counts, close: () => server.close() };
}

const database = await startBenchDatabase();
const { port } = database.loopback;
const own = await countingGateway(port);
const watched = await countingGateway(port);
const connection = { ...database.connection, host: '127.0.0.1', port: own.port };
const shop = { ...database.loopback, database: 'shop', port: watched.port };
const { service, subjects, generator } = await startContenders({ connection, shop });
try {
  const headers = await prepareMcp(String(service.ready['origin']), database, shop);
  for (const clients of [1, 16])
    for (const subject of subjects) {
      const isOther = subject.name === 'dbhub';
      const tool = isOther ? 'execute_sql' : 'query';
      const load = {
        origin: String(subject.ready['origin']),
        path: isOther ? '/mcp' : '/svc/mcp',
        method: 'POST',
        status: 200,
        body: callMessage(tool, statement),
        headers: { ...headers, 'mcp-name': tool },
        connections: clients,
      };
      await generator.act({ ...load, durationMs: 500 });
      const before = [own, watched].map(({ counts }) => ({ ...counts }));
      const { requests } = (await generator.act({ ...load, durationMs })) as LoadResult;
      const each = [own, watched].map(({ counts }, index) => ({
        exchanges: round((counts.exchanges - (before[index]?.exchanges ?? 0)) / requests),
        statements: round((counts.statements - (before[index]?.statements ?? 0)) / requests),
      }));
      console.log(
        JSON.stringify({ clients, subject: subject.name, own: each[0], watched: each[1], requests }),
      );
    }
} finally {
  await Promise.all([...subjects, generator].map((subject) => subject.stop()));
  own.close();
  watched.close();
  await database.stop();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
