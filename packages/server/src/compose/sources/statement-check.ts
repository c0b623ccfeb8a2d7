import { targetOf } from '../../domains/data-sources/index.ts';
import { gateVerdicts } from '../../domains/mcp/index.ts';
import type { RunSql, RunSqlCode } from '../../gateways/run-sql/index.ts';
import { Refusal } from '../../platform/http/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { DataSourcesModule } from './data-sources.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlGateway } from './run-sql-gateway.ts';

export type StatementCheckDeps = {
  readonly gateway: Pick<RunSqlGateway, 'dialectOf'> & { readonly runSql: Pick<RunSql, 'dryRun'> };
  readonly sources: Pick<DataSourcesModule, 'openDataSources'>;
};

type StatementCheck = (
  dataSourceId: number,
  sql: string,
  call: { readonly signal: AbortSignal; readonly callerId: string },
) => Promise<{
  readonly verdict: 'Passed' | 'Failed' | 'Unchecked';
  /** The gate that refused, or the reason for an unreachable source. Empty for a passed statement. */
  readonly code: string;
  readonly message: string;
}>;

/** Timeout of a plan. A healthy source returns one within moments. */
const timeoutMs = 15_000;

/** Codes that concern the source or its load, not the statement. */
export const away: ReadonlySet<RunSqlCode> = new Set([
  'destination-refused',
  'connection-failed',
  'connection-lost',
  'tls-failed',
  'authentication-failed',
  'database-not-found',
  'privileged-login',
  'login-may-write',
  'file-unreadable',
  'file-not-allowed',
  'engine-unavailable',
  'too-many-runs',
  'timed-out',
  'cancelled',
]);

/** Checks a statement on a source with the same gates as statements of AI clients. */
export const checkStatementBy =
  ({ database, settings }: Infrastructure, { gateway, sources }: StatementCheckDeps): StatementCheck =>
  async (dataSourceId, sql, call) => {
    const [source] = await sources.openDataSources(database, [dataSourceId]).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'connection-unreadable') return [];
      throw error;
    });
    if (!source)
      return {
        verdict: 'Unchecked',
        code: 'connection-unreadable',
        message: 'The connection of the data source cannot be opened.',
      };
    const rules = {
      runSql: gateway.runSql,
      dialectOf: gateway.dialectOf,
      maxSqlChars: settings.mcp.maxSqlChars,
    };
    const { verdicts, refusal } = await gateVerdicts(rules, sql, source.engine, {
      dataSource: () => targetOf(source),
      masking: maskingOf(settings),
      timeoutMs,
      ...call,
    });
    const refused = verdicts.find(({ verdict }) => verdict === 'Failed');
    if (!refused) return { verdict: 'Passed', code: '', message: '' };
    const { gate, message } = refused;
    return refusal && away.has(refusal.code)
      ? { verdict: 'Unchecked', code: refusal.code, message }
      : { verdict: 'Failed', code: gate, message };
  };
