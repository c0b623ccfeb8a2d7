import { defineJob } from '@svc/jobs';

const timeoutMs = 180_000;

const idOf = (value: unknown, name: string): number => {
  const id: unknown = Reflect.get(Object(value), name);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return id;
};

/** One think of an actor. An error of a model, a gate or a data source is a result and is not retried. */
export const thinkJob = defineJob<{ readonly thinkId: number }>({
  name: 'think-ai-actor',
  queue: 'ai',
  retry: { attemptsMax: 2, delaysMs: [1_000] },
  timeoutMs,
  parse: (value) => ({ thinkId: idOf(value, 'thinkId') }),
});

/** A due time of an actor's schedule. */
export const actorTick = defineJob<{ readonly actorId: number }>({
  name: 'ai-actor-tick',
  queue: 'ai',
  parse: (value) => ({ actorId: idOf(value, 'actorId') }),
});

/** Maintains actors: owners without rights, expired plans, aborted thinks. */
export const actorUpkeep = defineJob<null>({
  name: 'ai-actor-upkeep',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});
