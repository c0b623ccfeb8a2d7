import { type Jobs, requireSlot } from '@svc/jobs';
import { systemCaller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Acting } from './owner.ts';
import type { ClosePlan } from './plans/close.ts';
import { overduePlans } from './plans/store.ts';
import { activeActorIds, findActor, lockActor } from './store.ts';
import type { EndThinking } from './thinking/ending/end.ts';
import { actorTick, actorUpkeep, thinkJob } from './thinking/jobs.ts';
import type { StartThinking } from './thinking/start.ts';
import { abandonedThinks } from './thinking/store.ts';
import type { createThink } from './thinking/think.ts';

/** Longer than a job with all its attempts. */
const abandonedAfterMinutes = 15;

/** Creates the background jobs of actors: thinks, ticks and upkeep. */
export function createActorJobs(deps: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly clock: Clock;
  readonly acting: Acting;
  readonly ending: EndThinking;
  readonly starting: Pick<StartThinking, 'byTick'>;
  readonly closePlan: ClosePlan;
  readonly think: ReturnType<typeof createThink>;
}) {
  const { jobs, database, ending } = deps;

  const expirePlans = async (): Promise<void> => {
    for (const { id, actorId } of await overduePlans(database, statementTime(deps.clock)))
      await database.transaction(async (tx) => {
        await lockActor(tx, actorId);
        await deps.closePlan(tx, { caller: systemCaller }, id, { status: 'Expired', comment: null });
      });
  };

  const pauseUnfitOwners = async (): Promise<void> => {
    for (const id of await activeActorIds(database)) {
      const actor = await findActor(database, id);
      if (actor && !(await deps.acting.asOwner(database, actor))) await ending.pauseForOwner(id);
    }
  };

  const maintain = async (): Promise<void> => {
    await expirePlans();
    await pauseUnfitOwners();
    const interruption = { code: 'Interrupted', message: 'The work on it was cut short.' };
    for (const id of await abandonedThinks(database, abandonedAfterMinutes))
      await ending.fail(id, interruption, {});
  };

  jobs.handle(thinkJob, ({ thinkId }, job) => deps.think(thinkId, job));
  jobs.handle(actorTick, async ({ actorId }, run) => {
    const slotAt = requireSlot(run);
    const skipReason = await database.transaction((tx) => deps.starting.byTick(tx, actorId, slotAt));
    if (skipReason !== null) run.log(skipReason);
  });
  jobs.handle(actorUpkeep, maintain);

  return {
    /** Runs the upkeep immediately. */
    maintain,
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:ai-actors',
        cron: '* * * * *',
        timeZone: 'UTC',
        job: actorUpkeep,
        payload: null,
      });
    },
  };
}
