import { randomUUID } from 'node:crypto';
import type { QueryStepInput } from '@svc/contract';

export type KeyedStep = {
  readonly key: string;
  readonly order: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly dataSourceId: number;
  readonly sql: string;
};

const sameContent = (a: Omit<KeyedStep, 'key' | 'order'>, b: KeyedStep): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  a.dataSourceId === b.dataSourceId &&
  a.sql === b.sql;

/**
 * Gives each step of a save its key. A key that the caller sends is kept; a step without one takes the key of the
 * stored step that says the same, else of the one in its place, else a new one: programs that know no keys keep them.
 */
export function keyedSteps(
  steps: readonly QueryStepInput[],
  stored: readonly KeyedStep[],
  newKey: () => string = randomUUID,
): KeyedStep[] {
  const taken = new Set(steps.flatMap((step) => step.key?.toLowerCase() ?? []));
  const take = (candidate: KeyedStep | undefined): string | undefined => {
    if (!candidate || taken.has(candidate.key)) return undefined;
    taken.add(candidate.key);
    return candidate.key;
  };
  const contents = steps.map(({ name, description, dataSourceId, sql }) => ({
    name: name ?? null,
    description: description ?? null,
    dataSourceId,
    sql,
  }));
  // What says the same takes its key first: a step put in front must not take the key of the one behind it.
  const same = steps.map(
    (step, index) =>
      step.key?.toLowerCase() ??
      take(
        [stored[index], ...stored].find(
          (old) => old && !taken.has(old.key) && contents[index] && sameContent(contents[index], old),
        ),
      ),
  );
  return contents.map((content, index) => ({
    key: same[index] ?? take(stored[index]) ?? newKey(),
    order: index + 1,
    ...content,
  }));
}
