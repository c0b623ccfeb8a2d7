import type { LineageExpression, LineageRelation, LineageSource } from '../../lineage/query.ts';
import { type ExpressionContext, expressionOf, type QueryOf } from './expressions.ts';
import { isCatalogueFunction, oneColumnFunctions, statisticsFunctions } from './functions.ts';
import { type DuckNode, nameOf, namesOf, nodeOf, nodesOf, textConstant, textOf } from './tree.ts';

/** Converts FROM. Returns an empty list for a query without FROM. */
export function relationsOf(node: DuckNode | undefined, queryOf: QueryOf): LineageRelation[] {
  return !node || node['type'] === 'EMPTY' ? [] : [relationOf(node, queryOf)];
}

function relationOf(node: DuckNode, queryOf: QueryOf): LineageRelation {
  const alias = nameOf(node['alias']);
  const named = (source: LineageSource, defaultName: string | null = null): LineageRelation => ({
    source,
    alias: alias === '' ? defaultName : alias,
    columnAliases: namesOf(node['column_name_alias']),
  });
  switch (node['type']) {
    case 'BASE_TABLE': {
      const path = [nameOf(node['schema_name']), nameOf(node['table_name'])].filter((part) => part !== '');
      return named({ kind: 'table', path }, path.at(-1) ?? null);
    }
    case 'SUBQUERY': {
      const query = nodeOf(nodeOf(node['subquery'])?.['node']);
      // Every subquery in FROM may reference the relations before it.
      return named({ kind: 'query', query: queryOf(query ?? {}), isLateral: true });
    }
    case 'JOIN':
      return joinOf(node, queryOf);
    case 'EXPRESSION_LIST':
      return named(valuesOf(node, queryOf));
    case 'TABLE_FUNCTION':
      return named(functionOf(node, queryOf), nameOf(nodeOf(node['function'])?.['function_name']));
    case 'SHOW_REF':
      return named(showOf(node, queryOf));
    case 'PIVOT':
      return named(pivotOf(node, queryOf));
    default:
      return named({ kind: 'unknown', why: `a relation of the type ${textOf(node['type'])}`, parts: [] });
  }
}

const contextOf = (queryOf: QueryOf): ExpressionContext => ({ queryOf, parameters: new Set() });

function joinOf(node: DuckNode, queryOf: QueryOf): LineageRelation {
  const left = relationOf(nodeOf(node['left']) ?? {}, queryOf);
  const right = relationOf(nodeOf(node['right']) ?? {}, queryOf);
  // SEMI and ANTI filter the rows of the left operand and return no column of the right operand.
  if (['SEMI', 'ANTI'].includes(textOf(node['join_type']))) return left;
  const isNatural = node['ref_type'] === 'NATURAL';
  return {
    source: {
      kind: 'join',
      left,
      right,
      using: isNatural ? 'natural' : namesOf(node['using_columns']),
      areMergedFirst: false,
      usingAlias: null,
    },
    alias: nameOf(node['alias']) || null,
    columnAliases: [],
  };
}

function valuesOf(node: DuckNode, queryOf: QueryOf): LineageSource {
  const rows = (Array.isArray(node['values']) ? node['values'] : []).map((row: unknown) =>
    nodesOf(row).map((value) => expressionOf(value, contextOf(queryOf))),
  );
  const body = { kind: 'values', rows, columnName: (index: number) => `col${index}` } as const;
  return { kind: 'query', query: { ctes: [], body }, isLateral: true };
}

function functionOf(node: DuckNode, queryOf: QueryOf): LineageSource {
  const call = nodeOf(node['function']) ?? {};
  const name = nameOf(call['function_name']);
  const children = nodesOf(call['children']);
  const parts = children.map((child) => expressionOf(child, contextOf(queryOf)));
  const hasOrdinality = textOf(node['with_ordinality']) === 'WITH_ORDINALITY';
  if (isCatalogueFunction(name)) return { kind: 'unknown', why: null, parts: [] };
  const columnName = oneColumnFunctions.get(name);
  if (columnName !== undefined && !hasOrdinality)
    return { kind: 'columns', columns: [{ name: columnName, value: { kind: 'combine', parts } }] };
  const names = children.flatMap((child) => textConstant(child) ?? namesOf(child['column_names']));
  const statistics: LineageExpression[] = statisticsFunctions.has(name)
    ? [{ kind: 'source', relation: name, column: 'values' }]
    : [];
  return {
    kind: 'unknown',
    why: `the columns of the function ${name}`,
    parts: [...statistics, ...parts, { kind: 'word', words: names }],
  };
}

/** Statistics of SUMMARIZE that contain or reveal values of its columns. */
const summaryValues = ['min', 'max', 'avg', 'std', 'q25', 'q50', 'q75'];
const summaryColumns = [
  'column_name',
  'column_type',
  'min',
  'max',
  'approx_unique',
  'avg',
  'std',
  'q25',
  'q50',
  'q75',
  'count',
  'null_percentage',
];

function showOf(node: DuckNode, queryOf: QueryOf): LineageSource {
  if (node['show_type'] !== 'SUMMARY') return { kind: 'unknown', why: null, parts: [] };
  const query = nodeOf(node['query']);
  const value: LineageExpression = query
    ? { kind: 'query', query: queryOf(query) }
    : { kind: 'unknown', why: 'what SUMMARIZE reads', parts: [] };
  return {
    kind: 'columns',
    columns: summaryColumns.map((name) => ({
      name,
      value: summaryValues.includes(name) ? value : { kind: 'none' },
    })),
  };
}

/** Converts PIVOT, which turns values into columns. Each may contain values of any column of the source. */
function pivotOf(node: DuckNode, queryOf: QueryOf): LineageSource {
  const from = relationsOf(nodeOf(node['source']), queryOf);
  const body = { kind: 'select', items: [{ kind: 'star', qualifier: [] }], from } as const;
  return { kind: 'unknown', why: null, parts: [{ kind: 'query', query: { ctes: [], body } }] };
}
