import type { ContractRule, RuleConfig } from '@svc/contract';
import { compact, type Json, type JsonObject } from '../json.ts';
import { membersOf, type Operator } from '../operators.ts';
import { checkIn, countOf } from '../sql-checks.ts';

/** Name of our custom properties, and of our engine of custom checks. */
export const ours = 'svc';

/** A check of the standard, with its column. Null: it belongs to the table. */
export type Check = { readonly column: string | null; readonly item: JsonObject };

const dimensions: Readonly<Partial<Record<ContractRule['type'], string>>> = {
  NullRate: 'completeness',
  AcceptedValues: 'conformity',
  Pattern: 'conformity',
  Uniqueness: 'uniqueness',
};

/**
 * Converts a rule to a check. A metric of the standard is used if there is one, so that other tools can evaluate it. Other
 * rules become custom checks of our engine. A custom property stores all further settings, so that an import restores
 * them.
 */
export function checkOf(rule: ContractRule, position: number): Check {
  const standard = standardOf(rule) ?? { column: null, members: customMembers(rule) };
  const { column, members, extra = {} } = standard;
  const own = compact({
    position,
    weight: rule.weight,
    isEnabled: rule.isEnabled,
    ...(rule.warnAbove !== null && { warnAbove: rule.warnAbove }),
    ...extra,
  });
  const dimension = dimensions[rule.type];
  const item = compact({
    name: rule.name,
    ...members,
    severity: rule.severity.toLowerCase(),
    dimension,
    customProperties: [{ property: ours, value: own }],
  });
  return { column, item };
}

type Standard = {
  readonly column: string | null;
  readonly members: JsonObject;
  /** Members that only our custom property can express. */
  readonly extra?: JsonObject;
};

const library = (metric: string, args?: JsonObject): JsonObject =>
  compact({ type: 'library', metric, arguments: args });

function standardOf(rule: ContractRule): Standard | undefined {
  const { type, columns, config } = rule;
  const [column = null] = columns;
  const bound = boundOf(rule);
  switch (type) {
    case 'Volume':
      return volumeOf(config);
    case 'NullRate': {
      if (columns.length !== 1) return undefined;
      const { missingValues } = config;
      const members = missingValues
        ? library('missingValues', { missingValues: [null, ...missingValues] })
        : library('nullValues');
      return { column, members: { ...members, ...bound } };
    }
    case 'AcceptedValues':
      return {
        column,
        members: { ...library('invalidValues', { validValues: config.values ?? [] }), ...bound },
      };
    case 'Pattern':
      return {
        column,
        members: { ...library('invalidValues', { pattern: config.pattern ?? '' }), ...bound },
      };
    case 'Uniqueness':
      return uniquenessOf(rule, bound);
    case 'CustomSql':
      return sqlOf(rule, bound);
    default:
      return undefined;
  }
}

/** Returns the comparison for the allowed number of failing rows. */
const boundOf = ({ unit, failAbove }: ContractRule): JsonObject => ({
  ...membersOf({ kind: failAbove === 0 ? '=' : '<=', value: failAbove }),
  unit: unit === 'Percent' ? 'percent' : 'rows',
});

function volumeOf({ minRows, maxRows }: RuleConfig): Standard | undefined {
  let operator: Operator | undefined;
  if (minRows != null && maxRows != null)
    operator =
      minRows === maxRows ? { kind: '=', value: minRows } : { kind: 'between', low: minRows, high: maxRows };
  else if (minRows != null) operator = { kind: '>=', value: minRows };
  else if (maxRows != null) operator = { kind: '<=', value: maxRows };
  return operator && { column: null, members: { ...library('rowCount'), ...membersOf(operator) } };
}

function uniquenessOf({ columns, config }: ContractRule, bound: JsonObject): Standard {
  const [column] = columns;
  const extra = compact({ countsNulls: config.countsNulls });
  return columns.length === 1 && column !== undefined
    ? { column, members: { ...library('duplicateValues'), ...bound }, extra }
    : { column: null, members: { ...library('duplicateValues', { properties: columns }), ...bound }, extra };
}

function sqlOf({ config, unit }: ContractRule, bound: JsonObject): Standard | undefined {
  const { sql = '', kind } = config;
  if (kind === 'FailingRows')
    // The query counts rows and cannot express a percentage.
    return unit === 'Rows'
      ? { column: null, members: { type: 'sql', query: countOf(sql), ...bound } }
      : undefined;
  const check = checkIn(sql);
  return (
    check && { column: null, members: { type: 'sql', query: check.query, ...membersOf(check.operator) } }
  );
}

const customMembers = ({ type, columns, config, unit, failAbove }: ContractRule): JsonObject => ({
  type: 'custom',
  engine: ours,
  // A configuration comes from JSON, so it is valid JSON.
  implementation: { type, columns, config: config as Json, unit, failAbove },
});
