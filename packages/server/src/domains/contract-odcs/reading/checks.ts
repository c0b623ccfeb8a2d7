import type { ContractRuleInput, RuleSeverity } from '@svc/contract';
import { isList, isObject, type Json, type JsonObject, textOf, without } from '../json.ts';
import { failAboveOf, type Operator, operatorNames, operatorOf, rangeOf } from '../operators.ts';
import { hasPlaceholder, ruleOfCheck } from '../sql-checks.ts';
import { ours } from '../writing/checks.ts';

/** Result for a check: a rule, the reason to retain it unchanged, or the reason to refuse it. */
export type ReadCheck =
  | {
      readonly rule: ContractRuleInput;
      /** Position among the rules of an exported document. */
      readonly position: number | undefined;
      /** Additional members of the check. */
      readonly rest: JsonObject;
    }
  | { readonly kept: string }
  | { readonly refused: string };

const severities: Readonly<Record<string, RuleSeverity>> = {
  critical: 'Critical',
  high: 'High',
  error: 'High',
  medium: 'Medium',
  warning: 'Medium',
  warn: 'Medium',
  low: 'Low',
  info: 'Low',
};

/** Names of metrics in version 3.1, and of `rule` in version 3.0. */
const metrics: Readonly<Record<string, 'nulls' | 'missing' | 'invalid' | 'duplicates' | 'rows'>> = {
  nullValues: 'nulls',
  nullCheck: 'nulls',
  nullCount: 'nulls',
  missingValues: 'missing',
  invalidValues: 'invalid',
  duplicateValues: 'duplicates',
  duplicateCount: 'duplicates',
  rowCount: 'rows',
  countCheck: 'rows',
};

const read = [
  'name',
  'type',
  'metric',
  'rule',
  'arguments',
  'query',
  'engine',
  'implementation',
  'unit',
  'severity',
  ...operatorNames,
];

/** Returns the value of our custom property. */
export function ownProperty(properties: Json | undefined): JsonObject {
  const property = isList(properties)
    ? properties.find((one) => isObject(one) && one['property'] === ours)
    : undefined;
  return isObject(property) && isObject(property['value']) ? property['value'] : {};
}

/** Returns custom properties of other tools. */
export const otherProperties = (properties: Json | undefined): readonly Json[] =>
  isList(properties) ? properties.filter((one) => !isObject(one) || one['property'] !== ours) : [];

/** Reads a check of a table, or of one of its columns. */
export function readCheck(item: Json, column: string | null): ReadCheck {
  if (!isObject(item)) return { refused: 'is no check' };
  const kind = item['type'] ?? 'library';
  const body = bodyOf(item, String(kind), column);
  if (!('rule' in body)) return body;
  const own = ownProperty(item['customProperties']);
  const others = otherProperties(item['customProperties']);
  const severity = severities[String(item['severity'] ?? '').toLowerCase()];
  const named = textOf(item['name']) ?? textOf(item['description'])?.slice(0, 200);
  const { countsNulls } = own;
  const rule = {
    ...body.rule,
    name: named ?? [column, body.rule.type].filter(Boolean).join(': '),
    ...(severity && { severity }),
    ...pick(own, ['weight', 'isEnabled', 'warnAbove']),
    ...(typeof countsNulls === 'boolean' && { config: { ...body.rule.config, countsNulls } }),
  };
  const { position } = own;
  const rest = without(item, [...read, 'customProperties']);
  return {
    rule: rule as ContractRuleInput,
    position: typeof position === 'number' ? position : undefined,
    rest: { ...rest, ...(others.length > 0 && { customProperties: others }) },
  };
}

export const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

type Body = { readonly rule: Omit<ContractRuleInput, 'name'> } | Exclude<ReadCheck, { rule: unknown }>;

function bodyOf(item: JsonObject, kind: string, column: string | null): Body {
  switch (kind) {
    case 'library':
      return libraryBody(item, column);
    case 'sql':
      return sqlBody(item);
    case 'custom':
      return customBody(item);
    case 'text':
      return { kept: 'is a sentence for people' };
    default:
      return { refused: `is of a type that is not known` };
  }
}

