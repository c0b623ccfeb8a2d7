/** One step of a plan, without conditions: they repeat the statement's values. Children follow their parent, one deeper. */
export type PlanNode = {
  /** 0: the outermost. */
  readonly depth: number;
  /** Action in the engine's own words, with its table. */
  readonly label: string;
  readonly estimatedRows: number | null;
  /** Cost in the engine's own unit, including its children; null if the engine reports none. */
  readonly estimatedCost: number | null;
};

export const nodesMax = 200;
export const depthMax = 60;
const labelLengthMax = 200;

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a number: engines write numbers as numbers or as text. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Collects nodes up to a limit for display. */
export function collectNodes(): { readonly nodes: PlanNode[]; readonly add: (node: PlanNode) => void } {
  const nodes: PlanNode[] = [];
  return {
    nodes,
    add: (node) => {
      if (nodes.length < nodesMax) nodes.push({ ...node, label: node.label.slice(0, labelLengthMax) });
    },
  };
}

/** Writes a name of the engine such as `HASH_GROUP_BY` with spaces. */
export const spacedText = (name: string): string => name.replaceAll('_', ' ').replaceAll('-', ' ');

/** Splits `ReadFromMergeTree` and `TableScan` into words; `JOIN` and `TTL` remain unchanged. */
export const spacedName = (type: string): string => type.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

/** Joins the parts of a label. Omits absent parts. */
export const labelOf = (...parts: readonly (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' ');
