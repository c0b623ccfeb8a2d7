import { createConnectors, readDatabaseIdentity, type SqlDialect } from '@svc/connectors';
import { createRunSql, type RunSql } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** The only gateway for reads of data sources, and its engines. */
export type RunSqlGateway = Module & {
  readonly runSql: RunSql;
  readonly connectors: ReturnType<typeof createConnectors>;
  /** Returns the SQL dialect of an engine. */
  readonly dialectOf: (engine: string) => SqlDialect;
};

/** Opens the run-SQL gateway. The service's own database can never be a data source. */
export async function openRunSqlGateway({
  database,
  outbound,
  settings,
  keys,
  telemetry,
}: Infrastructure): Promise<RunSqlGateway> {
  const connectors = createConnectors({
    ownDatabases: [await readDatabaseIdentity(database.pool)],
    files: settings.queries.files,
  });
  const runSql = createRunSql({
    connectors,
    keys,
    telemetry,
    dial: (target, options) => outbound.dialSocket(target, options),
  });
  return {
    runSql,
    connectors,
    dialectOf: (engine) => connectors.get(engine).dialect,
    close: connectors.close,
  };
}
