import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { ruleOf } from '../../../contract-rules/index.ts';
import { definitionOf } from '../../../data-contracts/index.ts';
import type { SubscriptionsService } from '../../../subscriptions/index.ts';
import { shortened, sortedSlugs } from '../canonical.ts';
import type { Reference } from '../kind.ts';
import { Slugs } from '../shapes.ts';

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
export const properties = {
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
export type ContractDefinition = Static<typeof Shape>;
export type ExplainSchedule = SubscriptionsService['explain'];
type RuleShape = ContractDefinition['rules'][number];

const shortRule = (input: RuleShape): RuleShape => {
  const { id: _none, ...parsedRule } = ruleOf(input);
  return shortened<RuleShape>(parsedRule, {
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
export const bodyOf = (
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
/** Ids for the validation of a definition whose references are not resolved. */
export const unresolvedIds = { projectId: 1, dataSourceId: 1 };

/** Removes defaults and orders the members. */
export const canonical = async (
  explain: ExplainSchedule,
  definition: ContractDefinition,
): Promise<ContractDefinition> => {
  const { settings } = await definitionOf(bodyOf(definition, unresolvedIds), explain);
  const { projectId: _p, dataSourceId: _d, ...saved } = settings;
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

export const references = ({ dataSource, recipients = [] }: ContractDefinition): Reference[] => [
  { kind: 'DataSource', slug: dataSource, pointer: '/dataSource' },
  ...recipients.map((slug, at): Reference => ({ kind: 'Recipient', slug, pointer: `/recipients/${at}` })),
];
