import { executionAsyncResource } from 'node:async_hooks';

/** What Node queued for one call of `process.nextTick`. */
const kept: object[] = [];
let isAsked = false;

/**
 * Keeps `process.nextTick` as fast as it is when a process begins. V8 forgets the shape of the objects that Node queues
 * for it when a full garbage collection finds none of them alive; from then on each is made property by property, by
 * calls of the runtime, and takes five times as long for as long as the process runs (seen with Node 24). A request takes
 * six of them, a statement of `pg` some more. One object that stays alive keeps the shape
 * (`trials/observability/next-tick.ts`).
 *
 * What it holds on to is that object and the asynchronous context of the first caller.
 */
export function keepTicksFast(): void {
  if (isAsked) return;
  isAsked = true;
  process.nextTick(() => {
    kept.push(executionAsyncResource());
  });
}
