import { type Flow, type FlowColumn, noFlow, sourceFlow, sourcesOf, unite, unknownFlow } from './flow.ts';
import type {
  CatalogueRelation,
  ColumnSources,
  LineageBody,
  LineageCatalogue,
  LineageCte,
  LineageExpression,
  LineageItem,
  LineageQuery,
  LineageRelation,
} from './query.ts';
import { flowOfName, relationNamed, type Scope, type ScopeRelation } from './scope.ts';

/** Columns of a query; a text says why they are not known. */
type Columns = readonly FlowColumn[] | string;

type Names = ReadonlyMap<string, Columns>;

/** What a query is resolved in. */
type Context = {
  readonly catalogue: LineageCatalogue;
  /** CTEs that can be named. */
  readonly ctes: Names;
  readonly outer: Scope | undefined;
  /** Views and subqueries around. */
  readonly depth: number;
};

/** Deeper nesting counts as unknown. */
const depthMax = 60;
const tooDeep = 'the nesting is too deep';

/**
 * Computes the sources of each result column.
 *
 * @returns why they are not known at all, where a relation with unknown columns is expanded.
 */
export function resolveLineage(
  query: LineageQuery,
  catalogue: LineageCatalogue,
): readonly ColumnSources[] | string {
  const columns = resolveQuery(query, { catalogue, ctes: new Map(), outer: undefined, depth: 0 });
  return typeof columns === 'string' ? columns : columns.map(({ flow }) => sourcesOf(flow));
}

function resolveQuery(query: LineageQuery, outside: Context): Columns {
  if (outside.depth > depthMax) return tooDeep;
  const ctes = new Map(outside.ctes);
  const context: Context = { ...outside, ctes, depth: outside.depth + 1 };
  for (const cte of query.ctes) ctes.set(cte.name, resolveCte(cte, context));
  return resolveBody(query.body, context);
}

function resolveCte(cte: LineageCte, context: Context): Columns {
  const { query } = cte;
  const { body, ctes: inner } = query;
  if (!cte.isRecursive || body.kind !== 'set') return shaped(resolveQuery(query, context), cte);
  // The recursive operand reads the result: repeat until no source is added.
  const start: LineageQuery = { ctes: inner, body: { ...body, right: body.left, values: 'left' } };
  let columns = shaped(resolveQuery(start, context), cte);
  for (let size = -1, next = sizeOf(columns); size !== next; ) {
    size = next;
    const ctes = new Map([...context.ctes, [cte.name, columns] as const]);
    columns = shaped(resolveQuery(query, { ...context, ctes }), cte);
    next = sizeOf(columns);
  }
  return columns;
}

const sizeOf = (columns: Columns): number =>
  typeof columns === 'string'
    ? 0
    : columns.reduce((sum, { flow }) => sum + flow.names.size + (flow.unknown ? 1 : 0), 1);

function shaped(columns: Columns, { columnNames, extraColumns }: LineageCte): Columns {
  if (typeof columns === 'string') return columns;
  const row = unite(columns.map(({ flow }) => flow));
  return [
    ...renamed(columns, columnNames),
    ...extraColumns.map(({ name, holdsRows }) => ({ name, flow: holdsRows ? row : noFlow })),
  ];
}

const renamed = (columns: readonly FlowColumn[], names: readonly string[]): FlowColumn[] =>
  columns.map((column, index) => ({ name: names[index] ?? column.name, flow: column.flow }));

function resolveBody(body: LineageBody, context: Context): Columns {
  if (body.kind === 'unknown') return body.why;
  if (body.kind === 'values') {
    const [first = []] = body.rows;
    return first.map((_value, index) => ({
      name: `column${index + 1}`,
      flow: unite(body.rows.map((row) => flowOf(row[index] ?? { kind: 'none' }, undefined, context))),
    }));
  }
  if (body.kind === 'set') return resolveSet(body, context);
  const scope = scopeOf(body.from, context);
  const columns: FlowColumn[] = [];
  for (const item of body.items) {
    const added = columnsOfItem(item, scope, context);
    if (typeof added === 'string') return added;
    columns.push(...added);
  }
  return columns;
}

