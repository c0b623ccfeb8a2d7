import { inOrderOfUse } from './cte-order.ts';
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
import { flowOfName, hasName, relationNamed, type Scope, type ScopeRelation } from './scope.ts';

/** Columns of a query, or the shared flow of all columns if their names or number are unknown. */
type Columns = readonly FlowColumn[] | Flow;

const areKnown = (columns: Columns): columns is readonly FlowColumn[] => Array.isArray(columns);

type Names = ReadonlyMap<string, Columns>;

/** Environment in which a query is resolved. */
type Context = {
  readonly catalogue: LineageCatalogue;
  /** CTEs that the query can name. */
  readonly ctes: Names;
  readonly outer: Scope | undefined;
  /** Number of enclosing views and subqueries. */
  readonly depth: number;
  /** Remaining number of queries to resolve. Recursive CTEs are resolved several times. */
  readonly budget: { queries: number };
};

/** Deeper nesting counts as unknown. */
const depthMax = 60;
const queriesMax = 20_000;
const tooDeep = unknownFlow('the nesting is too deep');
const tooLong = unknownFlow('the statement has too many queries');

/**
 * Computes the sources of each result column.
 *
 * @returns the shared sources of all columns if a relation with unknown columns is expanded.
 */
export function resolveLineage(
  query: LineageQuery,
  catalogue: LineageCatalogue,
): readonly ColumnSources[] | ColumnSources {
  const budget = { queries: queriesMax };
  const columns = resolveQuery(query, { catalogue, ctes: new Map(), outer: undefined, depth: 0, budget });
  return areKnown(columns) ? columns.map(({ flow }) => sourcesOf(flow)) : sourcesOf(columns);
}

function resolveQuery(query: LineageQuery, outside: Context): Columns {
  if (outside.depth > depthMax) return tooDeep;
  if (--outside.budget.queries < 0) return tooLong;
  const ctes = new Map(outside.ctes);
  const context: Context = { ...outside, ctes, depth: outside.depth + 1 };
  for (const cte of inOrderOfUse(query.ctes)) ctes.set(cte.name, resolveCte(cte, context));
  return resolveBody(query.body, context);
}

function resolveCte(cte: LineageCte, context: Context): Columns {
  const { query } = cte;
  const { body, ctes: inner } = query;
  if (!cte.isRecursive || body.kind !== 'set') return shaped(resolveQuery(query, context), cte);
  // The recursive operand reads the result. Repeat until an iteration adds no source.
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
  !areKnown(columns)
    ? columns.names.size
    : columns.reduce((sum, { flow }) => sum + flow.names.size + (flow.unknown ? 1 : 0), 1);

function shaped(columns: Columns, { columnNames, extraColumns }: LineageCte): Columns {
  if (!areKnown(columns)) return columns;
  const row = unite(columns.map(({ flow }) => flow));
  return [
    ...renamed(columns, columnNames),
    ...extraColumns.map(({ name, holdsRows }) => ({ name, flow: holdsRows ? row : noFlow })),
  ];
}

const renamed = (columns: readonly FlowColumn[], names: readonly string[]): FlowColumn[] =>
  columns.map((column, index) => ({ name: names[index] ?? column.name, flow: column.flow }));

function resolveBody(body: LineageBody, context: Context): Columns {
  if (body.kind === 'unknown') return unknownFlow(body.why);
  if (body.kind === 'values') {
    const [first = []] = body.rows;
    const { columnName } = body;
    return first.map((_value, index) => ({
      name: columnName(index),
      flow: unite(body.rows.map((row) => flowOf(row[index] ?? { kind: 'none' }, undefined, context))),
    }));
  }
  if (body.kind === 'set') return resolveSet(body, context);
  const columns: FlowColumn[] = [];
  const shared: Flow[] = [];
  const scope: Scope = { ...scopeOf(body.from, context), aliases: columns };
  for (const item of body.items) {
    const added = columnsOfItem(item, scope, context);
    if (areKnown(added)) columns.push(...added);
    else shared.push(added);
  }
  return shared.length === 0 ? columns : unite([...shared, ...columns.map(({ flow }) => flow)]);
}

function resolveSet(body: LineageBody & { kind: 'set' }, context: Context): Columns {
  const left = resolveQuery(body.left, context);
  if (body.values === 'left') return left;
  const right = resolveQuery(body.right, context);
  if (!areKnown(left) || !areKnown(right)) return unite([rowOf(left), rowOf(right)]);
  if (body.isByName) {
    const names = new Set([...left, ...right].map(({ name }) => name));
    return [...names].map((name) => ({
      name,
      flow: unite([...left, ...right].flatMap((column) => (column.name === name ? [column.flow] : []))),
    }));
  }
  if (left.length !== right.length) return unknownFlow('the columns of a set operation');
  return left.map(({ name, flow }, index) => ({ name, flow: unite([flow, right[index]?.flow ?? noFlow]) }));
}

/** Returns the flow of all columns together. */
const rowOf = (columns: Columns): Flow =>
  areKnown(columns) ? unite(columns.map(({ flow }) => flow)) : columns;

function columnsOfItem(item: LineageItem, scope: Scope, context: Context): Columns {
  if (item.kind === 'column') return [{ name: item.name, flow: flowOf(item.value, scope, context) }];
  if (item.kind === 'some') return flowOf(item.value, scope, context);
  const columns = columnsOfStar(item.qualifier.at(-1), scope);
  const { change } = item;
  if (!areKnown(columns) || !change)
    return change && !areKnown(columns)
      ? unite([columns, ...[...change.replaced.values()].map((value) => flowOf(value, scope, context))])
      : columns;
  return columns.flatMap(({ name, flow }) => {
    if (change.excluded.has(name)) return [];
    const value = change.replaced.get(name);
    return [
      {
        name: change.renamed.get(name) ?? name,
        flow: value === undefined ? flow : flowOf(value, scope, context),
      },
    ];
  });
}

function columnsOfStar(qualifier: string | undefined, scope: Scope): Columns {
  if (qualifier !== undefined) {
    const relation = relationNamed(qualifier, scope);
    return relation?.columns ?? relation?.row ?? unknownFlow(`the columns of ${qualifier}`);
  }
  const visible = scope.relations.filter(({ isHidden }) => !isHidden);
  if (visible.some(({ columns }) => columns === undefined)) return unite(visible.map(({ row }) => row));
  return visible.flatMap(({ columns = [] }) => columns);
}

function scopeOf(from: readonly LineageRelation[], context: Context): Scope {
  const relations: ScopeRelation[] = [];
  for (const relation of from) relations.push(...relationsOf(relation, relations, context));
  return { relations, outer: context.outer };
}

/** Returns the relation itself last, after relations that only their alias can reach. */
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
      return opened(unknownFlow(`the columns of ${alias ?? 'a join'}`));
    case 'unknown': {
      const parts = source.parts.map((part) => flowOf(part, lateral, context));
      const why = source.why === null ? [] : [unknownFlow(source.why)];
      return { columns: undefined, row: unite([...parts, ...why]) };
    }
    default:
      return source satisfies never;
  }
}

