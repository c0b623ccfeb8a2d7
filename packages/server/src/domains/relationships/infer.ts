import type { TableMetadata } from '@svc/connectors';
import type { RelationshipRule } from '@svc/contract';
import { mayMatch } from '../../platform/sql-types/index.ts';
import { cardinalityOf, declaredIn, labelOf, type Schema } from './schema.ts';
import { nameOfTable, type Proposal } from './types.ts';

/** How much each rule is worth; the first that finds a table decides. */
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

/** One spelling of `OrderLines`, `order_lines` and `ORDER_LINES`. */
const singularSpelling = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The names that a table of such things may have. */
function formsOf(entity: string): ReadonlySet<string> {
  const one = singularSpelling(entity);
  return new Set([one, `${one}s`, `${one}es`, ...(one.endsWith('y') ? [`${one.slice(0, -1)}ies`] : [])]);
}

const evidenceOf = (rule: RelationshipRule, column: string, target: string, key: string): string => {
  switch (rule) {
    case 'NamedAfterTable':
      return `${column} is named after the table ${target}, whose key is ${key}.`;
    case 'NamedAfterTableAndKey':
      return `${column} is named after the table ${target} and its key ${key}.`;
    case 'SameNameAsKey':
      return `${column} has the name of the key of ${target}.`;
  }
};

/** Tables with a key of one column: what a reference can lead to. */
const targetsOf = ({ tables }: Schema): { table: TableMetadata; key: string; keyType: string }[] =>
  tables.flatMap((table) => {
    const [key, ...more] = table.primaryKey;
    const column = table.columns.find(({ name }) => name === key);
    return key !== undefined && more.length === 0 && column
      ? [{ table, key, keyType: column.databaseType }]
      : [];
  });

/**
 * Proposes what names suggest, for columns that are in no declared key: the best rule that finds a table of a type that
 * fits, in the same schema first. Where two tables are as likely nothing is proposed.
 */
export function proposalsFor(schema: Schema): Proposal[] {
  const declared = new Set(
    declaredIn(schema).flatMap(({ source }) =>
      source.columns.map((column) => JSON.stringify([source.schema, source.table, column])),
    ),
  );
  const targets = targetsOf(schema);
  return schema.tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      if (declared.has(JSON.stringify([table.schema, table.name, column.name]))) return [];
      const found = bestFor(table, column, targets);
      return found ? [found] : [];
    }),
  );
}

function bestFor(
  table: TableMetadata,
  column: TableMetadata['columns'][number],
  targets: ReturnType<typeof targetsOf>,
): Proposal | undefined {
  for (const { rule, confidence, matches } of rules) {
    const all = targets.filter(
      (target) =>
        target.table !== table &&
        matches(column.name, target.table, target.key) &&
        mayMatch(column.databaseType, target.keyType),
    );
    if (all.length === 0) continue;
    const near = all.filter((target) => target.table.schema === table.schema);
    const [one, ...others] = near.length > 0 ? near : all;
    if (!one || others.length > 0) return undefined;
    const source = { schema: table.schema, table: table.name, columns: [column.name] };
    const target = { schema: one.table.schema, table: one.table.name, columns: [one.key] };
    return {
      ...{ source, target, label: labelOf(source), confidence, rule },
      cardinality: cardinalityOf(table, source.columns),
      evidence: evidenceOf(rule, column.name, nameOfTable(target), one.key),
    };
  }
  return undefined;
}
