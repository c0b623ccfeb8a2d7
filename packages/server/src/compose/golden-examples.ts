import { targetOf } from '../domains/data-sources/index.ts';
import { type CheckStatement, createGoldenService, goldenRoutes } from '../domains/golden-examples/index.ts';
import { gateVerdicts } from '../domains/mcp/index.ts';
import type { RunSql, RunSqlCode } from '../doors/run-sql/index.ts';
import { Refusal } from '../platform/http/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlDoor } from './run-sql-door.ts';

type GoldenDeps = {
  readonly door: Pick<RunSqlDoor, 'dialectOf'> & { readonly runSql: Pick<RunSql, 'dryRun'> };
  readonly sources: Pick<DataSourcesPart, 'openDataSources'>;
};

/** A plan is made in moments, or something is wrong. */
const timeoutMs = 15_000;

/** Codes that speak of the source or of its load, and say nothing about the statement. */
const away: ReadonlySet<RunSqlCode> = new Set([
  ...(['destination-refused', 'connection-failed', 'connection-lost', 'tls-failed'] as const),
  ...(['authentication-failed', 'database-not-found', 'privileged-login', 'file-unreadable'] as const),
  ...(['file-not-allowed', 'engine-unavailable', 'too-many-runs', 'timed-out', 'cancelled'] as const),
]);

/** Questions whose right answer is known; their statements pass the gates that those of AI clients pass. */
export const composeGoldenExamples = (ground: Ground, deps: GoldenDeps): Part => {
  const { database, audit, clock } = ground;
  return {
    routes: goldenRoutes(
      createGoldenService({ database, audit, now: clock.now, check: checkBy(ground, deps) }),
    ),
  };
};

const checkBy =
  ({ database, settings }: Ground, { door, sources }: GoldenDeps): CheckStatement =>
  async (dataSourceId, sql, call) => {
    const [source] = await sources.openDataSources(database, [dataSourceId]).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'connection-unreadable') return [];
      throw error;
    });
    if (!source)
      return { verdict: 'Unchecked', message: 'The connection of the data source cannot be opened.' };
    const rules = {
      runSql: door.runSql,
      dialectOf: door.dialectOf,
      maxSqlChars: settings.mcp.maxSqlChars,
    };
    const { verdicts, refusal } = await gateVerdicts(rules, sql, source.engine, {
      dataSource: () => targetOf(source),
      masking: maskingOf(settings),
      timeoutMs,
      ...call,
    });
    const message = verdicts.find(({ verdict }) => verdict === 'Failed')?.message;
    if (message === undefined) return { verdict: 'Passed', message: '' };
    return { verdict: refusal && away.has(refusal.code) ? 'Unchecked' : 'Failed', message };
  };
