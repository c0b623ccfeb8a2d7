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
 * Assigns a key to each step of a save. A key from the caller is preserved. A step without one gets the first of these
 * that is available:
 * - the key of the stored step with the same content
 * - the key of the stored step in the same place
 * - a new key
 *
 * Keys therefore survive saves by programs that do not send keys.
 */
export function keyedSteps(
  steps: readonly QueryStepInput[],
  stored: readonly KeyedStep[],
  newKey: () => string = randomUUID,
): KeyedStep[] {
  const usedKeys = new Set(steps.flatMap((step) => step.key?.toLowerCase() ?? []));
  const take = (candidate: KeyedStep | undefined): string | undefined => {
    if (!candidate || usedKeys.has(candidate.key)) return undefined;
    usedKeys.add(candidate.key);
    return candidate.key;
  };
  const contents = steps.map(({ name, description, dataSourceId, sql }) => ({
    name: name ?? null,
    description: description ?? null,
    dataSourceId,
    sql,
  }));
  // Steps with the same content get their keys first: an inserted step must not take the key of the step after it.
  const same = steps.map(
    (step, index) =>
      step.key?.toLowerCase() ??
      take(
        [stored[index], ...stored].find(
          (old) => old && !usedKeys.has(old.key) && contents[index] && sameContent(contents[index], old),
        ),
      ),
  );
  return contents.map((content, index) => ({
    key: same[index] ?? take(stored[index]) ?? newKey(),
    order: index + 1,
    ...content,
  }));
}
