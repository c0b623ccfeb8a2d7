import { ageOfRow } from './age.ts';
import { type RuleStatement, writeStatement } from './binder.ts';
import { alias, columnOf, failingCondition, orphans, type Target, tableOf } from './conditions.ts';
import type { RuleDefinition } from './rule.ts';

/** Failing rows, or keys, that are kept. */
export const sampleRowsMax = 20;
/** Columns of a row that is kept: those of the key and of the rule first. */
const sampleColumnsMax = 30;

const from = (target: Target): string =>
  `from ${tableOf(target.dialect, { schema: target.table.schema, table: target.table.name })} ${alias}`;

/**
 * One scan of the table for aggregate rules. It selects the number of rows, and for each rule, in its order, the rows
 * that fail (`r0`, `r1`, …). A Freshness rule has two columns: the age of its newest row in seconds, and the number of
 * rows whose time cannot be judged (`u0`, `u1`, …). All columns are numbers, which no masking rule hides.
 */
export const scanStatement = (rules: readonly RuleDefinition[], target: Target): RuleStatement =>
  writeStatement((bind) => {
    const parts = rules.map((rule, at) => {
      if (rule.type === 'Freshness') {
        const { seconds, isJudged, isUnjudged } = ageOfRow(rule, target);
        return `min(case when ${isJudged} then ${seconds} end) as r${at}, count(case when ${isUnjudged} then 1 end) as u${at}`;
      }
      const condition = failingCondition(rule, target, bind);
      return condition === undefined ? `0 as r${at}` : `count(case when ${condition} then 1 end) as r${at}`;
    });
    return `select ${['count(*) as total', ...parts].join(', ')} ${from(target)}`;
  });

/** The numbers of one rule; `unjudged` is undefined for all but Freshness rules. */
export type ScannedRule = {
  readonly count: number | null | undefined;
  readonly unjudged: number | null | undefined;
};

/** Assigns the numbers that a scan selected behind the number of rows to its rules. */
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

/** Counts rows of keys that stand more than once, in a form that the masking knows to be a count. */
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

/** What a rule counts by itself, in the same columns as the walk for several; `total` counts for aggregate rules alone. */
export function countStatement(rule: RuleDefinition, target: Target): RuleStatement {
  if (rule.type === 'Uniqueness') return repeatedStatement(rule, target);
  if (rule.type === 'Referential')
    return writeStatement(() => `select 0 as total, count(*) as r0 ${from(target)} ${orphans(rule, target)}`);
  return scanStatement([rule], target);
}

/** Rows that broke a rule: 20 of them; the newest of a Freshness rule, the keys of a Uniqueness rule. */
export function sampleStatement(rule: RuleDefinition, target: Target): RuleStatement {
  const isTop = target.dialect.name === 'sqlserver';
  const top = isTop ? `top (${sampleRowsMax}) ` : '';
  const limit = isTop ? '' : `limit ${sampleRowsMax}`;
  if (rule.type === 'Uniqueness') {
    const key = keyOf(rule, target);
    return writeStatement(
      () => `select ${top}${key}, count(*) as row_count ${from(target)}${wherePresent(rule, target)}
        group by ${key} having count(*) > 1 order by count(*) desc ${limit}`,
    );
  }
  const list = sampleColumns(rule, target)
    .map((column) => columnOf(target, column))
    .join(', ');
  if (rule.type === 'Freshness') {
    const column = columnOf(target, rule.columns[0] ?? '');
    const { seconds, isJudged } = ageOfRow(rule, target);
    // Rows whose time cannot be judged follow the newest of the others.
    const order = `case when ${isJudged} then 0 else 1 end, ${seconds}`;
    return writeStatement(
      () => `select ${top}${list} ${from(target)} where ${column} is not null order by ${order} ${limit}`,
    );
  }
  if (rule.type === 'Referential')
    return writeStatement(() => `select ${top}${list} ${from(target)} ${orphans(rule, target)} ${limit}`);
  return writeStatement(
    (bind) => `select ${top}${list} ${from(target)} where ${failingCondition(rule, target, bind)} ${limit}`,
  );
}

function sampleColumns({ columns }: RuleDefinition, { table }: Target): string[] {
  const all = table.columns.map(({ name }) => name);
  return [...new Set([...table.primaryKey, ...columns, ...all])].slice(0, sampleColumnsMax);
}
