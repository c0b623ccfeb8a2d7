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
export type Scope = { readonly relations: readonly ScopeRelation[]; readonly outer: Scope | undefined };

/** Columns that every table of PostgreSQL has, and that hold no data. */
const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

/** The flow of a name: a column, a relation's row, or a function of a row. */
export function flowOfName(path: readonly string[], scope: Scope | undefined): Flow {
  const name = path.at(-1) ?? '';
  const qualifier = path.length > 1 ? path.at(-2) : undefined;
  if (qualifier !== undefined) return flowOfQualified(path, qualifier, name, scope);
  for (let at = scope; at; at = at.outer) {
    const found = columnsNamed(
      at.relations.filter(({ isHidden }) => !isHidden),
      name,
    );
    if (found.length > 0) return unite(found);
    const row = at.relations.find(({ alias }) => alias === name);
    if (row) return row.row;
    const isOpen = at.relations.some(({ columns }) => columns === undefined);
    if (isOpen)
      return unite([...at.relations.map(({ row: all }) => all), unknownFlow(`the origin of ${name}`)]);
  }
  return systemColumns.has(name) ? noFlow : unknownFlow(`the origin of ${name}`);
}

function flowOfQualified(
  path: readonly string[],
  qualifier: string,
  name: string,
  scope: Scope | undefined,
): Flow {
  const relation = relationNamed(qualifier, scope);
  if (!relation) {
    // A field of a column that holds a row: `t.address.city`.
    const of = path.length > 2 ? flowOfName(path.slice(0, -1), scope) : flowOfName([qualifier], scope);
    return unite([of, sourceFlow(null, name)]);
  }
  const found = columnsNamed([relation], name);
  if (found.length > 0) return unite(found);
  if (systemColumns.has(name)) return noFlow;
  const flow = unite([relation.row, sourceFlow(null, name)]);
  return relation.columns ? flow : unite([flow, unknownFlow(`the columns of ${qualifier}`)]);
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
