import type * as contract from '@svc/contract';
import type { Caller } from '../../../../platform/access/index.ts';
import type { Database } from '../../../../platform/db/index.ts';
import type { CallerActor } from '../../../audit/index.ts';
import { ruleOf } from '../../../contract-rules/index.ts';
import { assertMayUseSql } from '../../../data-contracts/index.ts';
import type { MetadataService } from '../../../data-sources/index.ts';
import type { Change, Input, Target, Written } from '../kind.ts';
import { bodyOf, type ContractDefinition, unresolvedIds } from './definition.ts';
import type { ContractReadDeps } from './read.ts';

export type ContractKindDeps = ContractReadDeps & {
  readonly database: Database;
  /** Reads the schemas of a project's data sources that have no snapshot. The validation of rules needs them. */
  readonly readUnread: MetadataService['readUnread'];
};

const idIn = (ids: ReadonlyMap<string, number>, name: string): { id?: number } => {
  const id = ids.get(name);
  return id === undefined ? {} : { id };
};

/**
 * Requires permission for custom SQL in changed rules.
 *
 * @throws Refusal 403.
 */
export const assertMayWrite = (caller: Caller, { before, after }: Change<ContractDefinition>): void => {
  if (!after) return;
  const isElsewhere = before !== null && before.dataSource !== after.dataSource;
  // Rules are matched by name, here and when they are written.
  const ids = new Map(before?.rules.map((each, at) => [each.name, at + 1]));
  const rulesOf = (definition: ContractDefinition) =>
    definition.rules.map((each) => ruleOf({ ...each, ...idIn(ids, each.name) }));
  assertMayUseSql(
    caller,
    { settings: { ...unresolvedIds, dataSourceId: isElsewhere ? 2 : 1 }, rules: rulesOf(after) },
    before === null
      ? undefined
      : { ...unresolvedIds, rules: rulesOf(before).map((each, at) => ({ ...each, id: at + 1 })) },
  );
};

const inputOf = (
  { definition, projectId, idOf }: Input<ContractDefinition>,
  ruleIds?: ReadonlyMap<string, number>,
): contract.DataContractInput => {
  if (projectId === null) throw new Error('A data contract belongs to a project.');
  return {
    ...bodyOf(definition, { projectId, dataSourceId: idOf('DataSource', definition.dataSource) }, ruleIds),
    recipientIds: (definition.recipients ?? []).map((slug) => idOf('Recipient', slug)),
  };
};

/** Returns the ids of rules whose names are unique in a contract. */
function uniqueIn(
  { rules }: ContractDefinition,
  ids: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const names = rules.map((each) => each.name.trim());
  const isOnce = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  return new Map([...ids].filter(([name]) => isOnce(name)));
}

/** Creates the data contract of a definition. */
export const create = async (
  { database, contracts, readUnread }: ContractKindDeps,
  by: CallerActor,
  input: Input<ContractDefinition>,
): Promise<Written> => {
  const body = inputOf(input);
  await readUnread(body.projectId);
  return database.transaction(async (tx) => {
    const { id } = await contracts.createIn(tx, by, body);
    await input.within(tx, id);
    return { isWaiting: false };
  });
};

/** Replaces the settings and rules of a data contract. A rule with an unchanged name retains its results. */
export const update = async (
  { database, contracts, readUnread }: ContractKindDeps,
  by: CallerActor,
  { id, version }: Target,
  input: Input<ContractDefinition>,
): Promise<Written> => {
  const dataContract = await contracts.get(by.caller, id);
  const ruleIds = new Map(dataContract.rules.map((each) => [each.name, each.id]));
  await readUnread(dataContract.projectId);
  return database.transaction(async (tx) => {
    await contracts.reviseIn(tx, by, { id, version }, inputOf(input, uniqueIn(input.definition, ruleIds)));
    await input.within(tx, id);
    return { isWaiting: false };
  });
};
