import type { LineageBody, LineageCte, LineageItem, LineageQuery } from '../../lineage/query.ts';
import { fieldsOf, namesOf, nodeOf, nodesOf, type PgFields, type PgNode, textOf } from '../parser/tree.ts';
import { type Conversion, expressionOf } from './expressions.ts';
import { postgresqlFacts } from './functions.ts';
import { relationOf } from './relations.ts';

/** Facts about an engine whose statements PostgreSQL's parser reads. */
export type EngineFacts = Omit<Conversion, 'queryOf'> & {
  /** Each CTE may read itself and later ones, without the word RECURSIVE. */
  readonly areCtesRecursive: boolean;
};

const postgresql: EngineFacts = { facts: postgresqlFacts, areMergedFirst: true, areCtesRecursive: false };

/** Converts a SELECT, VALUES or TABLE of PostgreSQL's raw syntax tree. */
export function lineageQueryOf(select: PgFields, engine: EngineFacts = postgresql): LineageQuery {
  const conversion: Conversion = { ...engine, queryOf: (inner) => lineageQueryOf(inner, engine) };
  const withClause = fieldsOf(select['withClause']);
  const isRecursive = engine.areCtesRecursive || withClause?.['recursive'] === true;
  return {
    ctes: nodesOf(withClause?.['ctes']).map((cte) => cteOf(cte, isRecursive, conversion)),
    body: bodyOf(select, conversion),
  };
}

function cteOf({ fields }: PgNode, isRecursive: boolean, conversion: Conversion): LineageCte {
  const select = nodeOf(fields['ctequery']);
  const search = fieldsOf(fields['search_clause']);
  const cycle = fieldsOf(fields['cycle_clause']);
  return {
    name: textOf(fields['ctename']),
    columnNames: namesOf(fields['aliascolnames']),
    query: conversion.queryOf(select?.fields ?? {}),
    isRecursive,
    extraColumns: [
      ...(search ? [{ name: textOf(search['search_seq_column']), holdsRows: true }] : []),
      ...(cycle
        ? [
            { name: textOf(cycle['cycle_mark_column']), holdsRows: false },
            { name: textOf(cycle['cycle_path_column']), holdsRows: true },
          ]
        : []),
    ],
  };
}

function bodyOf(select: PgFields, conversion: Conversion): LineageBody {
  const operation = textOf(select['op']);
  const left = fieldsOf(select['larg']);
  const right = fieldsOf(select['rarg']);
  if (left && right)
    return {
      kind: 'set',
      left: conversion.queryOf(left),
      right: conversion.queryOf(right),
      values: operation === 'SETOP_EXCEPT' ? 'left' : 'both',
    };
  const rows = nodesOf(select['valuesLists']);
  if (rows.length > 0)
    return {
      kind: 'values',
      rows: rows.map(({ fields }) =>
        nodesOf(fields['items']).map((value) => expressionOf(value, conversion)),
      ),
      columnName: (index) => `column${index + 1}`,
    };
  return {
    kind: 'select',
    items: nodesOf(select['targetList']).map((item) => itemOf(item, conversion)),
    from: nodesOf(select['fromClause']).map((item) => relationOf(item, conversion)),
  };
}

function itemOf({ fields }: PgNode, conversion: Conversion): LineageItem {
  const value = nodeOf(fields['val']);
  const parts = nodesOf(value?.fields['fields']);
  if (value?.kind === 'ColumnRef' && parts.at(-1)?.kind === 'A_Star')
    return { kind: 'star', qualifier: namesOf(value.fields['fields']) };
  // `(row).*` expands to the columns of the row.
  if (value?.kind === 'A_Indirection' && nodesOf(value.fields['indirection']).at(-1)?.kind === 'A_Star')
    return { kind: 'star', qualifier: ['an expression'] };
  return {
    kind: 'column',
    name: textOf(fields['name']) || ownName(value),
    value: expressionOf(value, conversion),
  };
}

/** Returns the name that PostgreSQL gives to an unnamed item, if other items can refer to it. */
function ownName(node: PgNode | undefined): string {
  if (!node) return '?column?';
  const { kind, fields } = node;
  if (kind === 'ColumnRef') return namesOf(fields['fields']).at(-1) ?? '';
  if (kind === 'FuncCall') return namesOf(fields['funcname']).at(-1) ?? '';
  if (kind === 'TypeCast') {
    const inner = ownName(nodeOf(fields['arg']));
    return inner === '?column?' ? (namesOf(fieldsOf(fields['typeName'])?.['names']).at(-1) ?? '') : inner;
  }
  if (kind === 'CollateClause') return ownName(nodeOf(fields['arg']));
  if (kind === 'A_Indirection')
    return namesOf(fields['indirection']).at(-1) ?? ownName(nodeOf(fields['arg']));
  if (kind === 'CaseExpr') {
    const inner = ownName(nodeOf(fields['defresult']));
    return inner === '?column?' ? 'case' : inner;
  }
  if (kind === 'SubLink' && textOf(fields['subLinkType']) === 'EXPR_SUBLINK') return nameOfFirst(fields);
  return ownNames.get(kind) ?? '?column?';
}

function nameOfFirst(subLink: PgFields): string {
  const [first] = nodesOf(nodeOf(subLink['subselect'])?.fields['targetList']);
  return first ? textOf(first.fields['name']) || ownName(nodeOf(first.fields['val'])) : '?column?';
}

const ownNames: ReadonlyMap<string, string> = new Map([
  ['CoalesceExpr', 'coalesce'],
  ['A_ArrayExpr', 'array'],
  ['RowExpr', 'row'],
  ['GroupingFunc', 'grouping'],
]);
