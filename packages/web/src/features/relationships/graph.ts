import type { Relationship } from '@svc/contract';
import { tableName } from './end-text.tsx';

/** Table that has relationships. */
export type GraphNode = { readonly name: string; readonly degree: number };
/** One or several relationships between two tables. */
export type GraphEdge = { readonly from: string; readonly to: string; readonly count: number };
export type Graph = { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] };

/** Maximum number of tables that are readable in one graph. */
export const nodesMax = 300;

/** Returns the graph of the relationships. Relationships between the same two tables are one edge. */
export function graphOf(relationships: readonly Pick<Relationship, 'source' | 'target'>[]): Graph {
  const edges = new Map<string, GraphEdge>();
  const degrees = new Map<string, number>();
  for (const { source, target } of relationships) {
    const [from, to] = [tableName(source), tableName(target)];
    const key = JSON.stringify([from, to]);
    edges.set(key, { from, to, count: (edges.get(key)?.count ?? 0) + 1 });
    for (const name of new Set([from, to])) degrees.set(name, (degrees.get(name) ?? 0) + 1);
  }
  const nodes = [...degrees].map(([name, degree]) => ({ name, degree }));
  return { nodes: nodes.sort((a, b) => a.name.localeCompare(b.name)), edges: [...edges.values()] };
}

/** Returns the connected components, largest first. */
export function componentsOf({ nodes, edges }: Graph): Graph[] {
  const neighbours = new Map<string, string[]>(nodes.map(({ name }) => [name, []]));
  for (const { from, to } of edges) {
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const groupOf = new Map<string, number>();
  let count = 0;
  for (const { name } of nodes) {
    if (groupOf.has(name)) continue;
    const waiting = [name];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (groupOf.has(next)) continue;
      groupOf.set(next, count);
      waiting.push(...(neighbours.get(next) ?? []));
    }
    count += 1;
  }
  const groups = Array.from({ length: count }, (_, group) => ({
    nodes: nodes.filter(({ name }) => groupOf.get(name) === group),
    edges: edges.filter(({ from }) => groupOf.get(from) === group),
  }));
  return groups.sort((a, b) => b.nodes.length - a.nodes.length);
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';
type Point = { readonly x: number; readonly y: number };

/** Returns the nearest table in a direction. Undefined at the edge. */
export function nearestIn<T extends Point>(
  from: Point,
  others: readonly T[],
  direction: Direction,
): T | undefined {
  const along = ({ x, y }: Point): number =>
    ({
      ArrowUp: from.y - y,
      ArrowDown: y - from.y,
      ArrowLeft: from.x - x,
      ArrowRight: x - from.x,
    })[direction];
  const isUpright = direction === 'ArrowUp' || direction === 'ArrowDown';
  const aside = ({ x, y }: Point): number => Math.abs(isUpright ? x - from.x : y - from.y);
  // The perpendicular distance has double weight, so that arrows prefer tables straight ahead.
  return others
    .filter((one) => along(one) > 0)
    .sort((a, b) => along(a) + 2 * aside(a) - along(b) - 2 * aside(b))[0];
}
