import { type JobQueue, jobQueues } from '../../operations/job-queues.ts';
import type { Config } from '../../platform/config/index.ts';

export type ProcessSettings = ReturnType<typeof processSettings>;

/**
 * What this process does of the service's work, beside others on the same database. Without workers it takes no jobs
 * and fires no schedules, whatever its roles say.
 *
 * @throws Error that names the key when a queue is unknown, or nothing is left to do.
 */
export function processSettings(config: Config) {
  const workers = config['Svc:Jobs:Workers'];
  const roles = config['Svc:Host:Roles'];
  const runs = (role: string): boolean => workers > 0 && roles.includes(role);
  const served = servedQueues(config['Svc:Jobs:Queues']);
  const queues = runs('Worker') ? served : [];
  const isWeb = roles.includes('Web');
  const isScheduler = runs('Scheduler');
  const runsJobs = isScheduler || queues.length > 0;
  if (!isWeb && !runsJobs)
    throw new Error(
      `The setting Svc:Host:Roles leaves this process nothing to do: with Svc:Jobs:Workers at 0 it needs the role Web.`,
    );
  return {
    /** Serves pages, the API, MCP and the hub. */
    isWeb,
    /** Fires schedules, takes back jobs of processes that are gone, removes what has expired. */
    isScheduler,
    /** Queues that its workers take jobs of. */
    queues,
    /** The job engine runs here at all. */
    runsJobs,
    /** Watches that scheduled work starts. Neither roles nor queues matter: a process watches the others, too. */
    watches: workers > 0,
    /** Jobs of a queue at once. */
    workers,
  };
}

function servedQueues(names: readonly string[]): readonly JobQueue[] {
  const unknown = names.filter((name) => !jobQueues.some((queue) => queue === name));
  if (unknown.length > 0)
    throw new Error(
      `The setting Svc:Jobs:Queues names ${unknown.join(', ')}, which is no queue. Queues are: ${jobQueues.join(', ')}.`,
    );
  return names.length === 0 ? jobQueues : jobQueues.filter((queue) => names.includes(queue));
}
