import { Button } from '@mantine/core';
import type { QueryApproval } from '@svc/contract';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { DefinitionDifferences } from '../../views/query-definition/definition-differences.tsx';
import { ChangeState, summaryOf } from './change-facts.tsx';
import classes from './comparison.module.css';
import { ApproveQueryDialog, RejectQueryDialog } from './query-decision-dialog.tsx';
import { queryApproval } from './requests/query-approval.ts';
import { CompareResults } from './result-comparison.tsx';

/** Page of one request about a query: differences, result, affected recipients, and the decision. */
export function QueryApprovalPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={queryApproval(id)}>{(record) => <View key={record.id} record={record} />}</Record>;
}

function View({ record }: { readonly record: QueryApproval }) {
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
              <Button variant="filled" onClick={() => setDeciding('approve')}>
                Approve
              </Button>
            </>
          ) : undefined
        }
      />
      <Detail
        sections={[
          { id: 'change', label: 'Change', content: <WhatDiffers record={record} /> },
          ...(isWaiting
            ? [{ id: 'results', label: 'Results', content: <CompareResults record={record} /> }]
            : []),
          {
            id: 'uses',
            label: 'Recipients',
            count: record.usedBy.subscriptionCount,
            content: <WhoIsTold record={record} />,
          },
        ]}
        side={<ApprovalFacts record={record} />}
      />
      {deciding === 'approve' && <ApproveQueryDialog record={record} onClose={close} />}
      {deciding === 'reject' && <RejectQueryDialog record={record} onClose={close} />}
    </>
  );
}

function WhatDiffers({ record }: { readonly record: QueryApproval }) {
  const { active, proposed } = record;
  const gone = proposed.steps.filter(({ isSourceLinked }) => !isSourceLinked);
  return (
    <div className="stack">
      {record.status === 'Pending' && record.isOwn && (
        <p className={classes['note']}>You asked for this change: somebody else must decide about it.</p>
      )}
      {record.changeReason !== null && <p className={classes['note']}>{record.changeReason}</p>}
      {record.comment !== null && <p className={classes['note']}>{record.comment}</p>}
      {gone.length > 0 && (
        <p className={classes['note']} role="note">
          A data source of this version is no longer linked to the project: it cannot be approved until it is.
        </p>
      )}
      <DefinitionDifferences
        parts={record.parts}
        before={active === null ? 'Nothing before' : `Version ${active.versionNumber}`}
        after={`Version ${proposed.versionNumber}`}
      />
    </div>
  );
}

function WhoIsTold({ record: { usedBy } }: { readonly record: QueryApproval }) {
  if (usedBy.subscriptionCount === 0)
    return (
      <Empty icon="subscription" title="Nobody">
        No subscription runs this query.
      </Empty>
    );
  const others = usedBy.subscriptionCount - usedBy.subscriptions.length;
  return (
    <ul>
      {usedBy.subscriptions.map((use) => (
        <li key={use.subscriptionId}>
          <code>{use.cronExpression}</code> ({use.timeZone}):{' '}
          {use.recipientNames.length === 0 ? 'no recipient' : use.recipientNames.join(', ')}
          {use.ownerUserName !== null && <span className="soft">, owned by {use.ownerUserName}</span>}
        </li>
      ))}
      {others > 0 && <li>And {count(others)} more.</li>}
    </ul>
  );
}

function ApprovalFacts({ record }: { readonly record: QueryApproval }) {
  const facts = [
    { label: 'Requested by', value: record.isOwn ? 'You' : (record.requestedByUserName ?? 'The service') },
    { label: 'Requested', value: <Time at={record.submittedAt} /> },
    { label: 'Recipients', value: <span className="mono">{count(record.usedBy.recipientCount)}</span> },
    ...(record.decidedAt === null
      ? []
      : [
          { label: record.status, value: <Time at={record.decidedAt} /> },
          { label: 'By', value: record.decidedByUserName ?? 'The service' },
        ]),
  ];
  return <Facts facts={facts} />;
}
