import type { ColumnMetadata, TableMetadata } from '@svc/connectors';
import type { RuleConfig } from '@svc/contract';
import type { MemberError } from '../../platform/http/index.ts';
import { familyOf } from '../../platform/sql-types/index.ts';
import { boundOf } from './bound.ts';
import { countsRows, type RuleDefinition, ruleKinds } from './rule.ts';

/** Metadata for the validation of rules: their table, and a search for other tables. */
export type RuleContext = {
  readonly engine: string;
  /** Undefined: the table does not exist yet, so names and types cannot be checked. */
  readonly table: TableMetadata | undefined;
  readonly find: (schema: string, table: string) => TableMetadata | undefined;
};

/** Returns the faults of rules by the path of each member. Empty if all rules are valid. */
export function faultsOf(rules: readonly RuleDefinition[], context: RuleContext): MemberError[] {
  return rules.flatMap((rule, at) =>
    faultsOfRule(rule, context).map(({ path, message }) => ({ path: `/rules/${at}${path}`, message })),
  );
}

function faultsOfRule(rule: RuleDefinition, context: RuleContext): MemberError[] {
  if (context.engine === 'Rest')
    return [{ path: '/type', message: 'is not possible: rules are asked in SQL, and a REST API takes none' }];
  const shape = [...memberFaults(rule), ...thresholdFaults(rule), ...columnFaults(rule, context)];
  // The checks of a type require that all its members exist.
  return shape.length > 0 ? shape : typeFaults(rule, context);
}

const isGiven = (config: RuleConfig, name: keyof RuleConfig): boolean =>
  config[name] !== undefined && config[name] !== null;

function memberFaults({ type, config }: RuleDefinition): MemberError[] {
  const { required, optional } = ruleKinds[type];
  const memberNames = new Set<string>([...required, ...optional]);
  const missing = required.filter((name) => !isGiven(config, name));
  return [
    ...missing.map((name) => ({ path: `/config/${name}`, message: `must be there for ${type}` })),
    ...Object.keys(config)
      .filter((name) => !memberNames.has(name))
      .map((name) => ({
        path: `/config/${name}`,
        message: `has no meaning for ${type}. Known members: ${[...memberNames].join(', ') || 'none'}`,
      })),
  ];
}

function thresholdFaults(rule: RuleDefinition): MemberError[] {
  const { warnAbove, failAbove, unit, type } = rule;
  if (!countsRows(rule)) {
    const message = `has no meaning for ${type}: it counts no rows`;
    if (failAbove !== 0) return [{ path: '/failAbove', message }];
    if (warnAbove !== null) return [{ path: '/warnAbove', message }];
    return unit === 'Rows' ? [] : [{ path: '/unit', message }];
  }
  if (warnAbove !== null && warnAbove > failAbove)
    return [{ path: '/warnAbove', message: 'must not be above failAbove' }];
  if (unit === 'Percent' && failAbove > 100) return [{ path: '/failAbove', message: 'must be at most 100' }];
  return [];
}

const columnOf = (table: TableMetadata, name: string): ColumnMetadata | undefined =>
  table.columns.find((column) => column.name === name);

/** Reports names that the table does not have, and repeated names. */
function nameFaults(path: string, names: readonly string[], table: TableMetadata): MemberError[] {
  return names.flatMap((name, at) => {
    if (!columnOf(table, name)) return [{ path: `${path}/${at}`, message: 'is not in the metadata' }];
    return names.indexOf(name) === at ? [] : [{ path: `${path}/${at}`, message: 'is named twice' }];
  });
}

function columnFaults({ type, columns }: RuleDefinition, { table }: RuleContext): MemberError[] {
  const [min, max] = ruleKinds[type].columns;
  if (columns.length < min || columns.length > max) {
    const message =
      max === 0 ? `must be empty for ${type}` : `must be ${min === max ? min : `${min} to ${max}`}`;
    return [{ path: '/columns', message }];
  }
  return table ? nameFaults('/columns', columns, table) : [];
}

