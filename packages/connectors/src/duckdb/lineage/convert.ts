import type {
  LineageBody,
  LineageCte,
  LineageExpression,
  LineageItem,
  LineageQuery,
} from '../../lineage/query.ts';
import { type ExpressionContext, expressionOf, starValue } from './expressions.ts';
import { relationsOf } from './relations.ts';
import { type DuckNode, nameOf, namesOf, nodeOf, nodesOf, textOf } from './tree.ts';

const context: ExpressionContext = { queryOf: lineageQueryOf, parameters: new Set() };

/** Converts a query node of DuckDB's serialised syntax tree. */
export function lineageQueryOf(node: DuckNode): LineageQuery {
  const ctes = nodesOf(nodeOf(node['cte_map'])?.['map']);
  return { ctes: ctes.map(cteOf), body: bodyOf(node) };
}

function cteOf(entry: DuckNode): LineageCte {
  const value = nodeOf(entry['value']) ?? {};
  const query = nodeOf(nodeOf(value['query'])?.['node']) ?? {};
  return {
    name: nameOf(entry['key']),
    columnNames: namesOf(value['aliases']),
    query: lineageQueryOf(query),
    isRecursive: query['type'] === 'RECURSIVE_CTE_NODE',
    extraColumns: [],
  };
}

function bodyOf(node: DuckNode): LineageBody {
  switch (node['type']) {
    case 'SELECT_NODE':
      return {
        kind: 'select',
        items: nodesOf(node['select_list']).map(itemOf),
        from: relationsOf(nodeOf(node['from_table']), lineageQueryOf),
      };
    case 'RECURSIVE_CTE_NODE':
      return setOf(node, 'UNION');
    case 'SET_OPERATION_NODE':
      return setOf(node, textOf(node['setop_type']));
    case 'CTE_NODE': {
      const child = nodeOf(node['child']);
      return child ? bodyOf(child) : { kind: 'unknown', why: 'a CTE' };
    }
    default:
      return { kind: 'unknown', why: `a query of the type ${textOf(node['type'])}` };
  }
}

function setOf(node: DuckNode, type: string): LineageBody {
  const [first, second] = operandsOf(node);
  if (!first || !second) return { kind: 'unknown', why: 'the operands of a set operation' };
  return {
    kind: 'set',
    left: lineageQueryOf(first),
    right: lineageQueryOf(second),
    values: type.startsWith('EXCEPT') ? 'left' : 'both',
    isByName: type === 'UNION_BY_NAME',
  };
}

/** Returns the two operands; empty for a tree in another form, such as a longer list of operands. */
function operandsOf(node: DuckNode): readonly DuckNode[] {
  const left = nodeOf(node['left']);
  const right = nodeOf(node['right']);
  return left && right ? [left, right] : [];
}

function itemOf(node: DuckNode): LineageItem {
  if (node['class'] === 'STAR') return starOf(node);
  if (hasColumns(node)) return { kind: 'some', value: expressionOf(node, context) };
  if (node['class'] === 'FUNCTION' && nameOf(node['function_name']) === 'unnest') return unnestOf(node);
  const alias = nameOf(node['alias']);
  const columnName = node['class'] === 'COLUMN_REF' ? (namesOf(node['column_names']).at(-1) ?? '') : '';
  return { kind: 'column', name: alias === '' ? columnName : alias, value: expressionOf(node, context) };
}

function starOf(node: DuckNode): LineageItem {
  const qualifier = nameOf(node['relation_name']);
  // `COLUMNS(…)` and `* LIKE …` select a subset of the columns.
  if (node['expr'] !== null && node['expr'] !== undefined)
    return { kind: 'some', value: starValue(node, context) };
  const entries = (list: unknown) => nodesOf(list).map(({ key, value }) => [keyOf(key), value] as const);
  const excluded = [...namesOf(node['exclude_list']), ...nodesOf(node['qualified_exclude_list']).map(keyOf)];
  return {
    kind: 'star',
    qualifier: qualifier === '' ? [] : [qualifier],
    change: {
      excluded: new Set(excluded),
      replaced: new Map(
        entries(node['replace_list']).map(([key, value]) => [key, expressionOf(nodeOf(value), context)]),
      ),
      renamed: new Map(entries(node['rename_list']).map(([key, value]) => [key, nameOf(value)])),
    },
  };
}

/** Returns the name of a key without its qualifier. */
const keyOf = (key: unknown): string =>
  typeof key === 'string' ? nameOf(key) : nameOf(nodeOf(key)?.['column']);

/** Converts `unnest`. For a struct, it returns columns with the names of the fields and ignores the alias. */
function unnestOf(node: DuckNode): LineageItem {
  const parts: LineageExpression[] = nodesOf(node['children']).map((child) => expressionOf(child, context));
  const why = 'the fields that unnest returns';
  return { kind: 'some', value: { kind: 'unknown', why, parts } };
}

/** Returns true if the item contains `COLUMNS(…)` or a star and so expands to several items. */
function hasColumns(node: DuckNode): boolean {
  const pending: unknown[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pending.push(...next);
    const child = nodeOf(next);
    if (!child || child['class'] === 'SUBQUERY') continue;
    if (child['class'] === 'STAR') return true;
    pending.push(...Object.values(child).filter((value) => typeof value === 'object' && value !== null));
  }
  return false;
}
