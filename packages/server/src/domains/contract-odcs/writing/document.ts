import type { ContractRule, DataContract } from '@svc/contract';
import { ageOfMinutes } from '../ages.ts';
import { compact, isList, isObject, type Json, type JsonObject, without } from '../json.ts';
import type { Kept } from '../kept.ts';
import { checkOf, ours } from './checks.ts';

const apiVersion = 'v3.1.0';

/** Returns a data contract as a document of the Open Data Contract Standard 3.1.0, including retained parts of its import. */
export function documentOf(contract: DataContract, kept: Kept): JsonObject {
  const { document } = kept;
  const ages = contract.rules.filter(({ type }) => type === 'Freshness');
  const sla = [...kept.sla, ...ages.map((rule, at) => latencyOf(contract, rule, at))];
  return {
    apiVersion,
    kind: 'DataContract',
    id: `svc-contract-${contract.id}`,
    version: '1.0.0',
    status: 'active',
    ...without(document, ['customProperties']),
    name: contract.name,
    ...(contract.description !== null || isObject(document['description'])
      ? { description: purposeIn(document['description'], contract.description) }
      : {}),
    schema: [tableOf(contract, kept)],
    ...(sla.length > 0 && { slaProperties: sla }),
    customProperties: [
      ...listIn(document['customProperties']),
      { property: ours, value: settingsOf(contract, ages) },
    ],
  };
}

const listIn = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

const purposeIn = (kept: Json | undefined, purpose: string | null): JsonObject => ({
  ...(isObject(kept) ? kept : {}),
  ...(purpose !== null && { purpose }),
});

/** Returns the settings that the standard cannot express. */
function settingsOf(contract: DataContract, ages: readonly ContractRule[]): JsonObject {
  const { schemaName, isEnabled, failsOn, warnScore, failScore, alertMode, alertsOnWarning } = contract;
  const { alert, quietHours, createTasks, slaHours, keepsSamples, schedule } = contract;
  return compact({
    schemaName,
    isEnabled,
    failsOn,
    warnScore,
    failScore,
    alertMode,
    alertsOnWarning,
    alert: alert ?? undefined,
    quietHours: (quietHours as Json) ?? undefined,
    createTasks,
    slaHours: slaHours ?? undefined,
    keepsSamples,
    cronExpression: schedule?.cronExpression ?? null,
    timeZone: schedule?.timeZone,
    freshness:
      ages.length === 0
        ? undefined
        : Object.fromEntries(ages.map((rule, at) => [latencyId(at), ageSettings(contract, rule)])),
  });
}

const latencyId = (at: number): string => `${ours}-freshness-${at + 1}`;

/** Converts a freshness rule to a service level: the maximum age of the newest row. */
const latencyOf = (contract: DataContract, { columns, config }: ContractRule, at: number): JsonObject => ({
  id: latencyId(at),
  property: 'latency',
  ...ageOfMinutes(config.maxAgeMinutes ?? 1),
  element: `${contract.tableName}.${columns[0] ?? ''}`,
});

/** Returns the settings of a rule that a service level cannot express. */
const ageSettings = (contract: DataContract, rule: ContractRule): JsonObject =>
  compact({
    position: contract.rules.indexOf(rule),
    name: rule.name,
    column: rule.columns[0],
    severity: rule.severity,
    weight: rule.weight,
    isEnabled: rule.isEnabled,
    warnAgeMinutes: rule.config.warnAgeMinutes ?? undefined,
    futureToleranceMinutes: rule.config.futureToleranceMinutes ?? undefined,
    emptyPasses: rule.config.emptyPasses,
  });

type Property = { members: JsonObject; quality: JsonObject[] };

function tableOf(contract: DataContract, kept: Kept): JsonObject {
  const quality: JsonObject[] = [...kept.quality];
  const properties = new Map<string, Property>(
    kept.properties.map((one) => [one.name, { members: one.members, quality: [...one.quality] }]),
  );
  const propertyOf = (name: string): Property => {
    const existingProperty = properties.get(name);
    if (existingProperty) return existingProperty;
    const made = { members: { name }, quality: [] };
    properties.set(name, made);
    return made;
  };
  for (const [position, rule] of contract.rules.entries()) {
    if (rule.type === 'Freshness') continue;
    if (rule.type === 'Schema') describeColumns(rule, propertyOf);
    const { column, item } = checkOf(rule, position);
    (column === null ? quality : propertyOf(column).quality).push(withRest(item, kept.rules[rule.id] ?? {}));
  }
  const columns = [...properties.values()].map(({ members, quality: checks }) => ({
    ...members,
    ...(checks.length > 0 && { quality: checks }),
  }));
  return {
    name: contract.tableName,
    physicalType: 'table',
    ...kept.table,
    ...(columns.length > 0 && { properties: columns }),
    ...(quality.length > 0 && { quality }),
  };
}

/** Adds the retained members of an imported check. */
const withRest = (item: JsonObject, rest: JsonObject): JsonObject => ({
  ...item,
  ...rest,
  customProperties: [...listIn(rest['customProperties']), ...listIn(item['customProperties'])],
});

/** Describes the expected columns of a Schema rule for readers of the document. The rule itself is a custom check. */
function describeColumns({ config }: ContractRule, propertyOf: (name: string) => Property): void {
  for (const { name, databaseType, isNullable } of config.expected ?? []) {
    const property = propertyOf(name);
    property.members = {
      ...(databaseType != null && { physicalType: databaseType }),
      ...(isNullable === false && { required: true }),
      ...property.members,
    };
  }
}
