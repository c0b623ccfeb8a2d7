import { ActionIcon } from '@mantine/core';
import type { Delivery, NotificationDetail } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count, duration, shortTime, words } from '../../lib/format.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { DeliveryStatus } from '../../views/runs/run-status.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { canResend, ResendButton } from './resend.tsx';

const deliveryColumns: readonly Column<Delivery>[] = [
  { id: 'recipient', label: 'Recipient', cell: (row) => row.recipientName },
  { id: 'channel', label: 'Channel', width: '128px', from: 640, cell: (row) => words(row.notificationType) },
  { id: 'state', label: 'Delivery', width: '128px', cell: (row) => <DeliveryStatus state={row.state} /> },
  { id: 'attempt', label: 'Attempt', width: '128px', from: 800, cell: (row) => <Attempt row={row} /> },
  {
    id: 'reason',
    label: 'Why',
    from: 480,
    cell: (row) => [row.reason, ...row.notes].filter(Boolean).join(' '),
  },
  {
    id: 'took',
    label: 'Duration',
    width: '88px',
    align: 'right',
    from: 960,
    cell: (row) => (
      <span className="mono">
        {row.durationMs === undefined || row.durationMs === null ? '' : duration(row.durationMs)}
      </span>
    ),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.finishedAt ?? row.dueAt ?? row.startedAt} isQuiet />,
  },
];

const rowsColumn: Column<Delivery> = {
  id: 'rows',
  label: 'Rows',
  width: '64px',
  align: 'right',
  from: 480,
  cell: (row) => <span className="mono">{row.rowCount === null ? '' : count(row.rowCount)}</span>,
};

/** Adds the number of rows per recipient if recipients got different rows. */
const columnsOf = ({ deliveries }: NotificationDetail): readonly Column<Delivery>[] => {
  if (deliveries.every(({ rowCount }) => rowCount === null)) return deliveryColumns;
  const [recipient, ...others] = deliveryColumns;
  return [...(recipient ? [recipient] : []), rowsColumn, ...others];
};

function Attempt({ row }: { readonly row: Delivery }) {
  if (row.origin === 'Run') return <span className="mono">{row.attempt}</span>;
  return (
    <span title={row.orderedBy === null ? undefined : `Requested by ${row.orderedBy}`}>
      <span className="mono">{row.attempt}</span>{' '}
      <Tag>{row.origin === 'Retry' ? 'Repeated' : 'Sent again'}</Tag>
    </span>
  );
}

type Props = {
  readonly record: NotificationDetail;
  readonly onOrdered: (ordered: readonly Delivery[]) => void;
};

/** Deliveries of a run, with their messages and the action that sends one again. */
export function Deliveries({ record, onOrdered }: Props) {
  const { canWrite } = useRights();
  const [shown, setShown] = useState<Delivery | null>(null);
  if (record.deliveries.length === 0) {
    return (
      <Empty icon="send" title={record.finishedAt === null ? 'Nothing delivered yet' : 'Nothing was sent'}>
        <WhyNothing record={record} />
      </Empty>
    );
  }
  const { subscriptionId } = record;
  const isShowable = subscriptionId !== null && record.isMessageKept;
  const isAnyUndone = canWrite && record.deliveries.some((row) => canResend(record, row));
  return (
    <>
      <Table
        label="Deliveries"
        columns={columnsOf(record)}
        rows={record.deliveries}
        keyOf={(row) => row.id}
        {...((isAnyUndone || isShowable) && {
          actions: (row: Delivery) => (
            <>
              {isShowable && (
                <ActionIcon aria-label={`Message to ${row.recipientName}`} onClick={() => setShown(row)}>
                  <Icon name="search" />
                </ActionIcon>
              )}
              {canWrite && canResend(record, row) && (
                <ResendButton runId={record.id} delivery={row} onOrdered={onOrdered} />
              )}
            </>
          ),
          actionsWidth: isAnyUndone ? '144px' : '48px',
        })}
      />
      {shown !== null && subscriptionId !== null && (
        <MessageDialog
          {...{ subscriptionId, notificationId: record.id, delivery: shown }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function WhyNothing({ record: { heldUntil, finishedAt } }: { readonly record: NotificationDetail }) {
  if (heldUntil !== null) {
    return <>Quiet hours hold it until {shortTime(heldUntil)}. A newer run with news takes its place.</>;
  }
  return finishedAt === null
    ? 'The run is under way. This page follows it.'
    : 'The status above says why. A run that finds nothing new sends nothing, unless the subscription asks for it.';
}
