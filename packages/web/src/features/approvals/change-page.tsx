import { Button } from '@mantine/core';
import type { ChangeDetail } from '@svc/contract';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ChangeState, summaryOf } from './change-facts.tsx';
import classes from './comparison.module.css';
import { Comparison } from './comparison.tsx';
import { ApproveDialog, RejectDialog } from './decision-dialog.tsx';
import { change } from './requests/change.ts';

/** Page of one request: the approved version, the requested version, and the decision. */
export function ChangePage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={change(id)}>{(record) => <ChangeView key={record.id} record={record} />}</Record>;
}

function ChangeView({ record }: { readonly record: ChangeDetail }) {
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const isWaiting = record.status === 'Pending';
  const close = () => setDeciding(null);
  return (
    <>
      <PageHeader
        title={record.targetName}
        parent={{ to: paths.approvals(), label: 'Approvals' }}
        facts={
          <>
            <span role="status">
              <ChangeState status={record.status} />
            </span>
            <span>{summaryOf(record)}</span>
          </>
        }
        actions={
          isWaiting && !record.isOwn ? (
            <>
              <Button onClick={() => setDeciding('reject')}>Reject</Button>
              <Button
                variant="filled"
                disabled={!record.after.isReadable}
                onClick={() => setDeciding('approve')}
              >
                Approve
              </Button>
            </>
          ) : undefined
        }
      />
      <Detail
        sections={[
          {
            id: 'change',
            label: 'Change',
            content: (
              <>
                {isWaiting && record.isOwn && (
                  <p className={classes['note']}>
                    You asked for this change: somebody else must decide about it. You may withdraw it on the
                    Recipients page.
                  </p>
                )}
                {record.comment !== null && <p className={classes['note']}>{record.comment}</p>}
                <Comparison record={record} />
              </>
            ),
          },
        ]}
        side={<ChangeFacts record={record} />}
      />
      {deciding === 'approve' && <ApproveDialog record={record} onClose={close} />}
      {deciding === 'reject' && <RejectDialog record={record} onClose={close} />}
    </>
  );
}

function ChangeFacts({ record }: { readonly record: ChangeDetail }) {
  const facts = [
    { label: 'Requested by', value: record.isOwn ? 'You' : (record.requestedByUserName ?? 'The service') },
    { label: 'Requested', value: <Time at={record.submittedAt} /> },
    {
      label: 'Subscriptions',
      value: <span className="mono">{count(record.subscriptionCount)}</span>,
    },
    ...(record.decidedAt === null
      ? []
      : [
          { label: record.status, value: <Time at={record.decidedAt} /> },
          { label: 'By', value: record.decidedByUserName ?? 'The service' },
        ]),
  ];
  return <Facts facts={facts} />;
}