function libraryBody(item: JsonObject, column: string | null): Body {
  const name = textOf(item['metric']) ?? textOf(item['rule']) ?? '';
  const metric = metrics[name];
  if (metric === undefined) return { kept: `has a metric that is not judged here: ${name.slice(0, 50)}` };
  const operator = operatorOf(item);
  if (!operator) return { kept: 'does not say in one number what must hold' };
  if (metric === 'rows') return volumeBody(item, operator);
  const unit = unitOf(item['unit']);
  const failAbove = unit && failAboveOf(operator, unit);
  if (unit === undefined || failAbove === undefined)
    return { kept: 'does not bound the failing rows from above' };
  const args = isObject(item['arguments']) ? item['arguments'] : {};
  const bound = { unit, failAbove };
  if (metric === 'duplicates') {
    const listed = args['properties'];
    const columns = isList(listed) ? listed.map(String) : column === null ? [] : [column];
    return { rule: { type: 'Uniqueness', columns, config: {}, ...bound } };
  }
  if (column === null) return { refused: 'names no column' };
  return valuesBody(metric, args, { columns: [column], ...bound });
}

const unitOf = (unit: Json | undefined): 'Rows' | 'Percent' | undefined => {
  if (unit === undefined || unit === null || unit === 'rows') return 'Rows';
  return unit === 'percent' || unit === '%' ? 'Percent' : undefined;
};

function volumeBody(item: JsonObject, operator: Operator): Body {
  const range = unitOf(item['unit']) === 'Rows' ? rangeOf(operator) : undefined;
  return range
    ? { rule: { type: 'Volume', columns: [], config: range } }
    : { kept: 'does not say how many rows there may be' };
}

function valuesBody(
  metric: 'nulls' | 'missing' | 'invalid',
  args: JsonObject,
  common: { columns: string[]; unit: 'Rows' | 'Percent'; failAbove: number },
): Body {
  if (metric === 'nulls') return { rule: { type: 'NullRate', config: {}, ...common } };
  if (metric === 'missing') {
    const { missingValues } = args;
    if (!isList(missingValues)) return { refused: 'names no missing values' };
    const texts = missingValues.filter((value) => value !== null).map(String);
    return { rule: { type: 'NullRate', config: { missingValues: texts }, ...common } };
  }
  const { validValues, pattern } = args;
  if (typeof pattern === 'string' && validValues === undefined)
    return { rule: { type: 'Pattern', config: { pattern }, ...common } };
  if (!isList(validValues) || pattern !== undefined)
    return { kept: 'is no list of values and no pattern alone' };
  const values = validValues.filter((value) => typeof value === 'string' || typeof value === 'number');
  // The rule ignores NULLs, so NULL is dropped from the list.
  if (values.length !== validValues.filter((value) => value !== null).length)
    return { kept: 'has values that are no text and no number' };
  return { rule: { type: 'AcceptedValues', config: { values }, ...common } };
}

function sqlBody(item: JsonObject): Body {
  const query = textOf(item['query']);
  if (query === undefined) return { refused: 'has no query' };
  if (hasPlaceholder(query)) return { kept: 'has a query with placeholders of other tools' };
  const operator = operatorOf(item);
  if (!operator || unitOf(item['unit']) !== 'Rows')
    return { kept: 'does not say in one number what must hold' };
  const { config, failAbove } = ruleOfCheck(query, operator);
  return { rule: { type: 'CustomSql', columns: [], config, ...(failAbove !== undefined && { failAbove }) } };
}

function customBody(item: JsonObject): Body {
  if (item['engine'] !== ours) return { kept: 'is judged by another engine' };
  const { implementation } = item;
  if (!isObject(implementation)) return { refused: 'has no implementation that is read here' };
  // Validated later, like every rule that a user enters.
  const rule = pick(implementation, ['type', 'columns', 'config', 'unit', 'failAbove']) as unknown;
  return { rule: rule as Omit<ContractRuleInput, 'name'> };
}
