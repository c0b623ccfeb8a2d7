import { errorText } from '../errors.ts';
import { removeServer } from '../sql/servers.ts';
import type { Loop } from './loop.ts';
import type { Executions } from './work/executions.ts';
import type { Finisher } from './work/finisher.ts';
import { type ReleaseDeps, releaseHeld } from './work/release-held.ts';
import type { RunNotes } from './work/run-notes.ts';
import type { Worker } from './work/worker.ts';

/** Time between the abort of running jobs at a stop and their release. */
const abortGraceMs = 2_000;

export type StopDeps = ReleaseDeps & {
  readonly serverId: string;
  readonly workers: ReadonlyMap<string, Worker>;
  readonly executions: Executions;
  readonly finisher: Finisher;
  readonly notes: RunNotes;
  readonly pulse: Loop;
  readonly groups: Loop;
  readonly upkeep: readonly Loop[];
  readonly listener: { stop(): Promise<void> } | null;
  /** Renews the leases, so it stops after the jobs. */
  readonly keeper: Loop;
};

/** Resolves to true when the work settles within the time. */
async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, timeoutMs, false);
  const isInTime = await Promise.race([work.then(() => true as const), late.promise]);
  clearTimeout(timer);
  return isInTime;
}

/** Waits for the running jobs, then aborts their signals and waits for the grace period. */
async function endJobs({ held, executions }: StopDeps, timeoutMs: number): Promise<void> {
  if (await endsWithin(executions.settled(), timeoutMs)) return;
  for (const job of held.all()) if (job.startedAtMs !== null) job.abort('Stopping');
  await endsWithin(executions.settled(), abortGraceMs);
}

/** Stops claims, loops and the listener. Releases the jobs that have not started. */
async function stopIntake(deps: StopDeps): Promise<void> {
  await Promise.all([...deps.workers.values()].map((worker) => worker.stopClaiming()));
  await Promise.all([
    deps.pulse.stop(),
    ...deps.upkeep.map((loop) => loop.stop()),
    deps.groups.stop(),
    deps.listener?.stop(),
    releaseHeld(
      deps,
      deps.held.all().filter((job) => job.startedAtMs === null),
    ),
  ]);
}

/** Stops the engine of a process, see `Engine.stop`. The order is fixed: leases are renewed until all ends are recorded. */
export async function stopEngine(deps: StopDeps, timeoutMs: number): Promise<void> {
  const { sql, logger, finisher } = deps;
  await stopIntake(deps);
  await endJobs(deps, timeoutMs);
  if (!(await endsWithin(finisher.drained(), abortGraceMs))) {
    finisher.abandon();
    logger.warn({}, 'ends of jobs could not be recorded before the stop; their leases will run out');
  }
  await deps.keeper.stop();
  await releaseHeld(deps, deps.held.all());
  await deps.notes
    .stop()
    .catch((error) => logger.warn({ error: errorText(error) }, 'notes of jobs could not be stored'));
  await removeServer(sql, deps.serverId).catch((error) =>
    logger.warn({ error: errorText(error) }, 'the row of the process could not be removed'),
  );
}
