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
import {
  memberOperators,
  pureFunctions,
  spreadingFunctions,
  statementTextFunctions,
  truthOperators,
  valuelessFunctions,
} from './functions.ts';

export type QueryOf = (select: PgFields) => LineageQuery;

const none: LineageExpression = { kind: 'none' };
const combine = (parts: readonly LineageExpression[]): LineageExpression => {
  const carrying = parts.filter(({ kind }) => kind !== 'none');
  const [only] = carrying;
  if (!only) return none;
  return carrying.length === 1 ? only : { kind: 'combine', parts: carrying };
};

/** Kinds of `A_Expr` with a truth value. Other kinds are `AEXPR_OP` and `AEXPR_NULLIF`. */
const truthKinds =
  /^AEXPR_(?:OP_ANY|OP_ALL|DISTINCT|NOT_DISTINCT|IN|LIKE|ILIKE|SIMILAR|BETWEEN|NOT_BETWEEN|BETWEEN_SYM|NOT_BETWEEN_SYM)$/;
/** Nodes with a truth value: it tells of a person no more than a condition does. */
const truthNodes = new Set(['BoolExpr', 'NullTest', 'BooleanTest', 'JsonIsPredicate', 'GroupingFunc']);
/** `'$.email'`, `'{contact,email}'`, `'//email/text()'`. */
const path = /^(?:\$|\{|[\s(]*(?:\.{0,2}\/|@))/;

/** The words of a path or a member's name. A path with a star may lead to any member. */
export function memberWords(text: string): LineageExpression {
  const words = text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => word !== '');
  const named: LineageExpression = { kind: 'word', words };
  return /^\$.*\.\*/.test(text)
    ? { kind: 'unknown', why: 'the members that a path leads to', parts: [named] }
    : named;
}

/** Converts an expression. A node that is not named here carries what its parts carry. */
export function expressionOf(node: PgNode | undefined, queryOf: QueryOf): LineageExpression {
  if (!node) return none;
  const { kind, fields } = node;
  const of = (value: unknown) => expressionOf(nodeOf(value), queryOf);
  const all = (value: unknown) => nodesOf(value).map((item) => expressionOf(item, queryOf));
  if (truthNodes.has(kind)) return none;
  switch (kind) {
    case 'A_Const': {
      const text = stringConstant(node);
      return text !== undefined && path.test(text) ? memberWords(text) : none;
    }
    case 'ParamRef':
    case 'SQLValueFunction':
    case 'TypeName':
      return none;
    case 'ColumnRef':
      return columnOf(fields);
    case 'A_Expr':
      return operationOf(fields, queryOf);
    case 'FuncCall':
      return callOf(fields, queryOf);
    case 'CaseExpr':
      return combine([
        ...nodesOf(fields['args']).map((when) => of(when.fields['result'])),
        of(fields['defresult']),
      ]);
    case 'SubLink': {
      const select = nodeOf(fields['subselect']);
      const isValue = ['EXPR_SUBLINK', 'ARRAY_SUBLINK'].includes(textOf(fields['subLinkType']));
      return isValue && select ? { kind: 'query', query: queryOf(select.fields) } : none;
    }
    case 'A_Indirection':
      return combine([
        of(fields['arg']),
        ...nodesOf(fields['indirection']).map((step) => stepOf(step, queryOf)),
      ]);
    case 'JsonArrayQueryConstructor': {
      const select = nodeOf(fields['query']);
      return select ? { kind: 'query', query: queryOf(select.fields) } : none;
    }
    case 'TypeCast':
      return of(fields['arg']);
    case 'CollateClause':
      return of(fields['arg']);
    case 'List':
      return combine(all(fields['items']));
    default:
      return combine(partsOf(fields, queryOf));
  }
}

/** Everything below a node, through structures without a kind of their own. */
export function partsOf(fields: PgFields, queryOf: QueryOf): LineageExpression[] {
  return Object.values(fields).flatMap((value): LineageExpression[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return nodesOf(value).map((item) => expressionOf(item, queryOf));
    const node = nodeOf(value);
    return node ? [expressionOf(node, queryOf)] : partsOf(fieldsOf(value) ?? {}, queryOf);
  });
}

function columnOf(fields: PgFields): LineageExpression {
  const names = namesOf(fields['fields']);
  const isStar = nodesOf(fields['fields']).some(({ kind }) => kind === 'A_Star');
  return isStar ? { kind: 'row', qualifier: names } : { kind: 'name', path: names };
}

/** `.field`, `[1]`, `['member']`, `.*`. */
function stepOf(step: PgNode, queryOf: QueryOf): LineageExpression {
  if (step.kind === 'String') return { kind: 'word', words: [textOf(step.fields['sval'])] };
  if (step.kind !== 'A_Indices') return none;
  const member = stringConstant(nodeOf(step.fields['uidx']));
  return member === undefined ? combine(partsOf(step.fields, queryOf)) : memberWords(member);
}

function operationOf(fields: PgFields, queryOf: QueryOf): LineageExpression {
  const operator = namesOf(fields['name']).at(-1) ?? '';
  const left = nodeOf(fields['lexpr']);
  const right = nodeOf(fields['rexpr']);
  if (truthKinds.test(textOf(fields['kind']))) return none;
  const isOperator = textOf(fields['kind']) === 'AEXPR_OP';
  if (isOperator && left && truthOperators.has(operator)) return none;
  const parts = [expressionOf(left, queryOf), expressionOf(right, queryOf)];
  if (!isOperator || !memberOperators.has(operator)) return combine(parts);
  const member = constantIn(right);
  return combine([...parts, member === undefined ? none : memberWords(member)]);
}

/** A text, with a cast or without. */
function constantIn(node: PgNode | undefined): string | undefined {
  return node?.kind === 'TypeCast' ? constantIn(nodeOf(node.fields['arg'])) : stringConstant(node);
}

/** The name of a called function, without its schema. */
export const functionName = (fields: PgFields): string =>
  (namesOf(fields['funcname']).at(-1) ?? '').toLowerCase();

/** True for a function of PostgreSQL itself, as far as its name shows. */
function isBuiltIn(fields: PgFields): boolean {
  const names = namesOf(fields['funcname']);
  return names.length === 1 || names[0] === 'pg_catalog';
}

function callOf(fields: PgFields, queryOf: QueryOf): LineageExpression {
  const name = functionName(fields);
  const isOwn = isBuiltIn(fields);
  if (isOwn && valuelessFunctions.has(name)) return none;
  const order = fields['agg_within_group'] === true ? nodesOf(fields['agg_order']) : [];
  const nodes = [
    ...nodesOf(fields['args']),
    ...order.flatMap(({ fields: sort }) => nodeOf(sort['node']) ?? []),
  ];
  const parts = nodes.map((node) => expressionOf(node, queryOf));
  const view = statementTextFunctions.get(name);
  if (view !== undefined) return { kind: 'source', relation: view, column: 'query' };
  if (isOwn && /^jsonb?_extract_path(?:_text)?$/.test(name))
    parts.push(...nodes.slice(1).map((node) => memberWords(constantIn(node) ?? '')));
  if (spreadingFunctions.has(name))
    return { kind: 'unknown', why: `the members that ${name} returns`, parts };
  if (isOwn && pureFunctions.has(name)) return combine(parts);
  return {
    kind: 'unknown',
    why: `what the function ${name} reads`,
    parts: [...parts, { kind: 'word', words: [name] }],
  };
}
