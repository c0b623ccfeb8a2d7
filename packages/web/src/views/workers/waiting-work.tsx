import { Sentence } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './waiting-work.module.css';

type Workers = {
  readonly hasLiveWorker: boolean;
  readonly lastHeartbeatAt: string | null;
  readonly hasLiveScheduler: boolean;
  readonly unservedQueues: readonly string[];
  readonly pausedQueues: readonly string[];
};

/**
 * Explains why jobs wait: no process runs jobs, triggers schedules or serves a queue, or queues are paused. Due work
 * then waits, although the health check is positive.
 */
export function WaitingWork({ workers }: { readonly workers: Workers | undefined }) {
  if (!workers) return null;
  const { hasLiveWorker, lastHeartbeatAt, hasLiveScheduler, unservedQueues, pausedQueues } = workers;
  const isServed = hasLiveScheduler && unservedQueues.length === 0;
  if (hasLiveWorker && isServed && pausedQueues.length === 0) return null;
  return (
    <div className={`panel ${classes['banner']}`} role="alert">
      {!hasLiveWorker && (
        <Sentence tone="red">
          {`${
            hasLiveScheduler
              ? 'No process runs jobs at the moment, so nothing that is due starts.'
              : 'No process runs jobs or fires schedules at the moment, so nothing comes due or starts.'
          } Start the service with Svc:Jobs:Workers above 0.`}
        </Sentence>
      )}
      {!hasLiveWorker && lastHeartbeatAt !== null && (
        <p className="soft">
          Last reported: <Time at={lastHeartbeatAt} />
        </p>
      )}
      {hasLiveWorker && !hasLiveScheduler && (
        <Sentence tone="red">
          No process fires schedules at the moment, so nothing comes due. Start one with Scheduler in
          Svc:Host:Roles.
        </Sentence>
      )}
      {hasLiveWorker && unservedQueues.length > 0 && (
        <Sentence tone="red">
          {`No process takes jobs of ${unservedQueues.join(', ')} at the moment: they wait. Start one with Worker in Svc:Host:Roles that serves these queues.`}
        </Sentence>
      )}
      {pausedQueues.length > 0 && (
        <Sentence tone="amber">
          {`Paused: ${pausedQueues.join(', ')}. What is in these queues waits until an Admin resumes them on the job dashboard.`}
        </Sentence>
      )}
    </div>
  );
}
