import type { DefinitionDifference, DefinitionPart, QueryParameter } from '@svc/contract';
import type { VersionDefinition } from '../queries/index.ts';

type Value = DefinitionDifference['before'];
type Listed<T extends Value> = { readonly key: string; readonly value: T; readonly says: string };

/** Returns the differences from definition `from` to definition `to`, part by part, in reading order. */
export function differencesOf(from: VersionDefinition, to: VersionDefinition): DefinitionDifference[] {
  return [
    ...textDifference('Name', from.name, to.name),
    ...textDifference('Description', from.description, to.description),
    ...listDifferences('Step', stepsOf(from), stepsOf(to)),
    ...textDifference('FinalQuery', from.finalQuery, to.finalQuery),
    ...listDifferences('Parameter', parametersOf(from), parametersOf(to)),
  ];
}

function textDifference(
  part: DefinitionPart,
  before: string | null,
  after: string | null,
): DefinitionDifference[] {
  if (before === after) return [];
  const change = before === null ? 'Added' : after === null ? 'Removed' : 'Changed';
  return [{ part, key: null, change, before, after }];
}

const stepsOf = ({ steps }: VersionDefinition): Listed<VersionDefinition['steps'][number]>[] =>
  steps.map((step) => ({
    key: step.key,
    value: step,
    says: JSON.stringify([step.name, step.description, step.dataSourceId, step.sql]),
  }));

/** Returns the content of a parameter for comparison. An omitted member equals its default. */
const saysOf = ({ type, description, defaultValue, isRequired }: QueryParameter): string =>
  JSON.stringify([type, description ?? null, defaultValue ?? null, isRequired ?? true]);

const parametersOf = ({ parameters }: VersionDefinition): Listed<QueryParameter>[] =>
  parameters.map((parameter) => ({ key: parameter.name, value: parameter, says: saysOf(parameter) }));

/** Returns the removed entries, then the others in their new order. */
function listDifferences<T extends Value>(
  part: DefinitionPart,
  from: readonly Listed<T>[],
  to: readonly Listed<T>[],
): DefinitionDifference[] {
  const old = new Map(from.map((entry) => [entry.key, entry]));
  const laterKeys = new Set(to.map(({ key }) => key));
  const moved = movedKeys(
    from.map(({ key }) => key).filter((key) => laterKeys.has(key)),
    to.map(({ key }) => key).filter((key) => old.has(key)),
  );
  const removed = from
    .filter(({ key }) => !laterKeys.has(key))
    .map(({ key, value }) => ({ part, key, change: 'Removed' as const, before: value, after: null }));
  const others = to.flatMap(({ key, value, says }): DefinitionDifference[] => {
    const before = old.get(key);
    if (!before) return [{ part, key, change: 'Added', before: null, after: value }];
    if (before.says !== says) return [{ part, key, change: 'Changed', before: before.value, after: value }];
    return moved.has(key) ? [{ part, key, change: 'Moved', before: before.value, after: value }] : [];
  });
  return [...removed, ...others];
}

/**
 * Returns the smallest set of keys that must move so that one order becomes the other: all keys outside a longest
 * common subsequence.
 */
function movedKeys(from: readonly string[], to: readonly string[]): ReadonlySet<string> {
  const place = new Map(from.map((key, index) => [key, index]));
  const places = to.map((key) => place.get(key) ?? -1);
  // Longest increasing sequence of places that ends at each key, as a list of indexes.
  const runs: number[][] = [];
  for (const [index, at] of places.entries()) {
    const best = runs
      .slice(0, index)
      .filter((run) => (places[run.at(-1) ?? 0] ?? 0) < at)
      .reduce<number[]>((longest, run) => (run.length > longest.length ? run : longest), []);
    runs.push([...best, index]);
  }
  const staying = runs.reduce<number[]>((longest, run) => (run.length > longest.length ? run : longest), []);
  return new Set(to.filter((_key, index) => !staying.includes(index)));
}
