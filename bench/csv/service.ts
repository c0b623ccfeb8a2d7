import { Readable } from 'node:stream';
import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createRunSql } from '../../packages/server/src/gateways/run-sql/index.ts';
import { csvOf } from '../../packages/server/src/platform/tabular/index.ts';
import { runSubject } from '../run/subject-process.ts';
import { serveCsv } from './serve.ts';

type Config = {
  readonly engine: 'PostgreSQL' | 'ClickHouse';
  readonly connection: object;
  /** Address of the database. */
  readonly server: { readonly host: string; readonly port: number };
  readonly statement: string;
};

/** The run-SQL gateway and the CSV writer as in a query's download, with limits, masking and formula protection. */
runSubject(async ({ engine, connection, server: database, statement }: Config) => {
  const connectors = createConnectors();
  const runSql = createRunSql({ connectors, dial: databaseDial(database) });
  const dataSource = {
    id: 'bench',
    engine,
    connection: { ...connection, host: testHost, tlsMode: 'Disable' },
  };
  const server = await serveCsv(async (response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { columns, batches } = await runSql.run({
      steps: [{ order: 1, dataSource, sql: statement }],
      masking: { isEnabled: true },
      signal: gone.signal,
    });
    const tabular = columns.map(({ name, kind }) => ({ name, isText: kind === 'text' }));
    return Readable.from(csvOf(tabular, batches), { objectMode: false });
  });
  return {
    ready: { origin: server.origin },
    stop: async () => {
      await server.close();
      await connectors.close();
    },
  };
});
