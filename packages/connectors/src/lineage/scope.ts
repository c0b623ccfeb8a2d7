import { type Flow, type FlowColumn, noFlow, sourceFlow, unite, unknownFlow } from './flow.ts';

/** A relation that names of a query resolve in. */
export type ScopeRelation = {
  /** Null: only its columns can be named. */
  readonly alias: string | null;
  /** Undefined: the columns are not known. */
  readonly columns: readonly FlowColumn[] | undefined;
  /** What any of its columns may hold. */
  readonly row: Flow;
  /** Reachable by its alias alone, as the operands of a join whose columns are merged. */
  readonly isHidden?: boolean;
};

/** The relations of one FROM, and the scopes around it. */
export type Scope = {
  readonly relations: readonly ScopeRelation[];
  readonly outer: Scope | undefined;
  /** Items before this one. Some engines let an item name them where no relation has the name. */
  readonly aliases?: readonly FlowColumn[];
};

/** Columns that every table of PostgreSQL has, and that hold no data. */
const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

/** The flow of a name: a column, a relation's row, or a function of a row. */
export function flowOfName(path: readonly string[], scope: Scope | undefined): Flow {
  const name = path.at(-1) ?? '';
  const qualifier = path.length > 1 ? path.at(-2) : undefined;
  if (qualifier !== undefined) return flowOfQualified(path, qualifier, name, scope);
  return flowOfBare(name, scope) ?? (systemColumns.has(name) ? noFlow : unknownFlow(`the origin of ${name}`));
}

/** Undefined: no scope has the name. */
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
  // The name may be a column of a relation whose columns are not known, an item's alias, or a name of an outer query.
  const open = relations.flatMap(({ columns, row: all }) => (columns === undefined ? [all] : []));
  const possible = [...open, ...aliases.flatMap((alias) => (alias.name === name ? [alias.flow] : []))];
  const outside = flowOfBare(name, outer);
  if (possible.length === 0) return outside;
  return unite(outside ? [...possible, outside] : possible);
}

/** True where a relation or a column may have the name. */
export const hasName = (name: string, scope: Scope | undefined): boolean =>
  relationNamed(name, scope) !== undefined || flowOfBare(name, scope) !== undefined;

function flowOfQualified(
  path: readonly string[],
  qualifier: string,
  name: string,
  scope: Scope | undefined,
): Flow {
  // `column.field.name`, where `field` is also the name of a relation.
  const head = path.length > 2 ? headColumn(path[0] ?? '', scope) : [];
  const relation = relationNamed(qualifier, scope);
  if (!relation) {
    // A field of a column that holds a row: `t.address.city`.
    const of = path.length > 2 ? flowOfName(path.slice(0, -1), scope) : flowOfName([qualifier], scope);
    return unite([...head, of, sourceFlow(null, name)]);
  }
  const found = columnsNamed([relation], name);
  if (found.length > 0) return unite([...head, ...found]);
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

/** The nearest relation with this alias. */
export function relationNamed(alias: string, scope: Scope | undefined): ScopeRelation | undefined {
  for (let at = scope; at; at = at.outer) {
    const found = at.relations.find((relation) => relation.alias === alias);
    if (found) return found;
  }
  return undefined;
}
