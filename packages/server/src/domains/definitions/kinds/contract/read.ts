import type * as contract from '@svc/contract';
import type { Caller } from '../../../../platform/access/index.ts';
import type { DataContractsService } from '../../../data-contracts/index.ts';
import { everyPage } from '../canonical.ts';
import type { LiveRecord, ProjectScope, SlugOf } from '../kind.ts';
import { type ContractDefinition, canonical, type ExplainSchedule } from './definition.ts';

export type ContractReadDeps = {
  readonly contracts: DataContractsService;
  readonly explainSchedule: ExplainSchedule;
};

const fileOf = (
  explain: ExplainSchedule,
  dataContract: contract.DataContract,
  slugOf: SlugOf,
): Promise<ContractDefinition> =>
  canonical(explain, {
    name: dataContract.name,
    description: dataContract.description,
    dataSource: slugOf('DataSource', dataContract.dataSourceId),
    schemaName: dataContract.schemaName,
    tableName: dataContract.tableName,
    isEnabled: dataContract.isEnabled,
    failsOn: dataContract.failsOn,
    warnScore: dataContract.warnScore,
    failScore: dataContract.failScore,
    alertMode: dataContract.alertMode,
    alertsOnWarning: dataContract.alertsOnWarning,
    alert: dataContract.alert,
    quietHours: dataContract.quietHours,
    createTasks: dataContract.createTasks,
    slaHours: dataContract.slaHours,
    keepsSamples: dataContract.keepsSamples,
    cronExpression: dataContract.schedule?.cronExpression ?? null,
    timeZone: dataContract.schedule?.timeZone ?? null,
    recipients: dataContract.recipients.map(({ id }) => slugOf('Recipient', id)),
    rules: dataContract.rules.map(({ id: _none, ...each }) => each),
  });

/** Reads the data contracts of projects that the caller sees, each with its definition. */
export const list = async (
  { contracts, explainSchedule }: ContractReadDeps,
  caller: Caller,
  projects: readonly ProjectScope[],
  slugOf: SlugOf,
): Promise<LiveRecord<ContractDefinition>[]> => {
  const ids: number[] = [];
  for (const { id: projectId } of projects)
    ids.push(
      ...(await everyPage((page) => contracts.list(caller, { ...page, projectId }))).map(({ id }) => id),
    );
  const dataContracts = await Promise.all(ids.map((id) => contracts.get(caller, id)));
  return Promise.all(
    dataContracts.map(async (each) => ({
      id: each.id,
      projectId: each.projectId,
      version: each.version,
      definition: await fileOf(explainSchedule, each, slugOf),
    })),
  );
};
