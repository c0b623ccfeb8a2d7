import type { Cell } from '../../values.ts';
import { collectNodes, depthMax, type PlanNode } from './node.ts';

/** Reads rows of `EXPLAIN QUERY PLAN`: id, parent, not used, detail. SQLite reports neither rows nor costs. */
export function sqliteNodes(rows: readonly (readonly Cell[])[]): PlanNode[] {
  const { nodes, add } = collectNodes();
  const depths = new Map<string, number>();
  for (const [id, parent, , detail] of rows) {
    const depth = Math.min(depthMax, (depths.get(String(parent)) ?? -1) + 1);
    depths.set(String(id), depth);
    add({ depth, label: String(detail ?? ''), estimatedRows: null, estimatedCost: null });
  }
  return nodes;
}
