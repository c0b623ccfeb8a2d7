import { ageOfRow } from './age.ts';
import { type Bind, type RuleStatement, writeStatement } from './binder.ts';
import { alias, columnOf, failingCondition, orphans, type Target, tableOf } from './conditions.ts';
import type { RuleDefinition } from './rule.ts';

/** Maximum number of stored failing rows or keys. */
export const sampleRowsMax = 20;
/** Maximum number of stored columns per row. Columns of the key and of the rule come first. */
const sampleColumnsMax = 30;

const from = (target: Target): string =>
  `from ${tableOf(target.dialect, { schema: target.table.schema, table: target.table.name })} ${alias}`;

/**
 * Builds one scan of the table for aggregate rules. It selects the number of rows, and for each rule, in its order, the
 * number of failing rows (`r0`, `r1`, …). A Freshness rule has two columns: the age of its newest row in seconds, and the
 * number of unjudged rows (`u0`, `u1`, …). All columns are numbers, which no masking rule hides.
 */
export const scanStatement = (rules: readonly RuleDefinition[], target: Target): RuleStatement =>
  writeStatement((bind) => {
    const parts = rules.map((rule, at) => scanned(rule, target, bind).map(numberedWith(at)));
    return `select ${['count(*) as total', ...parts.flat()].join(', ')} ${from(target)}`;
  });

const numberedWith =
  (at: number) =>
  (expression: string, index: number): string =>
    `${expression} as ${index === 0 ? 'r' : 'u'}${at}`;

/** Returns the expressions of one rule in a scan. */
function scanned(rule: RuleDefinition, target: Target, bind: Bind): string[] {
  const { type } = rule;
  switch (type) {
    case 'NullRate':
    case 'Range':
    case 'Pattern':
    case 'AcceptedValues':
      return [`count(case when ${failingCondition(type, rule, target, bind)} then 1 end)`];
    case 'Freshness': {
      const { seconds, isJudged, isUnjudged } = ageOfRow(rule, target);
      return [`min(case when ${isJudged} then ${seconds} end)`, `count(case when ${isUnjudged} then 1 end)`];
    }
    case 'Volume':
      // Judged by the total number of rows, which every scan selects.
      return ['0'];
    case 'Referential':
    case 'Uniqueness':
    case 'Schema':
    case 'CustomSql':
      throw new TypeError(`A rule of type ${type} is not part of a scan.`);
  }
}

/** Numbers of one rule. `unjudged` is undefined except for Freshness rules. */
export type ScannedRule = {
  readonly count: number | null | undefined;
  readonly unjudged: number | null | undefined;
};

/** Assigns the numbers of a scan, after the number of rows, to its rules. */
export function scannedRules(
  rules: readonly RuleDefinition[],
  numbers: readonly (number | null)[],
): ScannedRule[] {
  let at = 0;
  return rules.map(({ type }) => ({
    count: numbers[at++],
    unjudged: type === 'Freshness' ? numbers[at++] : undefined,
  }));
}

/** Counts rows with repeated keys, in a form that the masking recognises as a count. */
const repeatedStatement = (rule: RuleDefinition, target: Target): RuleStatement =>
  writeStatement(
    () => `select 0 as total, count(*) as r0 from (
      select count(*) over (partition by ${keyOf(rule, target)}) as n ${from(target)}${wherePresent(rule, target)}) d
      where n > 1`,
  );

const keyOf = (rule: RuleDefinition, target: Target): string =>
  rule.columns.map((column) => columnOf(target, column)).join(', ');

function wherePresent({ columns, config }: RuleDefinition, target: Target): string {
  if (config.countsNulls) return '';
  return ` where ${columns.map((column) => `${columnOf(target, column)} is not null`).join(' and ')}`;
}

/** Returns the counting statement of a single rule, with the columns of a scan. `total` is valid for aggregate rules only. */
export function countStatement(rule: RuleDefinition, target: Target): RuleStatement {
  if (rule.type === 'Uniqueness') return repeatedStatement(rule, target);
  if (rule.type === 'Referential')
    return writeStatement(() => `select 0 as total, count(*) as r0 ${from(target)} ${orphans(rule, target)}`);
  return scanStatement([rule], target);
}

/**
 * Returns statements for at most 20 failing rows, the cheapest first: the newest rows of a Freshness rule, the keys of a
 * Uniqueness rule. Null: rules of this type have no failing rows.
 */
export function sampleStatements(rule: RuleDefinition, target: Target): readonly RuleStatement[] | null {
  const { type } = rule;
  switch (type) {
    case 'NullRate':
    case 'Range':
    case 'Pattern':
    case 'AcceptedValues':
      return [rowsStatement(rule, target, (bind) => `where ${failingCondition(type, rule, target, bind)}`)];
    case 'Uniqueness':
      return keysStatements(rule, target);
    case 'Referential':
      return [rowsStatement(rule, target, () => orphans(rule, target))];
    case 'Freshness':
      return [rowsStatement(rule, target, () => newestFirst(rule, target))];
    case 'Volume':
    case 'Schema':
    case 'CustomSql':
      return null;
  }
}

/**
 * Returns statements for repeated keys. The second one returns the most frequent keys, if the engine can sort them in
 * time.
 */
function keysStatements(rule: RuleDefinition, target: Target): readonly RuleStatement[] {
  const key = keyOf(rule, target);
  const groups = `${from(target)}${wherePresent(rule, target)} group by ${key} having count(*) > 1`;
  return [groups, `${groups} order by count(*) desc`].map((rest) =>
    writeStatement(() => limited(target, `${key}, count(*) as row_count`, rest)),
  );
}

/** Limits a statement to the rows of a sample. */
function limited({ dialect }: Target, list: string, rest: string): string {
  const isTop = dialect.name === 'sqlserver';
  return isTop
    ? `select top (${sampleRowsMax}) ${list} ${rest}`
    : `select ${list} ${rest} limit ${sampleRowsMax}`;
}

function rowsStatement(rule: RuleDefinition, target: Target, restOf: (bind: Bind) => string): RuleStatement {
  const list = sampleColumns(rule, target)
    .map((column) => columnOf(target, column))
    .join(', ');
  return writeStatement((bind) => limited(target, list, `${from(target)} ${restOf(bind)}`));
}

/** Sorts the newest rows first; rows whose time cannot be judged follow. */
function newestFirst(rule: RuleDefinition, target: Target): string {
  const { seconds, isJudged } = ageOfRow(rule, target);
  const column = columnOf(target, rule.columns[0] ?? '');
  return `where ${column} is not null order by case when ${isJudged} then 0 else 1 end, ${seconds}`;
}

function sampleColumns({ columns }: RuleDefinition, { table }: Target): string[] {
  const all = table.columns.map(({ name }) => name);
  return [...new Set([...table.primaryKey, ...columns, ...all])].slice(0, sampleColumnsMax);
}
