import type { LineageBody, LineageCte, LineageExpression, LineageQuery, LineageRelation } from './query.ts';

/**
 * Returns the CTEs in the order in which they can be resolved: WITH RECURSIVE lets a CTE read a later one. CTEs that
 * read each other stay in the order of the statement.
 */
export function inOrderOfUse(ctes: readonly LineageCte[]): readonly LineageCte[] {
  if (ctes.length < 2 || !ctes.some(({ isRecursive }) => isRecursive)) return ctes;
  const byName = new Map(ctes.map((cte) => [cte.name, cte]));
  const ordered = new Set<LineageCte>();
  const entered = new Set<LineageCte>();
  const add = (cte: LineageCte): void => {
    if (entered.has(cte)) return;
    entered.add(cte);
    for (const name of tablesOf(cte.query)) {
      const used = byName.get(name);
      if (used) add(used);
    }
    ordered.add(cte);
  };
  for (const cte of ctes) add(cte);
  return [...ordered];
}

/** Returns the names without a schema in the FROM clauses of a query, including its own CTEs. */
function tablesOf(query: LineageQuery): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: LineageQuery[] = [query];
  const ofExpression = (expression: LineageExpression): void => {
    if (expression.kind === 'query') pending.push(expression.query);
    if (expression.kind === 'combine' || expression.kind === 'unknown')
      expression.parts.forEach(ofExpression);
  };
  const ofRelation = ({ source }: LineageRelation): void => {
    if (source.kind === 'table' && source.path.length === 1) names.add(source.path[0] ?? '');
    if (source.kind === 'query') pending.push(source.query);
    if (source.kind === 'unknown') source.parts.forEach(ofExpression);
    if (source.kind === 'columns') for (const { value } of source.columns) ofExpression(value);
    if (source.kind !== 'join') return;
    ofRelation(source.left);
    ofRelation(source.right);
  };
  const ofBody = (body: LineageBody): void => {
    if (body.kind === 'set') pending.push(body.left, body.right);
    if (body.kind === 'values') body.rows.flat().forEach(ofExpression);
    if (body.kind !== 'select') return;
    body.from.forEach(ofRelation);
    for (const item of body.items) {
      if (item.kind !== 'star') ofExpression(item.value);
      else for (const value of item.change?.replaced.values() ?? []) ofExpression(value);
    }
  };
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const cte of next.ctes) pending.push(cte.query);
    ofBody(next.body);
  }
  return names;
}
