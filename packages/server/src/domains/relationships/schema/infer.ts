import type { TableMetadata } from '@svc/connectors';
import type { RelationshipRule } from '@svc/contract';
import { mayMatch } from '../../../platform/sql-types/index.ts';
import { keyOfEnds, nameOfTable, type Proposal } from '../types.ts';
import { cardinalityOf, declaredIn, labelOf, type Schema } from './schema.ts';

/** Rules with their confidence. The first rule that matches a table decides. */
const rules: readonly {
  readonly rule: RelationshipRule;
  readonly confidence: number;
  readonly matches: (column: string, table: TableMetadata, key: string) => boolean;
}[] = [
  {
    rule: 'NamedAfterTable',
    confidence: 0.9,
    matches: (column, { name }) => {
      const entity = /^(.+)_id$/.exec(column)?.[1] ?? /^(.*[a-z0-9])Id$/.exec(column)?.[1];
      return entity !== undefined && formsOf(entity).has(singularSpelling(name));
    },
  },
  {
    rule: 'NamedAfterTableAndKey',
    confidence: 0.75,
    matches: (column, { name }, key) => singularSpelling(column) === singularSpelling(`${name}_${key}`),
  },
  {
    rule: 'SameNameAsKey',
    confidence: 0.6,
    matches: (column, _table, key) =>
      key.length > 2 && key.toLowerCase() !== 'id' && column.toLowerCase() === key.toLowerCase(),
  },
];

/** Returns one spelling for `OrderLines`, `order_lines` and `ORDER_LINES`. */
const singularSpelling = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Returns the possible names of a table of such entities. */
function formsOf(entity: string): ReadonlySet<string> {
  const one = singularSpelling(entity);
  return new Set([one, `${one}s`, `${one}es`, ...(one.endsWith('y') ? [`${one.slice(0, -1)}ies`] : [])]);
}

/** Reason why a column is the key of its table. */
type KeySource = 'Declared' | 'Unique' | 'Named';
/** Factor of the confidence, by the kind of the target's key. */
const keyWorth: Readonly<Record<KeySource, number>> = { Declared: 1, Unique: 0.9, Named: 0.8 };
const keyRemark: Readonly<Record<KeySource, string>> = {
  Declared: '',
  Unique: ' No key is declared there; the column is unique.',
  Named: ' No key is declared there; the name alone says so.',
};

const evidenceOf = (rule: RelationshipRule, column: string, target: string, key: Key): string => {
  const remark = keyRemark[key.from];
  switch (rule) {
    case 'NamedAfterTable':
      return `${column} is named after the table ${target}, whose key is ${key.name}.${remark}`;
    case 'NamedAfterTableAndKey':
      return `${column} is named after the table ${target} and its key ${key.name}.${remark}`;
    case 'SameNameAsKey':
      return `${column} has the name of the key of ${target}.${remark}`;
  }
};

type Key = { readonly name: string; readonly type: string; readonly from: KeySource };
type Target = { readonly table: TableMetadata; readonly key: Key };

/**
 * Returns true if a column of a table without a key is its key by name: `id`, `customer_id` or `customerCode` of
 * `customers`.
 */
function isNamedAsKey(table: string, column: string): boolean {
  const spelled = singularSpelling(column);
  const entity = /^(.+)(?:id|key|code)$/.exec(spelled)?.[1];
  return spelled === 'id' || (entity !== undefined && formsOf(entity).has(singularSpelling(table)));
}

/** Returns the column that identifies the rows of a table. Undefined for a key of several columns or no known key. */
function keyOf(table: TableMetadata): Key | undefined {
  const keyFrom = (from: KeySource, of: string | undefined): Key | undefined => {
    const column = table.columns.find(({ name }) => name === of);
    return column && { name: column.name, type: column.databaseType, from };
  };
  if (table.primaryKey.length > 0)
    return table.primaryKey.length === 1 ? keyFrom('Declared', table.primaryKey[0]) : undefined;
  // A view has the columns of its tables, so its names are no evidence.
  if (table.type === 'View') return undefined;
  const unique = table.indexes.filter((index) => index.isUnique && index.columns.length === 1);
  if (unique.length > 0) return unique.length === 1 ? keyFrom('Unique', unique[0]?.columns[0]) : undefined;
  const [named, ...others] = table.columns.filter(({ name }) => isNamedAsKey(table.name, name));
  return others.length === 0 ? keyFrom('Named', named?.name) : undefined;
}

/** Returns the tables with a key of one column: the possible targets of a reference. */
const targetsOf = ({ tables }: Schema): Target[] =>
  tables.flatMap((table) => {
    const key = keyOf(table);
    return key ? [{ table, key }] : [];
  });

/** Returns the preferred targets: in the same schema if there are any, and among them with the most reliable key. */
function nearest(all: readonly Target[], schema: string): readonly Target[] {
  const near = all.filter(({ table }) => table.schema === schema);
  const some = near.length > 0 ? near : all;
  const best = Math.max(...some.map(({ key }) => keyWorth[key.from]));
  return some.filter(({ key }) => keyWorth[key.from] === best);
}

/**
 * Proposes relationships by name, for columns outside declared keys. The best rule that matches a table with a
 * compatible type decides. Tables of the same schema come first. If two tables are equally likely, it proposes none.
 */
export function proposalsFor(schema: Schema): Proposal[] {
  const declared = new Set(
    declaredIn(schema).flatMap(({ source }) =>
      source.columns.map((column) => JSON.stringify([source.schema, source.table, column])),
    ),
  );
  const targets = targetsOf(schema);
  const proposals = schema.tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      if (declared.has(JSON.stringify([table.schema, table.name, column.name]))) return [];
      return bestFor(table, column, targets) ?? [];
    }),
  );
  return oneWay(proposals);
}

/** Removes one of two proposals that lead to each other: the less certain one, otherwise the later one. */
function oneWay(proposals: readonly Proposal[]): Proposal[] {
  const sureness = new Map(proposals.map((one) => [keyOfEnds(one), one.confidence]));
  return proposals.filter((one, at) => {
    const back = { source: one.target, target: one.source };
    const other = sureness.get(keyOfEnds(back));
    if (other === undefined || other < one.confidence) return true;
    return other === one.confidence && proposals.findIndex((two) => keyOfEnds(two) === keyOfEnds(back)) > at;
  });
}

function bestFor(
  table: TableMetadata,
  column: TableMetadata['columns'][number],
  targets: readonly Target[],
): Proposal | undefined {
  for (const { rule, confidence, matches } of rules) {
    const all = targets.filter(
      (target) =>
        target.table !== table &&
        matches(column.name, target.table, target.key.name) &&
        mayMatch(column.databaseType, target.key.type),
    );
    if (all.length === 0) continue;
    const [one, ...others] = nearest(all, table.schema);
    if (!one || others.length > 0) return undefined;
    const source = { schema: table.schema, table: table.name, columns: [column.name] };
    const target = { schema: one.table.schema, table: one.table.name, columns: [one.key.name] };
    return {
      source,
      target,
      label: labelOf(source),
      rule,
      // Two digits: more would claim false precision.
      confidence: Math.round(confidence * keyWorth[one.key.from] * 100) / 100,
      cardinality: cardinalityOf(table, source.columns),
      evidence: evidenceOf(rule, column.name, nameOfTable(target), one.key),
    };
  }
  return undefined;
}
