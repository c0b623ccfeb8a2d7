import type { NotificationDetail } from '@svc/contract';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { RunState } from '../../views/runs/run-status.tsx';
import { Deliveries } from './deliveries.tsx';
import { notification } from './requests/notification.ts';
import { ResendFailedButton } from './resend.tsx';
import { runFacts } from './run-facts.tsx';
import { RunRows } from './run-rows.tsx';
import { RunTimeline } from './timeline/run-timeline.tsx';
import { useOrderedAttempts } from './use-ordered-attempts.ts';
import { WhatWentWrong } from './what-went-wrong.tsx';

/** Page of one run: its result and each delivery. */
export function NotificationPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={notification(id)}>{(record) => <RunView key={record.id} record={record} />}</Record>;
}

function RunView({ record }: { readonly record: NotificationDetail }) {
  const follow = useOrderedAttempts(record);
  return (
    <>
      <PageHeader
        title={record.queryName}
        parent={{ to: paths.notifications(), label: 'Notifications' }}
        facts={
          <>
            <span role="status">
              <RunState {...record} />
            </span>
            {record.origin === 'Test' && <Tag>Test</Tag>}
            {record.recoveredAt !== null && <Tag>Recovered</Tag>}
            <Time at={record.createdTime} />
          </>
        }
        actions={<ResendFailedButton record={record} onOrdered={follow} />}
      />
      <WhatWentWrong record={record} />
      <Detail
        sections={[
          {
            id: 'deliveries',
            label: 'Deliveries',
            count: record.deliveries.length,
            content: <Deliveries record={record} onOrdered={follow} />,
          },
          { id: 'timeline', label: 'Timeline', content: <RunTimeline id={record.id} /> },
          { id: 'rows', label: 'Rows', content: <RunRows record={record} /> },
        ]}
        side={<Facts facts={runFacts(record)} />}
      />
    </>
  );
}
