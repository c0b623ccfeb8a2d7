import { collectNodes, isObject, numberOf, type PlanNode } from './node.ts';

const accuracyWords = new Map<unknown, string>([
  ['exact', ''],
  ['at-least', 'at least '],
  ['at-most', 'at most '],
]);
const byteUnits = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Formats bytes for display, e.g. `1.5 GiB`. */
function bytesText(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1_024 && unit < byteUnits.length - 1) {
    amount /= 1_024;
    unit++;
  }
  return `${Number(amount.toFixed(1))} ${byteUnits[unit]}`;
}

/** Reads a dry run of BigQuery: its cost is the scanned bytes, and its children are the tables. */
export function bigqueryNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = collectNodes();
  if (!isObject(plan)) return nodes;
  const scanned = numberOf(plan['scannedBytes']);
  if (scanned === null) return nodes;
  const about = accuracyWords.get(plan['accuracy']) ?? 'about ';
  add({ depth: 0, label: `Scan ${about}${bytesText(scanned)}`, estimatedRows: null, estimatedCost: scanned });
  const tables = Array.isArray(plan['tables']) ? plan['tables'] : [];
  for (const table of tables)
    add({ depth: 1, label: `Read ${String(table)}`, estimatedRows: null, estimatedCost: null });
  return nodes;
}