function typeFaults(rule: RuleDefinition, context: RuleContext): MemberError[] {
  const { config } = rule;
  const [column] = rule.columns;
  const stored =
    context.table && column !== undefined ? columnOf(context.table, column)?.databaseType : undefined;
  const type = stored ?? '';
  switch (rule.type) {
    case 'Freshness':
      return freshnessFaults(config, type, context.table ? context.engine : undefined);
    case 'Volume':
      return volumeFaults(config);
    case 'Range':
      return rangeFaults(config, type);
    case 'Pattern':
      return patternFaults(config.pattern ?? '', context.engine);
    case 'AcceptedValues':
      return valueFaults(config.values ?? [], type);
    case 'Referential':
      return referenceFaults(rule, context);
    case 'NullRate':
    case 'Uniqueness':
    case 'Schema':
    case 'CustomSql':
      return [];
  }
}

function freshnessFaults(
  { maxAgeMinutes = 0, warnAgeMinutes }: RuleConfig,
  type: string,
  engine: string | undefined,
) {
  if ((warnAgeMinutes ?? 0) > maxAgeMinutes)
    return [{ path: '/config/warnAgeMinutes', message: 'must not be above maxAgeMinutes' }];
  // SQLite has no time types: columns store times as texts or as seconds.
  const isTime = familyOf(type) === 'time' && !/^(time(?!stamp)|year)/i.test(type);
  return isTime || engine === 'SQLite' || engine === undefined
    ? []
    : [{ path: '/columns/0', message: 'must be a date or a time' }];
}

function volumeFaults({ minRows, maxRows }: RuleConfig): MemberError[] {
  if (minRows == null && maxRows == null)
    return [{ path: '/config/minRows', message: 'must be there unless maxRows is' }];
  if (minRows != null && maxRows != null && minRows > maxRows)
    return [{ path: '/config/minRows', message: 'must not be above maxRows' }];
  return [];
}

function rangeFaults({ min, max }: RuleConfig, type: string): MemberError[] {
  if (min == null && max == null) return [{ path: '/config/min', message: 'must be there unless max is' }];
  const ends = (
    [
      ['min', min],
      ['max', max],
    ] as const
  ).flatMap(([name, value]) => {
    const bound = value == null ? undefined : boundOf(value);
    const path = `/config/${name}`;
    if (value == null) return [];
    if (!bound) return [{ path, message: 'must be a number or a time' }];
    const family = familyOf(type);
    const wanted = bound.type === 'Number' ? 'number' : 'time';
    return family === undefined || family === 'text' || family === wanted
      ? []
      : [{ path, message: `must be a ${family === 'time' ? 'time' : 'number'}, as the column is` }];
  });
  if (ends.length > 0 || min == null || max == null) return ends;
  const [low, high] = [boundOf(min), boundOf(max)];
  if (!low || !high || (low.type === 'Number') !== (high.type === 'Number'))
    return [{ path: '/config/max', message: 'must be of the same kind as min' }];
  return low.order > high.order ? [{ path: '/config/min', message: 'must not be above max' }] : [];
}

function patternFaults(pattern: string, engine: string): MemberError[] {
  if (engine === 'SQLite' || engine === 'SqlServer') {
    const name = engine === 'SQLite' ? engine : 'SQL Server';
    return [{ path: '/type', message: `is not possible: ${name} has no regular expressions` }];
  }
  try {
    new RegExp(pattern);
    return [];
  } catch {
    return [{ path: '/config/pattern', message: 'is no regular expression' }];
  }
}

function valueFaults(values: readonly (string | number)[], type: string): MemberError[] {
  if (familyOf(type) !== 'number') return [];
  return values.flatMap((value, at) =>
    boundOf(value)?.type === 'Number'
      ? []
      : [{ path: `/config/values/${at}`, message: 'must be a number, as the column is' }],
  );
}

function referenceFaults({ columns, config }: RuleDefinition, { table, find }: RuleContext): MemberError[] {
  const other = find(config.schema ?? '', config.table ?? '');
  if (!other && table) return [{ path: '/config/table', message: 'is not in the metadata' }];
  const named = config.columns ?? [];
  if (named.length !== columns.length)
    return [{ path: '/config/columns', message: 'must be as many as the columns of the rule' }];
  return other ? nameFaults('/config/columns', named, other) : [];
}
