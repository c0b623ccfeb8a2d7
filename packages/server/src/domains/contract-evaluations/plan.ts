import type { SqlDialect } from '@svc/connectors';
import type { EvaluationReason } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import type { ContractRow } from '../data-contracts/index.ts';
import { findEngine } from '../data-contracts/index.ts';
import { findMetadata, type OpenDataSources, targetOf } from '../data-sources/index.ts';
import type { RuleSource } from './asking/source.ts';

/** The table of a contract, ready to be asked about; a word when it cannot be. */
export type PlanContract = (
  executor: Executor,
  contract: Pick<ContractRow, 'projectId' | 'dataSourceId' | 'schemaName' | 'tableName'>,
) => Promise<
  | Pick<RuleSource, 'target' | 'table' | 'dialect'>
  | Extract<EvaluationReason, 'SourceNotLinked' | 'TableUnknown'>
>;

/** Opens the data source while it is linked to the contract's project; it asks nobody's permission. */
export const createPlanContract =
  (deps: {
    readonly openDataSources: OpenDataSources;
    readonly dialectOf: (engine: string) => SqlDialect;
  }): PlanContract =>
  async (executor, { projectId, dataSourceId, schemaName, tableName }) => {
    if ((await findEngine(executor, projectId, dataSourceId)) === undefined) return 'SourceNotLinked';
    const [opened] = await deps.openDataSources(executor, [dataSourceId]);
    if (!opened) return 'SourceNotLinked';
    const stored = await findMetadata(executor, dataSourceId);
    const table = stored?.snapshot.tables.find(
      ({ schema, name }) => schema === schemaName && name === tableName,
    );
    return table
      ? { target: targetOf(opened), table, dialect: deps.dialectOf(opened.engine) }
      : 'TableUnknown';
  };
