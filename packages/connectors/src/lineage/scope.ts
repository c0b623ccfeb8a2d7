import { type Flow, type FlowColumn, noFlow, sourceFlow, unite, unknownFlow } from './flow.ts';

/** Relation in which names of a query resolve. */
export type ScopeRelation = {
  /** Null: only its columns can be named. */
  readonly alias: string | null;
  /** Undefined: the columns are unknown. */
  readonly columns: readonly FlowColumn[] | undefined;
  /** Flow of all its columns together. */
  readonly row: Flow;
  /** Only its alias reaches it, like the operands of a join with merged columns. */
  readonly isHidden?: boolean;
};

/** Relations of one FROM, and the enclosing scopes. */
export type Scope = {
  readonly relations: readonly ScopeRelation[];
  readonly outer: Scope | undefined;
  /** Earlier items. Some engines let an item refer to them if no relation has the name. */
  readonly aliases?: readonly FlowColumn[];
};

/** Columns of every table of PostgreSQL that contain no data. */
const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

/** Returns the flow of a name: a column, a relation's row, or a function of a row. */
export function flowOfName(path: readonly string[], scope: Scope | undefined): Flow {
  const name = path.at(-1) ?? '';
  const qualifier = path.length > 1 ? path.at(-2) : undefined;
  if (qualifier !== undefined) return flowOfQualified(path, qualifier, name, scope);
  return flowOfBare(name, scope) ?? (systemColumns.has(name) ? noFlow : unknownFlow(`the origin of ${name}`));
}

/** Returns undefined if no scope has the name. */
function flowOfBare(name: string, scope: Scope | undefined): Flow | undefined {
  if (!scope) return undefined;
  const { relations, aliases = [], outer } = scope;
  const named = columnsNamed(
    relations.filter(({ isHidden }) => !isHidden),
    name,
  );
  if (named.length > 0) return unite(named);
  const row = relations.find(({ alias }) => alias === name);
  if (row) return row.row;
  // The name may be a column of a relation with unknown columns, an item's alias, or a name of an outer query.
  const open = relations.flatMap(({ columns, row: all }) => (columns === undefined ? [all] : []));
  const possible = [...open, ...aliases.flatMap((alias) => (alias.name === name ? [alias.flow] : []))];
  const outside = flowOfBare(name, outer);
  if (possible.length === 0) return outside;
  return unite(outside ? [...possible, outside] : possible);
}

/** Returns true if a relation or a column may have the name. */
export const hasName = (name: string, scope: Scope | undefined): boolean =>
  relationNamed(name, scope) !== undefined || flowOfBare(name, scope) !== undefined;

function flowOfQualified(
  path: readonly string[],
  qualifier: string,
  name: string,
  scope: Scope | undefined,
): Flow {
  // Covers `column.field.name`, where `field` is also the name of a relation.
  const head = path.length > 2 ? headColumn(path[0] ?? '', scope) : [];
  const relation = relationNamed(qualifier, scope);
  if (!relation) {
    // Covers a field of a column whose value is a row: `t.address.city`.
    const of = path.length > 2 ? flowOfName(path.slice(0, -1), scope) : flowOfName([qualifier], scope);
    return unite([...head, of, sourceFlow(null, name)]);
  }
  const columns = columnsNamed([relation], name);
  if (columns.length > 0) return unite([...head, ...columns]);
  if (systemColumns.has(name)) return noFlow;
  const flow = unite([...head, relation.row, sourceFlow(null, name)]);
  return relation.columns ? flow : unite([flow, unknownFlow(`the columns of ${qualifier}`)]);
}

function headColumn(name: string, scope: Scope | undefined): Flow[] {
  for (let at = scope; at; at = at.outer) {
    const named = columnsNamed(at.relations, name);
    if (named.length > 0) return named;
  }
  return [];
}

const columnsNamed = (relations: readonly ScopeRelation[], name: string): Flow[] =>
  relations.flatMap(({ columns = [] }) =>
    columns.flatMap((column) => (column.name === name ? [column.flow] : [])),
  );

/** Returns the nearest relation with this alias. */
export function relationNamed(alias: string, scope: Scope | undefined): ScopeRelation | undefined {
  for (let at = scope; at; at = at.outer) {
    const relation = at.relations.find((relation) => relation.alias === alias);
    if (relation) return relation;
  }
  return undefined;
}
