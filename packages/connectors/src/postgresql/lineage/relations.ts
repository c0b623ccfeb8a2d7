import { memberWords } from '../../lineage/members.ts';
import type { LineageExpression, LineageRelation, LineageSource } from '../../lineage/query.ts';
import { fieldsOf, namesOf, nodeOf, nodesOf, type PgFields, type PgNode, textOf } from '../parser/tree.ts';
import { type Conversion, expressionOf, functionName, partsOf } from './expressions.ts';

type Column = { readonly name: string; readonly value: LineageExpression };

/** Converts an item of FROM. */
export function relationOf({ kind, fields }: PgNode, conversion: Conversion): LineageRelation {
  const aliasFields = fieldsOf(fields['alias']);
  const named = (source: LineageSource, defaultName: string | null): LineageRelation => ({
    source,
    alias: aliasFields ? textOf(aliasFields['aliasname']) : defaultName,
    columnAliases: namesOf(aliasFields?.['colnames']),
  });
  switch (kind) {
    case 'RangeVar': {
      const table = textOf(fields['relname']);
      return named(
        { kind: 'table', path: [textOf(fields['schemaname']), table].filter((part) => part !== '') },
        table,
      );
    }
    case 'RangeSubselect': {
      const select = nodeOf(fields['subquery']);
      return named(
        {
          kind: 'query',
          query: conversion.queryOf(select?.fields ?? {}),
          isLateral: fields['lateral'] === true,
        },
        null,
      );
    }
    case 'JoinExpr':
      return named(joinOf(fields, conversion), null);
    case 'RangeTableSample': {
      const sampled = nodeOf(fields['relation']);
      if (sampled) return relationOf(sampled, conversion);
      break;
    }
    case 'RangeFunction':
      return named(
        functionsOf(fields, textOf(aliasFields?.['aliasname']), conversion),
        firstFunctionName(fields),
      );
    case 'JsonTable':
      return named(jsonTableOf(fields, conversion), 'json_table');
    case 'RangeTableFunc':
      return named(xmlTableOf(fields, conversion), 'xmltable');
    default:
  }
  return named(
    { kind: 'unknown', why: `a relation of the kind ${kind}`, parts: partsOf(fields, conversion) },
    null,
  );
}

function joinOf(fields: PgFields, conversion: Conversion): LineageSource {
  const left = nodeOf(fields['larg']);
  const right = nodeOf(fields['rarg']);
  if (!left || !right) return { kind: 'unknown', why: 'a join', parts: [] };
  return {
    kind: 'join',
    left: relationOf(left, conversion),
    right: relationOf(right, conversion),
    using: fields['isNatural'] === true ? 'natural' : namesOf(fields['usingClause']),
    areMergedFirst: conversion.areMergedFirst,
    usingAlias: textOf(fieldsOf(fields['join_using_alias'])?.['aliasname']) || null,
  };
}

type Call = { readonly call: PgNode; readonly definitions: readonly PgNode[] };

/** Returns each function of the item, with the columns that AS defines for it. */
const callsOf = (fields: PgFields): Call[] =>
  nodesOf(fields['functions']).flatMap((pair) => {
    const [call, definitions] = nodesOf(pair.fields['items']);
    return call
      ? [{ call, definitions: definitions?.kind === 'List' ? nodesOf(definitions.fields['items']) : [] }]
      : [];
  });

const firstFunctionName = (fields: PgFields): string | null => {
  const [first] = callsOf(fields);
  return first?.call.kind === 'FuncCall' ? functionName(first.call.fields) : null;
};

function functionsOf(fields: PgFields, alias: string, conversion: Conversion): LineageSource {
  const calls = callsOf(fields);
  const columns = calls.flatMap(({ call, definitions }) => {
    const defined = definitions.length > 0 ? definitions : nodesOf(fields['coldeflist']);
    return columnsOfCall(call, defined, calls.length === 1 ? alias : '', conversion) ?? [undefined];
  });
  const named = columns.flatMap((column) => column ?? []);
  if (named.length < columns.length) {
    const name = firstFunctionName(fields) ?? 'in FROM';
    return {
      kind: 'unknown',
      why: `the columns of the function ${name}`,
      parts: calls.map(({ call }) => expressionOf(call, conversion)),
    };
  }
  const ordinality: Column = { name: 'ordinality', value: { kind: 'none' } };
  return { kind: 'columns', columns: fields['ordinality'] === true ? [...named, ordinality] : named };
}

/** Returns undefined if the function's columns are unknown. */
function columnsOfCall(
  call: PgNode,
  defined: readonly PgNode[],
  alias: string,
  conversion: Conversion,
): Column[] | undefined {
  const value = expressionOf(call, conversion);
  if (defined.length > 0)
    return defined.map(({ fields }) => {
      const name = textOf(fields['colname']);
      return { name, value: { kind: 'combine', parts: [value, { kind: 'word', words: [name] }] } };
    });
  if (call.kind !== 'FuncCall') return [{ name: alias, value }];
  const name = functionName(call.fields);
  const args = nodesOf(call.fields['args']);
  if (name === 'unnest' && args.length > 1)
    return args.map((arg) => ({ name: 'unnest', value: expressionOf(arg, conversion) }));
  const columnName = alias === '' ? name : alias;
  const { oneColumn, pure, valueless, tables } = conversion.facts;
  const table = tables.get(name);
  if (table) return table.map((column) => ({ name: column.name, value: column.value(value) }));
  if (oneColumn.has(name)) return [{ name: oneColumn.get(name) ?? columnName, value }];
  return pure.has(name) || valueless.has(name) ? [{ name: columnName, value }] : undefined;
}

function jsonTableOf(fields: PgFields, conversion: Conversion): LineageSource {
  const context: LineageExpression = {
    kind: 'combine',
    parts: partsOf(fieldsOf(fields['context_item']) ?? {}, conversion),
  };
  const columnsOf = (list: unknown): Column[] =>
    nodesOf(list).flatMap(({ fields: column }) => {
      if (column['columns'] !== undefined) return columnsOf(column['columns']);
      const name = textOf(column['name']);
      if (textOf(column['coltype']) === 'JTC_FOR_ORDINALITY') return [{ name, value: { kind: 'none' } }];
      const parts = [
        context,
        ...pathWords(fieldsOf(column['pathspec'])),
        { kind: 'word', words: [name] } as const,
      ];
      return [{ name, value: { kind: 'combine', parts } }];
    });
  return { kind: 'columns', columns: columnsOf(fields['columns']) };
}

const pathWords = (spec: PgFields | undefined): LineageExpression[] => {
  const node = nodeOf(spec?.['string']);
  const text = node?.kind === 'A_Const' ? textOf(fieldsOf(node.fields['sval'])?.['sval']) : '';
  return text === '' ? [] : [memberWords(text)];
};

function xmlTableOf(fields: PgFields, conversion: Conversion): LineageSource {
  const context = expressionOf(nodeOf(fields['docexpr']), conversion);
  return {
    kind: 'columns',
    columns: nodesOf(fields['columns']).map(({ fields: column }) => {
      const name = textOf(column['colname']);
      if (column['for_ordinality'] === true) return { name, value: { kind: 'none' } };
      const path = expressionOf(nodeOf(column['colexpr']), conversion);
      const fallback = expressionOf(nodeOf(column['coldefexpr']), conversion);
      return {
        name,
        value: { kind: 'combine', parts: [context, path, fallback, { kind: 'word', words: [name] }] },
      };
    }),
  };
}