function resolveSet(body: LineageBody & { kind: 'set' }, context: Context): Columns {
  const left = resolveQuery(body.left, context);
  const right = resolveQuery(body.right, context);
  if (typeof left === 'string') return left;
  if (body.values === 'left') return left;
  if (typeof right === 'string') return right;
  if (left.length !== right.length) return 'the columns of a set operation';
  return left.map(({ name, flow }, index) => ({ name, flow: unite([flow, right[index]?.flow ?? noFlow]) }));
}

function columnsOfItem(item: LineageItem, scope: Scope, context: Context): Columns {
  if (item.kind === 'column') return [{ name: item.name, flow: flowOf(item.value, scope, context) }];
  const qualifier = item.qualifier.at(-1);
  if (qualifier !== undefined) {
    const relation = relationNamed(qualifier, scope);
    return relation?.columns ?? `the columns of ${qualifier}`;
  }
  const all: FlowColumn[] = [];
  for (const { columns, isHidden, alias } of scope.relations) {
    if (isHidden) continue;
    if (!columns) return `the columns of ${alias ?? 'a relation in FROM'}`;
    all.push(...columns);
  }
  return all;
}

function scopeOf(from: readonly LineageRelation[], context: Context): Scope {
  const relations: ScopeRelation[] = [];
  for (const relation of from) relations.push(...relationsOf(relation, relations, context));
  return { relations, outer: context.outer };
}

/** The relation itself last, behind those that are reachable by their alias alone. */
function relationsOf(
  relation: LineageRelation,
  before: readonly ScopeRelation[],
  context: Context,
): ScopeRelation[] {
  const { source, alias, columnAliases } = relation;
  if (source.kind === 'join') return joined(relation, source, before, context);
  return [
    aliased(
      columnsOfSource(relation, { relations: before, outer: context.outer }, context),
      alias,
      columnAliases,
    ),
  ];
}

type OpenRow = { readonly columns: readonly FlowColumn[] | undefined; readonly row: Flow };

function columnsOfSource({ source, alias }: LineageRelation, lateral: Scope, context: Context): OpenRow {
  switch (source.kind) {
    case 'table':
      return columnsOfTable(source.path, context);
    case 'query':
      return opened(resolveQuery(source.query, source.isLateral ? { ...context, outer: lateral } : context));
    case 'columns':
      return opened(
        source.columns.map(({ name, value }) => ({ name, flow: flowOf(value, lateral, context) })),
      );
    case 'join':
      return opened(`the columns of ${alias ?? 'a join'}`);
    case 'unknown': {
      const parts = source.parts.map((part) => flowOf(part, lateral, context));
      return { columns: undefined, row: unite([...parts, unknownFlow(source.why)]) };
    }
    default:
      return source satisfies never;
  }
}

const opened = (columns: Columns): OpenRow =>
  typeof columns === 'string'
    ? { columns: undefined, row: unknownFlow(columns) }
    : { columns, row: unite(columns.map(({ flow }) => flow)) };

function columnsOfTable(path: readonly string[], context: Context): OpenRow {
  const [name = ''] = path;
  const cte = path.length === 1 ? context.ctes.get(name) : undefined;
  if (cte !== undefined) return opened(cte);
  const relation = context.catalogue(path);
  if (!relation) return opened(`the columns of ${path.join('.')}`);
  if (!relation.definition) {
    return opened(
      relation.columns.map((column) => ({ name: column, flow: sourceFlow(relation.name, column) })),
    );
  }
  return opened(columnsOfView(relation, relation.definition, context));
}

function columnsOfView(
  { name, columns }: CatalogueRelation,
  definition: LineageQuery,
  { catalogue, depth }: Context,
): Columns {
  const flows = resolveQuery(definition, { catalogue, ctes: new Map(), outer: undefined, depth });
  if (typeof flows === 'string') return flows;
  if (flows.length !== columns.length) return `the columns of ${name}`;
  // A view may name what its definition does not: a column that it calls personal is personal.
  return columns.map((column, index) => ({
    name: column,
    flow: unite([flows[index]?.flow ?? noFlow, sourceFlow(name, column)]),
  }));
}

