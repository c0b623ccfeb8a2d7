import type { SqlDialect, TableMetadata } from '@svc/connectors';
import type { EvaluationReason } from '@svc/contract';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { ContractRow } from '../data-contracts/index.ts';
import { findEngine } from '../data-contracts/index.ts';
import { findMetadata, type OpenDataSources, targetOf } from '../data-sources/index.ts';
import { type RuleSource, refusalOf } from './asking/source.ts';

type ContractTable = Pick<ContractRow, 'projectId' | 'dataSourceId' | 'schemaName' | 'tableName'>;
type Planned = Pick<RuleSource, 'target' | 'table' | 'dialect'>;

/** Prepares the queries about the table of a contract. Returns the reason if that is impossible. */
export type PlanContract = (
  executor: Executor,
  contract: ContractTable,
  signal: AbortSignal,
) => Promise<Planned | Extract<EvaluationReason, 'SourceNotLinked' | 'SourceUnreachable' | 'TableUnknown'>>;

const readTimeoutMs = 30_000;

/**
 * Opens the data source if it is linked to the contract's project, without a check of user permissions. A table that is
 * missing in the stored metadata is searched in the data source itself: it may be new.
 */
export const createPlanContract =
  (deps: {
    readonly openDataSources: OpenDataSources;
    readonly dialectOf: (engine: string) => SqlDialect;
    readonly runSql: Pick<RunSql, 'readMetadata'>;
  }): PlanContract =>
  async (executor, contract, signal) => {
    const { projectId, dataSourceId, schemaName } = contract;
    if ((await findEngine(executor, projectId, dataSourceId)) === undefined) return 'SourceNotLinked';
    const [opened] = await deps.openDataSources(executor, [dataSourceId]);
    if (!opened) return 'SourceNotLinked';
    const target = targetOf(opened);
    const stored = await findMetadata(executor, dataSourceId);
    const present = async () => {
      const includeSchemas = schemaName === '' ? {} : { includeSchemas: [schemaName] };
      const limits = { signal, timeoutMs: readTimeoutMs, ...includeSchemas };
      return tableIn((await deps.runSql.readMetadata(target, limits)).tables, contract);
    };
    try {
      const table = tableIn(stored?.snapshot.tables ?? [], contract) ?? (await present());
      return table ? { target, table, dialect: deps.dialectOf(opened.engine) } : 'TableUnknown';
    } catch (error) {
      refusalOf(error, signal);
      return 'SourceUnreachable';
    }
  };

/** Finds the table of a contract. Without a schema the table name must be unique. */
function tableIn(
  tables: readonly TableMetadata[],
  { schemaName, tableName }: ContractTable,
): TableMetadata | undefined {
  const named = tables.filter(({ name }) => name === tableName);
  const [only, ...others] = named;
  return (
    named.find(({ schema }) => schema === schemaName) ??
    (schemaName === '' && others.length === 0 ? only : undefined)
  );
}
