import { Button } from '@mantine/core';
import { reactivateSubscription, type Subscription, testRunSubscription } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { viewerZone } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { subscription } from '../../requests/subscriptions.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { AlertStatus } from '../../views/alerts/alert-status.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { NextTimes } from '../../views/schedule/schedule-fields.tsx';
import { SubscriptionState } from '../../views/subscriptions/subscription-state.tsx';
import { RowCounts } from './counts/row-counts.tsx';
import { SubscriptionMessage } from './message-preview.tsx';
import { SubscriptionActs } from './subscription-acts.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { SubscriptionNotices } from './subscription-notices.tsx';
import { SubscriptionRecipients } from './subscription-recipients.tsx';
import { rowsAndRuns } from './subscription-runs.tsx';

/** Page of one subscription: settings, recipients and runs. */
export function SubscriptionPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={subscription(id)}>
      {(record) => <SubscriptionView key={record.id} record={record} />}
    </Record>
  );
}

function SubscriptionView({ record }: { readonly record: Subscription }) {
  const { canWrite } = useRights();
  const test = useTestRun(record.id);
  const isActive = record.state === 'Active';
  return (
    <>
      <PageHeader
        title={record.queryName}
        parent={{ to: paths.subscriptions(), label: 'Subscriptions' }}
        facts={
          <>
            <SubscriptionState record={scheduleOf(record)} />
            <span>{record.schedule.description}</span>
            {record.alertState !== null && (
              <AlertStatus alert={record.alertState} quiet="No rows" pending="Rows, alert pending" />
            )}
            {record.snoozedUntil !== null && <Tag>Snoozed</Tag>}
            {record.isDemo && <Tag>Demo</Tag>}
            {isActive && <ManagedBadge kind="Subscription" id={record.id} />}
          </>
        }
        actions={
          canWrite && (
            <>
              {isActive && <SubscriptionActs record={record} />}
              {isActive ? <TestNow {...test} /> : <Reactivate record={record} />}
            </>
          )
        }
      />
      <ProblemNote error={test.error} />
      <SubscriptionNotices record={record} />
      <Detail
        sections={[
          ...rowsAndRuns(record),
          {
            id: 'counts',
            label: 'Row counts',
            content: <RowCounts record={record} canWrite={canWrite && isActive} />,
          },
          {
            id: 'recipients',
            label: 'Recipients',
            count: record.recipients.length,
            content: <SubscriptionRecipients record={record} canWrite={canWrite && isActive} />,
          },
          { id: 'message', label: 'Message', content: <SubscriptionMessage record={record} /> },
          {
            id: 'schedule',
            label: 'Schedule',
            content: <Schedule record={record} />,
          },
        ]}
        side={<SubscriptionFacts record={record} />}
      />
    </>
  );
}

/** Returns the state of the schedule and of the last run. The alert and the snooze have separate labels. */
const scheduleOf = ({ state, pausedSince, lastRun }: Subscription) => ({ state, pausedSince, lastRun });

/** Test run with real deliveries. It opens the page of the run. */
function useTestRun(id: number) {
  const go = useGo();
  const test = useChange(testRunSubscription, { touches: ['notifications'] });
  const start = () =>
    void test.mutateAsync({ params: { id } }).then(
      (run) => {
        toastDone('The test run has started, with real deliveries.');
        go(paths.notification(run.id));
      },
      () => undefined,
    );
  return { start, isPending: test.isPending, error: test.error };
}

type TestProps = Pick<ReturnType<typeof useTestRun>, 'start' | 'isPending'>;

const TestNow = ({ start, isPending }: TestProps) => (
  <Button variant="filled" leftSection={<Icon name="send" />} loading={isPending} onClick={start}>
    Test now
  </Button>
);

function Reactivate({ record }: { readonly record: Subscription }) {
  const reactivate = useChange(reactivateSubscription);
  return (
    <Button
      variant="filled"
      loading={reactivate.isPending}
      onClick={() => void reactivate.mutateAsync({ params: { id: record.id } }).catch(toastProblem)}
    >
      Reactivate
    </Button>
  );
}

function Schedule({ record }: { readonly record: Subscription }) {
  return (
    <>
      <p>
        <code>{record.schedule.cronExpression}</code> in {record.schedule.timeZone}
        {record.schedule.timeZone !== viewerZone && `; your time zone is ${viewerZone}`}. With another
        schedule a new subscription takes the place of this one.
      </p>
      <NextTimes expression={record.schedule.cronExpression} timeZone={record.schedule.timeZone} />
    </>
  );
}
