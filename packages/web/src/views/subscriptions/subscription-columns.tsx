import type { Subscription } from '@svc/contract';
import type { Column } from '../../ui/list/columns.ts';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { RunState } from '../runs/run-status.tsx';
import { Sparkline } from '../runs/sparkline.tsx';
import { SubscriptionState } from './subscription-state.tsx';

export const subscriptionColumns: readonly Column<Subscription>[] = [
  {
    id: 'query',
    label: 'Query',
    sort: 'queryName',
    cell: (row) => (
      <>
        {row.queryName} {row.isDemo && <Tag>Demo</Tag>}
      </>
    ),
  },
  { id: 'schedule', label: 'Schedule', width: '176px', from: 640, cell: (row) => row.schedule.description },
  {
    id: 'recipients',
    label: 'Sent to',
    width: '136px',
    from: 800,
    cell: (row) => row.recipients.map((recipient) => recipient.name).join(', '),
  },
  {
    id: 'rows',
    label: 'Rows lately',
    width: '104px',
    from: 960,
    cell: (row) => <Sparkline subscriptionId={row.id} />,
  },
  {
    id: 'state',
    label: 'State',
    width: '128px',
    cell: (row) => <SubscriptionState record={row} />,
  },
  {
    id: 'last',
    label: 'Last run',
    width: '136px',
    from: 800,
    cell: (row) => (row.lastRun ? <RunState {...row.lastRun} /> : <span className="soft">Not yet</span>),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => (row.lastRun ? <Time at={row.lastRun.createdTime} isQuiet /> : ''),
  },
  {
    id: 'project',
    label: 'Project',
    width: '152px',
    from: 960,
    isExtra: true,
    cell: (row) => row.projectName,
  },
  {
    id: 'owner',
    label: 'Owner',
    width: '136px',
    from: 960,
    isExtra: true,
    cell: (row) => row.ownerName ?? '',
  },
];
