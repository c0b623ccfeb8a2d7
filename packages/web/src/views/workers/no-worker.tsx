import { Sentence } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './no-worker.module.css';

type Props = {
  readonly workers:
    | {
        readonly hasLiveWorker: boolean;
        readonly lastHeartbeatAt: string | null;
        readonly hasLiveScheduler: boolean;
        readonly unservedQueues: readonly string[];
        readonly pausedQueues: readonly string[];
      }
    | undefined;
};

/**
 * Said while no process runs jobs, fires schedules or takes the jobs of a queue, or while queues are paused: what is due
 * waits then, whatever its health says.
 */
export function NoWorker({ workers }: Props) {
  if (!workers) return null;
  if (workers.hasLiveWorker) return <MissingRoles workers={workers} />;
  return (
    <div className={`panel ${classes['banner']}`} role="alert">
      <Sentence tone="red">
        No process runs jobs at the moment, so nothing that is due starts. Start the service with
        Svc:Jobs:Workers above 0.
      </Sentence>
      {workers.lastHeartbeatAt !== null && (
        <p className="soft">
          Last reported: <Time at={workers.lastHeartbeatAt} />
        </p>
      )}
    </div>
  );
}

function MissingRoles({ workers }: { readonly workers: NonNullable<Props['workers']> }) {
  const { hasLiveScheduler, unservedQueues, pausedQueues } = workers;
  if (hasLiveScheduler && unservedQueues.length === 0 && pausedQueues.length === 0) return null;
  return (
    <div className={`panel ${classes['banner']}`} role="alert">
      {!hasLiveScheduler && (
        <Sentence tone="red">
          No process fires schedules at the moment, so nothing comes due. Start one with Scheduler in
          Svc:Host:Roles.
        </Sentence>
      )}
      {unservedQueues.length > 0 && (
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
