import { combine, isMemberPath, memberWords } from '../../lineage/members.ts';
import type { LineageExpression, LineageQuery } from '../../lineage/query.ts';
import {
  firstArgumentFunctions,
  lambdaFunctions,
  memberFunctions,
  spreadingFunctions,
  valuelessFunctions,
} from './functions.ts';
import { type DuckNode, nameOf, namesOf, nodeOf, nodesOf, textConstant, textOf } from './tree.ts';

export type QueryOf = (node: DuckNode) => LineageQuery;

const none: LineageExpression = { kind: 'none' };

/** Operators whose result contains no value of an operand. */
const truthOperators = new Set([
  'OPERATOR_NOT',
  'OPERATOR_IS_NULL',
  'OPERATOR_IS_NOT_NULL',
  'COMPARE_IN',
  'COMPARE_NOT_IN',
  'GROUPING_FUNCTION',
]);

/** Context of the conversion of an expression. */
export type ExpressionContext = {
  readonly queryOf: QueryOf;
  /** Parameters of the enclosing lambdas. Their values come from the lists, whose sources are included separately. */
  readonly parameters: ReadonlySet<string>;
};

/** Converts an expression. An unlisted class has the sources of its parts and further, unknown sources. */
export function expressionOf(node: DuckNode | undefined, context: ExpressionContext): LineageExpression {
  if (!node) return none;
  const all = (value: unknown) => nodesOf(value).map((child) => expressionOf(child, context));
  switch (node['class']) {
    case 'COLUMN_REF':
      return columnOf(namesOf(node['column_names']), context);
    case 'CONSTANT': {
      const text = textConstant(node);
      return text !== undefined && isMemberPath(text) ? memberWords(text) : none;
    }
    case 'COMPARISON':
    case 'CONJUNCTION':
    case 'BETWEEN':
    case 'PARAMETER':
    case 'TYPE':
      return none;
    case 'CAST':
    case 'COLLATE':
      return expressionOf(nodeOf(node['child']), context);
    case 'CASE':
      return combine([
        ...nodesOf(node['case_checks']).map((check) => expressionOf(nodeOf(check['then_expr']), context)),
        expressionOf(nodeOf(node['else_expr']), context),
      ]);
    case 'OPERATOR':
      return operatorOf(node, context);
    case 'FUNCTION':
    case 'WINDOW':
      return callOf(node, context);
    case 'LAMBDA':
      return arrowOf(node, context);
    case 'SUBQUERY':
      return subqueryOf(node, context);
    // A position refers to a column of FROM.
    case 'POSITIONAL_REFERENCE':
      return { kind: 'row', qualifier: [] };
    case 'STAR':
      return starValue(node, context);
    default:
      return {
        kind: 'unknown',
        why: `an expression of the class ${textOf(node['class'])}`,
        parts: Object.values(node).flatMap(all),
      };
  }
}

function columnOf(path: readonly string[], { parameters }: ExpressionContext): LineageExpression {
  const [head = '', ...fields] = path;
  return parameters.has(head) ? { kind: 'word', words: fields } : { kind: 'name', path };
}

function operatorOf(node: DuckNode, context: ExpressionContext): LineageExpression {
  const type = textOf(node['type']);
  if (truthOperators.has(type)) return none;
  const children = nodesOf(node['children']);
  const parts = children.map((child) => expressionOf(child, context));
  if (type === 'ARRAY_EXTRACT' || type === 'STRUCT_EXTRACT')
    parts.push(...children.slice(1).map(wordsOfConstant));
  return combine(parts);
}

const wordsOfConstant = (node: DuckNode): LineageExpression => {
  const text = textConstant(node);
  if (text !== undefined) return memberWords(text);
  // A list of paths.
  return combine(nodesOf(node['children']).map(wordsOfConstant));
};

function callOf(node: DuckNode, context: ExpressionContext): LineageExpression {
  const name = nameOf(node['function_name']);
  // `column.upper()`: the parser reads the column as a schema.
  const before = [nameOf(node['catalog']), nameOf(node['schema'])].filter((part) => part !== '');
  const receiver: LineageExpression[] = before.length === 0 ? [] : [{ kind: 'possible-name', path: before }];
  if (valuelessFunctions.has(name)) return none;
  const all = nodesOf(node['children']);
  const children = firstArgumentFunctions.has(name) && receiver.length === 0 ? all.slice(0, 1) : all;
  const parts = children.map((child, index) =>
    lambdaFunctions.has(name) && index > 0 ? lambdaOf(child, context) : expressionOf(child, context),
  );
  for (const field of ['offset_expr', 'default_expr']) parts.push(expressionOf(nodeOf(node[field]), context));
  if (memberFunctions.has(name)) parts.push(...children.map(wordsOfConstant));
  parts.push(...receiver);
  if (!spreadingFunctions.has(name)) return combine(parts);
  return { kind: 'unknown', why: `the members that ${name} returns`, parts };
}

/** Converts the body of a lambda. Its list is another argument of the same call. */
function lambdaOf(node: DuckNode, context: ExpressionContext): LineageExpression {
  if (node['class'] !== 'LAMBDA') return expressionOf(node, context);
  const parameters = new Set([...context.parameters, ...namesIn(nodeOf(node['lhs']))]);
  return expressionOf(nodeOf(node['expr']), { ...context, parameters });
}

/** Returns the parameters of a lambda: a single name, or the names of a row. */
const namesIn = (node: DuckNode | undefined): string[] =>
  node?.['class'] === 'COLUMN_REF'
    ? namesOf(node['column_names'])
    : nodesOf(node?.['children']).flatMap(namesIn);

/** Converts `document -> 'member'`, which the engine parses as a lambda. */
function arrowOf(node: DuckNode, context: ExpressionContext): LineageExpression {
  const member = nodeOf(node['expr']);
  return combine([
    expressionOf(nodeOf(node['lhs']), context),
    expressionOf(member, context),
    ...(member ? [wordsOfConstant(member)] : []),
  ]);
}

function subqueryOf(node: DuckNode, { queryOf }: ExpressionContext): LineageExpression {
  const isValue = ['SCALAR', 'ARRAY'].includes(textOf(node['subquery_type']));
  const query = nodeOf(nodeOf(node['subquery'])?.['node']);
  return isValue && query ? { kind: 'query', query: queryOf(query) } : none;
}

/** Converts a star in an argument, which means some of the columns. */
export function starValue(node: DuckNode, context: ExpressionContext): LineageExpression {
  const qualifier = nameOf(node['relation_name']);
  return combine([
    { kind: 'row', qualifier: qualifier === '' ? [] : [qualifier] },
    ...nodesOf(node['replace_list']).map(({ value }) => expressionOf(nodeOf(value), context)),
  ]);
}
