import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { Database } from '../../../platform/db/index.ts';
import { ruleOf } from '../../contract-rules/index.ts';
import { assertMayUseSql, type DataContractsService, definitionOf } from '../../data-contracts/index.ts';
import type { MetadataService } from '../../data-sources/index.ts';
import type { SubscriptionsService } from '../../subscriptions/index.ts';
import { everyPage, shortened, sortedSlugs } from './canonical.ts';
import { defineKind, type Input, noSecrets, type Reference, type SlugOf } from './kind.ts';
import { fileSchema, Slugs } from './shapes.ts';

const {
  projectId: _projectId,
  dataSourceId: _dataSourceId,
  schemaName,
  tableName,
  name,
  rules: _rules,
  description,
  ...settings
} = contract.DataContractChange.properties;
const { id: _id, ...rule } = contract.ContractRuleInput.properties;
const properties = {
  name,
  description,
  dataSource: contract.Slug,
  schemaName: Type.Optional(schemaName),
  tableName,
  ...settings,
  recipients: Type.Optional(Slugs('Recipients that are told.')),
  rules: Type.Array(Type.Object(rule), { minItems: 1, maxItems: 200 }),
};
const Shape = Type.Object(properties);
type ContractDefinition = Static<typeof Shape>;
type RuleShape = ContractDefinition['rules'][number];

const shortRule = (input: RuleShape): RuleShape => {
  const { id: _none, ...whole } = ruleOf(input);
  return shortened<RuleShape>(whole, {
    columns: [],
    config: {},
    severity: 'Medium',
    weight: 1,
    unit: 'Rows',
    failAbove: 0,
    isEnabled: true,
  });
};

/** Converts a definition to the request body of the contract routes, with resolved ids. */
const bodyOf = (
  definition: ContractDefinition,
  ids: { readonly projectId: number; readonly dataSourceId: number },
  ruleIds: ReadonlyMap<string, number> = new Map(),
): contract.DataContractChange => {
  const { recipients: _recipients, dataSource: _dataSource, rules, schemaName = '', ...rest } = definition;
  return {
    ...rest,
    ...ids,
    // An omitted member gets its default, never the stored value.
    failsOn: rest.failsOn ?? 'AnyRule',
    cronExpression: rest.cronExpression ?? null,
    schemaName,
    rules: rules.map((each) => {
      const id = ruleIds.get(each.name.trim());
      return { ...each, ...(id !== undefined && { id }) };
    }),
  };
};

const warnScoreDefault = 95;
const nobody = { projectId: 1, dataSourceId: 1 };

/** Creates the kind of data contracts with their rules. A rule retains its results while its name does not change. */
export function contractKind(deps: {
  readonly database: Database;
  readonly contracts: DataContractsService;
  readonly explainSchedule: SubscriptionsService['explain'];
  /** Reads the schemas of a project's data sources that have no snapshot. The validation of rules needs them. */
  readonly readUnread: MetadataService['readUnread'];
}) {
  const { database, contracts, explainSchedule } = deps;

  const canonical = async (definition: ContractDefinition): Promise<ContractDefinition> => {
    const whole = await definitionOf(bodyOf(definition, nobody), explainSchedule);
    const { projectId: _p, dataSourceId: _d, ...saved } = whole.settings;
    const { name, description, schemaName, tableName, ...others } = saved;
    return shortened(
      {
        name,
        description,
        dataSource: definition.dataSource,
        schemaName,
        tableName,
        ...others,
        alert: others.alert && shortened(others.alert, contract.alertDefaults),
        recipients: sortedSlugs(definition.recipients),
        rules: definition.rules.map(shortRule),
      } as ContractDefinition,
      {
        schemaName: '',
        isEnabled: true,
        alertMode: 'EveryFailure',
        alertsOnWarning: false,
        failsOn: 'AnyRule',
        createTasks: false,
        keepsSamples: true,
        warnScore: warnScoreDefault,
        failScore: Math.min(80, saved.warnScore),
        ...(saved.alert && { alert: {} }),
      },
    );
  };

  const fileOf = (dataContract: contract.DataContract, slugOf: SlugOf): Promise<ContractDefinition> =>
    canonical({
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

  const inputOf = (
    { definition, projectId, idOf }: Input<ContractDefinition>,
    ruleIds?: ReadonlyMap<string, number>,
  ): contract.DataContractInput => {
    if (projectId === null) throw new Error('A data contract stands in a project.');
    return {
      ...bodyOf(definition, { projectId, dataSourceId: idOf('DataSource', definition.dataSource) }, ruleIds),
      recipientIds: (definition.recipients ?? []).map((slug) => idOf('Recipient', slug)),
    };
  };

  return defineKind<ContractDefinition>({
    name: 'Contract',
    schema: fileSchema('Contract', properties),
    isForKeys: true,
    ...noSecrets,
    canonical,
    references: ({ dataSource, recipients = [] }): Reference[] => [
      { kind: 'DataSource', slug: dataSource, pointer: '/dataSource' },
      ...recipients.map((slug, at): Reference => ({ kind: 'Recipient', slug, pointer: `/recipients/${at}` })),
    ],

    list: async (caller, projects, slugOf) => {
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
          definition: await fileOf(each, slugOf),
        })),
      );
    },

    endpoints: ({ before, after }) => [
      after === null
        ? contract.archiveDataContract
        : before === null
          ? contract.createDataContract
          : contract.replaceDataContract,
    ],
    mayWrite: (caller, { before, after }) => {
      if (!after) return;
      const isElsewhere = before !== null && before.dataSource !== after.dataSource;
      // Rules are matched by name, here and when they are written.
      const ids = new Map(before?.rules.map((each, at) => [each.name, at + 1]));
      const rulesOf = (definition: ContractDefinition) =>
        definition.rules.map((each) => ruleOf({ ...each, ...idIn(ids, each.name) }));
      assertMayUseSql(
        caller,
        { settings: { ...nobody, dataSourceId: isElsewhere ? 2 : 1 }, rules: rulesOf(after) },
        before === null
          ? undefined
          : { ...nobody, rules: rulesOf(before).map((each, at) => ({ ...each, id: at + 1 })) },
      );
    },
    needsApproval: () => false,

    create: async (by, input) => {
      const body = inputOf(input);
      await deps.readUnread(body.projectId);
      return database.transaction(async (tx) => {
        const { id } = await contracts.createIn(tx, by, body);
        await input.within(tx, id);
        return { isWaiting: false };
      });
    },

    update: async (by, { id, version }, input) => {
      const present = await contracts.get(by.caller, id);
      const ruleIds = new Map(present.rules.map((each) => [each.name, each.id]));
      await deps.readUnread(present.projectId);
      return database.transaction(async (tx) => {
        await contracts.reviseIn(
          tx,
          by,
          { id, version },
          inputOf(input, uniqueIn(input.definition, ruleIds)),
        );
        await input.within(tx, id);
        return { isWaiting: false };
      });
    },

    remove: (by, { id }) => contracts.archive(by, id),
  });
}

const idIn = (ids: ReadonlyMap<string, number>, name: string): { id?: number } => {
  const id = ids.get(name);
  return id === undefined ? {} : { id };
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