function aliased({ columns, row }: OpenRow, alias: string | null, names: readonly string[]): ScopeRelation {
  if (!columns) return { alias, columns: undefined, row };
  if (names.length > columns.length)
    return {
      alias,
      columns: undefined,
      row: unite([row, unknownFlow(`the columns of ${alias ?? 'a relation'}`)]),
    };
  return { alias, columns: renamed(columns, names), row };
}

function joined(
  { alias, columnAliases }: LineageRelation,
  source: LineageRelation['source'] & { kind: 'join' },
  before: readonly ScopeRelation[],
  context: Context,
): ScopeRelation[] {
  const left = relationsOf(source.left, before, context);
  const right = relationsOf(source.right, [...before, ...left], context);
  const operands = [...left, ...right];
  if (source.using !== 'natural' && source.using.length === 0 && alias === null) return operands;
  const merged = mergedColumns(left, right, source.using);
  const row = unite(operands.map((operand) => operand.row));
  const result = aliased({ columns: merged, row }, alias, columnAliases);
  const hidden = operands.map((operand) => ({
    ...operand,
    isHidden: true,
    alias: alias === null ? operand.alias : null,
  }));
  const using =
    source.usingAlias === null ? [] : [{ alias: source.usingAlias, columns: merged, row, isHidden: true }];
  return [...hidden, ...using, result];
}

function mergedColumns(
  left: readonly ScopeRelation[],
  right: readonly ScopeRelation[],
  using: readonly string[] | 'natural',
): FlowColumn[] | undefined {
  const lefts = visibleColumns(left);
  const rights = visibleColumns(right);
  if (!lefts || !rights) return undefined;
  const all = [...lefts, ...rights];
  const rightNames = new Set(rights.map(({ name }) => name));
  const shared =
    using === 'natural' ? lefts.flatMap(({ name }) => (rightNames.has(name) ? [name] : [])) : using;
  const flowOfShared = (name: string): Flow =>
    unite(all.flatMap((column) => (column.name === name ? [column.flow] : [])));
  return [
    ...shared.map((name) => ({ name, flow: flowOfShared(name) })),
    ...all.filter(({ name }) => !shared.includes(name)),
  ];
}

/** Undefined: the columns of one of them are not known. */
function visibleColumns(relations: readonly ScopeRelation[]): readonly FlowColumn[] | undefined {
  const visible = relations.filter(({ isHidden }) => !isHidden);
  if (visible.some(({ columns }) => columns === undefined)) return undefined;
  return visible.flatMap(({ columns = [] }) => columns);
}

function flowOf(expression: LineageExpression, scope: Scope | undefined, context: Context): Flow {
  const inside = scope ?? context.outer;
  switch (expression.kind) {
    case 'none':
      return noFlow;
    case 'name':
      return flowOfName(expression.path, inside);
    case 'row': {
      const qualifier = expression.qualifier.at(-1);
      if (qualifier === undefined) return unite((inside?.relations ?? []).map(({ row }) => row));
      return relationNamed(qualifier, inside)?.row ?? unknownFlow(`the columns of ${qualifier}`);
    }
    case 'combine':
      return unite(expression.parts.map((part) => flowOf(part, scope, context)));
    case 'word':
      return unite(expression.words.map((word) => sourceFlow(null, word)));
    case 'source':
      return sourceFlow(expression.relation, expression.column);
    case 'query': {
      const columns = resolveQuery(expression.query, { ...context, outer: inside });
      return typeof columns === 'string' ? unknownFlow(columns) : unite(columns.map(({ flow }) => flow));
    }
    case 'unknown':
      return unite([
        ...expression.parts.map((part) => flowOf(part, scope, context)),
        unknownFlow(expression.why),
      ]);
    default:
      return expression satisfies never;
  }
}
