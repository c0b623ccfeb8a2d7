import type { Activity as Entry } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import classes from '../../ui/list/entries.module.css';
import { Mark, type Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { homeActivity } from './requests/home.ts';

const everyMs = 15_000;
const shown = 12;

const tones: Readonly<{ [kind in Entry['kind']]: Tone }> = {
  RunSent: 'green',
  RunFailed: 'red',
  RunMissed: 'amber',
  AnomalyDetected: 'amber',
  SubscriptionCreated: 'blue',
  TaskOpened: 'amber',
  TaskResolved: 'green',
  ContractFailed: 'red',
  ContractRecovered: 'green',
};

function wordsOf({ kind, queryName, count, contractId }: Entry): string {
  switch (kind) {
    case 'RunSent':
      return count === null ? `${queryName} was sent` : `${queryName} was sent with ${plural(count, 'row')}`;
    case 'RunFailed':
      return `${queryName} failed`;
    case 'RunMissed':
      return `${plural(count ?? 1, contractId === null ? 'run' : 'evaluation')} of ${queryName} did not start in time`;
    case 'AnomalyDetected':
      return `${queryName} had an unusual number of rows`;
    case 'SubscriptionCreated':
      return `Subscription to ${queryName} was created`;
    case 'TaskOpened':
      return contractId === null
        ? `${queryName} opened a task with ${plural(count ?? 0, 'row')}`
        : `${queryName} failed and opened a task`;
    case 'TaskResolved':
      return `The task of ${queryName} was resolved`;
    case 'ContractFailed':
      return `The data contract ${queryName} failed`;
    case 'ContractRecovered':
      return `The data contract ${queryName} recovered`;
  }
}

function targetOf({ notificationId, taskId, contractId, subscriptionId }: Entry): string {
  if (notificationId !== null) return paths.notification(notificationId);
  if (taskId !== null) return paths.task(taskId);
  if (contractId !== null) return paths.contract(contractId);
  return subscriptionId === null ? paths.home() : paths.subscription(subscriptionId);
}

/** Recent events, newest first. */
export function Activity({ isEnabled }: { readonly isEnabled: boolean }) {
  const activity = useQuery({
    ...homeActivity({ pageSize: String(shown) }),
    enabled: isEnabled,
    refetchInterval: usePollMs(everyMs),
  });
  const items = activity.data?.items;
  return (
    <section className="stack-tight" aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      {activity.isLoadingError ? (
        <ProblemView error={activity.error} onRetry={() => void activity.refetch()} />
      ) : items === undefined || items.length === 0 ? (
        <p className={classes['none']}>
          {activity.isPending && isEnabled
            ? 'Loading activity…'
            : 'No activity in the last 30 days. Runs and new subscriptions appear here.'}
        </p>
      ) : (
        <ul className={classes['list']}>
          {items.map((entry) => (
            <li
              key={`${entry.kind} ${entry.notificationId ?? entry.taskId ?? entry.contractId ?? entry.subscriptionId} ${entry.time}`}
            >
              <Mark tone={tones[entry.kind]} />
              <span className="grow">
                <Link to={targetOf(entry)}>{wordsOf(entry)}</Link>
                {entry.comment !== null && <span className={classes['comment']}>{entry.comment}</span>}
              </span>
              <Time at={entry.time} isQuiet />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
