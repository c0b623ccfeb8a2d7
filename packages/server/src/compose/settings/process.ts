import { type JobQueue, jobQueues } from '../../operations/job-queues.ts';
import type { Config } from '../../platform/config/index.ts';

export type ProcessSettings = ReturnType<typeof processSettings>;

/**
 * Returns the share of this process in the service's work. Without workers it takes no jobs and fires no schedules,
 * regardless of its roles.
 *
 * @throws Error that names the key when a queue is unknown, or when the process would have no work.
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
    /** Fires schedules, reclaims jobs of dead processes, removes expired records. */
    isScheduler,
    /** Queues of its workers. */
    queues,
    /** True if the job engine runs in this process. */
    runsJobs,
    /** Watches the start of scheduled work. Roles and queues are irrelevant: a process also watches the others. */
    watches: workers > 0,
    /** Maximum number of concurrent jobs per queue. */
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
