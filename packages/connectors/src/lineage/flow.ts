import type { ColumnSources, SourceName } from './query.ts';

/** Sources of a value, and the reason why they may be incomplete. */
export type Flow = { readonly names: ReadonlyMap<string, SourceName>; readonly unknown: string | null };

/** Column of a relation or a result. */
export type FlowColumn = { readonly name: string; readonly flow: Flow };

export const noFlow: Flow = { names: new Map(), unknown: null };

export const unknownFlow = (why: string): Flow => ({ names: new Map(), unknown: why });

export const sourceFlow = (relation: string | null, column: string): Flow => ({
  names: new Map([[`${relation ?? ''} ${column}`, { relation, column }]]),
  unknown: null,
});

export function unite(flows: readonly Flow[]): Flow {
  const [only] = flows;
  if (only && flows.length === 1) return only;
  const names = new Map<string, SourceName>();
  let unknown: string | null = null;
  for (const flow of flows) {
    for (const [key, name] of flow.names) names.set(key, name);
    unknown ??= flow.unknown;
  }
  return { names, unknown };
}

export const sourcesOf = ({ names, unknown }: Flow): ColumnSources => ({
  names: [...names.values()],
  unknown,
});