const opened = (columns: Columns): OpenRow => ({
  columns: areKnown(columns) ? columns : undefined,
  row: rowOf(columns),
});

function columnsOfTable(path: readonly string[], context: Context): OpenRow {
  const [name = ''] = path;
  const cte = path.length === 1 ? context.ctes.get(name) : undefined;
  if (cte !== undefined) return opened(cte);
  const relation = context.catalogue(path);
  if (!relation) return opened(unknownFlow(`the columns of ${path.join('.')}`));
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
  { catalogue, depth, budget }: Context,
): Columns {
  const flows = resolveQuery(definition, { catalogue, ctes: new Map(), outer: undefined, depth, budget });
  if (areKnown(flows) && flows.length !== columns.length) return unknownFlow(`the columns of ${name}`);
  // A view may rename columns of its definition. Its own name also decides whether a column is personal.
  return columns.map((column, index) => ({
    name: column,
    flow: unite([(areKnown(flows) ? flows[index]?.flow : flows) ?? noFlow, sourceFlow(name, column)]),
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
  const merged = mergedColumns(left, right, source);
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
  { using, areMergedFirst }: LineageRelation['source'] & { kind: 'join' },
): FlowColumn[] | undefined {
  const lefts = visibleColumns(left);
  const rights = visibleColumns(right);
  if (!lefts || !rights) return undefined;
  const all = [...lefts, ...rights];
  const rightNames = new Set(rights.map(({ name }) => name));
  const shared = new Set(
    using === 'natural' ? lefts.flatMap(({ name }) => (rightNames.has(name) ? [name] : [])) : using,
  );
  const merged = (name: string): FlowColumn => ({
    name,
    flow: unite(all.flatMap((column) => (column.name === name ? [column.flow] : []))),
  });
  if (areMergedFirst) return [...[...shared].map(merged), ...all.filter(({ name }) => !shared.has(name))];
  return [
    ...lefts.map((column) => (shared.has(column.name) ? merged(column.name) : column)),
    ...rights.filter(({ name }) => !shared.has(name)),
  ];
}

/** Returns undefined if the columns of a relation are unknown. */
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
    case 'possible-name':
      return hasName(expression.path[0] ?? '', inside) ? flowOfName(expression.path, inside) : noFlow;
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
      return rowOf(resolveQuery(expression.query, { ...context, outer: inside }));
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
