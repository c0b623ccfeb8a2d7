import type { Recipient } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { words } from '../../lib/format.ts';
import { recentDeliveries } from '../../requests/runs/recent-runs.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { RecipientRibbon } from '../../views/runs/ribbon.tsx';
import { RecipientState } from './recipient-state.tsx';

const name: Column<Recipient> = {
  id: 'name',
  label: 'Name',
  sort: 'name',
  cell: (row) => (
    <>
      <strong style={{ fontWeight: 600 }}>{row.name}</strong> {row.isDemo && <Tag>Demo</Tag>}
    </>
  ),
};

const channel: Column<Recipient> = {
  id: 'type',
  label: 'Channel',
  sort: 'notificationType',
  width: '120px',
  cell: (row) => words(row.notificationType),
};

const destination: Column<Recipient> = {
  id: 'destination',
  label: 'Destination',
  width: '22%',
  from: 800,
  cell: (row) => <code>{row.destination}</code>,
};

const others: readonly Column<Recipient>[] = [
  { id: 'state', label: 'State', width: '176px', from: 480, cell: (row) => <RecipientState row={row} /> },
  {
    id: 'deliveries',
    label: 'Last deliveries',
    width: '176px',
    from: 960,
    cell: (row) => <Deliveries recipientId={row.id} />,
  },
  {
    id: 'subscriptions',
    label: 'Subscriptions',
    width: '112px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{row.subscriptionCount}</span>,
  },
  {
    id: 'created',
    label: 'Created',
    sort: 'createdTime',
    width: '112px',
    align: 'right',
    isExtra: true,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

/** Columns of the list. Only a user who can change recipients sees destinations. */
export const recipientColumns = (canChange: boolean): readonly Column<Recipient>[] =>
  canChange ? [name, channel, destination, ...others] : [name, channel, ...others];

/** Results of the last deliveries to a recipient. */
function Deliveries({ recipientId }: { readonly recipientId: number }) {
  const { data = [] } = useQuery(recentDeliveries(recipientId));
  return data.length === 0 ? null : <RecipientRibbon deliveries={data} />;
}
