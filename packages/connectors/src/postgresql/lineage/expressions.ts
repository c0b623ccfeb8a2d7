import { combine, isMemberPath, memberWords } from '../../lineage/members.ts';
import type { LineageExpression, LineageQuery } from '../../lineage/query.ts';
import {
  fieldsOf,
  namesOf,
  nodeOf,
  nodesOf,
  type PgFields,
  type PgNode,
  stringConstant,
  textOf,
} from '../parser/tree.ts';
import type { FunctionFacts } from './functions.ts';

/** Context for the conversion of nodes: the conversion of queries, and the functions of the engine. */
export type Conversion = {
  readonly queryOf: (select: PgFields) => LineageQuery;
  readonly facts: FunctionFacts;
  /** The merged columns of a join come first in a star. */
  readonly areMergedFirst: boolean;
};

const none: LineageExpression = { kind: 'none' };
/** Kinds of `A_Expr` with a truth value. Other kinds are `AEXPR_OP` and `AEXPR_NULLIF`. */
const truthKinds =
  /^AEXPR_(?:OP_ANY|OP_ALL|DISTINCT|NOT_DISTINCT|IN|LIKE|ILIKE|SIMILAR|BETWEEN|NOT_BETWEEN|BETWEEN_SYM|NOT_BETWEEN_SYM)$/;
/** Nodes with a truth value, which reveals no more about a person than a condition. */
const truthNodes = new Set(['BoolExpr', 'NullTest', 'BooleanTest', 'JsonIsPredicate', 'GroupingFunc']);
/** Converts an expression. An unlisted node carries the values of its parts. */
export function expressionOf(node: PgNode | undefined, conversion: Conversion): LineageExpression {
  if (!node) return none;
  const { kind, fields } = node;
  const of = (value: unknown) => expressionOf(nodeOf(value), conversion);
  const all = (value: unknown) => nodesOf(value).map((item) => expressionOf(item, conversion));
  if (truthNodes.has(kind)) return none;
  switch (kind) {
    case 'A_Const': {
      const text = stringConstant(node);
      return text !== undefined && isMemberPath(text) ? memberWords(text) : none;
    }
    case 'ParamRef':
    case 'SQLValueFunction':
    case 'TypeName':
      return none;
    case 'ColumnRef':
      return columnOf(fields);
    case 'A_Expr':
      return operationOf(fields, conversion);
    case 'FuncCall':
      return callOf(fields, conversion);
    case 'CaseExpr':
      return combine([
        ...nodesOf(fields['args']).map((when) => of(when.fields['result'])),
        of(fields['defresult']),
      ]);
    case 'SubLink': {
      const select = nodeOf(fields['subselect']);
      const isValue = ['EXPR_SUBLINK', 'ARRAY_SUBLINK'].includes(textOf(fields['subLinkType']));
      return isValue && select ? { kind: 'query', query: conversion.queryOf(select.fields) } : none;
    }
    case 'A_Indirection':
      return combine([
        of(fields['arg']),
        ...nodesOf(fields['indirection']).map((step) => stepOf(step, conversion)),
      ]);
    case 'JsonArrayQueryConstructor': {
      const select = nodeOf(fields['query']);
      return select ? { kind: 'query', query: conversion.queryOf(select.fields) } : none;
    }
    case 'TypeCast':
      return of(fields['arg']);
    case 'CollateClause':
      return of(fields['arg']);
    case 'List':
      return combine(all(fields['items']));
    default:
      return combine(partsOf(fields, conversion));
  }
}

/** Converts all nodes below a node, through structures without a kind. */
export function partsOf(fields: PgFields, conversion: Conversion): LineageExpression[] {
  return Object.values(fields).flatMap((value): LineageExpression[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return nodesOf(value).map((item) => expressionOf(item, conversion));
    const node = nodeOf(value);
    return node ? [expressionOf(node, conversion)] : partsOf(fieldsOf(value) ?? {}, conversion);
  });
}

function columnOf(fields: PgFields): LineageExpression {
  const names = namesOf(fields['fields']);
  const isStar = nodesOf(fields['fields']).some(({ kind }) => kind === 'A_Star');
  return isStar ? { kind: 'row', qualifier: names } : { kind: 'name', path: names };
}

/** Converts `.field`, `[1]`, `['member']`, `.*`. */
function stepOf(step: PgNode, conversion: Conversion): LineageExpression {
  if (step.kind === 'String') return { kind: 'word', words: [textOf(step.fields['sval'])] };
  if (step.kind !== 'A_Indices') return none;
  const member = stringConstant(nodeOf(step.fields['uidx']));
  return member === undefined ? combine(partsOf(step.fields, conversion)) : memberWords(member);
}

function operationOf(fields: PgFields, conversion: Conversion): LineageExpression {
  const operator = namesOf(fields['name']).at(-1) ?? '';
  const left = nodeOf(fields['lexpr']);
  const right = nodeOf(fields['rexpr']);
  if (truthKinds.test(textOf(fields['kind']))) return none;
  const isOperator = textOf(fields['kind']) === 'AEXPR_OP';
  if (isOperator && left && conversion.facts.truthOperators.has(operator)) return none;
  const parts = [expressionOf(left, conversion), expressionOf(right, conversion)];
  if (!isOperator || !conversion.facts.memberOperators.has(operator)) return combine(parts);
  const member = constantIn(right);
  return combine([...parts, member === undefined ? none : memberWords(member)]);
}

/** Returns the text of a string constant, with or without a cast. */
function constantIn(node: PgNode | undefined): string | undefined {
  return node?.kind === 'TypeCast' ? constantIn(nodeOf(node.fields['arg'])) : stringConstant(node);
}

/** Returns the name of a called function without its schema, in lower case. */
export const functionName = (fields: PgFields): string =>
  (namesOf(fields['funcname']).at(-1) ?? '').toLowerCase();

/** Returns true for a function whose name can refer to PostgreSQL itself. */
function isBuiltIn(fields: PgFields): boolean {
  const names = namesOf(fields['funcname']);
  return names.length === 1 || names[0] === 'pg_catalog';
}

function callOf(fields: PgFields, conversion: Conversion): LineageExpression {
  const { facts } = conversion;
  const name = functionName(fields);
  const isOwn = isBuiltIn(fields);
  if (isOwn && facts.valueless.has(name)) return none;
  const order = fields['agg_within_group'] === true ? nodesOf(fields['agg_order']) : [];
  const nodes = [
    ...nodesOf(fields['args']),
    ...order.flatMap(({ fields: sort }) => nodeOf(sort['node']) ?? []),
  ];
  const parts = nodes.map((node) => expressionOf(node, conversion));
  const view = facts.statementTexts.get(name);
  if (view !== undefined) return { kind: 'source', relation: view, column: 'query' };
  if (isOwn && /^jsonb?_extract_path(?:_text)?$/.test(name))
    parts.push(...nodes.slice(1).map((node) => memberWords(constantIn(node) ?? '')));
  if (facts.spreading.has(name)) return { kind: 'unknown', why: `the members that ${name} returns`, parts };
  if (isOwn && facts.pure.has(name)) return combine(parts);
  return {
    kind: 'unknown',
    why: `what the function ${name} reads`,
    parts: [...parts, { kind: 'word', words: [name] }],
  };
}
