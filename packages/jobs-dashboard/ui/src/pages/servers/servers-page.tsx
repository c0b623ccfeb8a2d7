import type { ServerList } from '../../../../src/api/servers.ts';
import { bytes } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useServers } from '../../lib/requests.ts';
import { Status } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { Empty, PageHeader, Read } from '../../parts/page.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

type Server = Json<ServerList>['items'][number];

/** Heartbeat status of a process. */
export const ServerStatus = ({ isLost }: { readonly isLost: boolean }) =>
  isLost ? <Status tone="red">Silent</Status> : <Status tone="green">Alive</Status>;

const columns: readonly Column<Server>[] = [
  {
    key: 'name',
    title: 'Process',
    cell: ({ id, name }) => (
      <Link to={`/servers/${id}`} className={rowLinkClass} data-row-link>
        {name}
      </Link>
    ),
  },
  { key: 'state', title: 'State', width: 'middle', cell: ({ isLost }) => <ServerStatus isLost={isLost} /> },
  {
    key: 'running',
    title: 'Running',
    align: 'right',
    width: 'narrow',
    cell: ({ workers }) => {
      const running = workers.reduce((sum, worker) => sum + worker.running, 0);
      return `${running} of ${workers.reduce((sum, worker) => sum + worker.concurrency, 0)}`;
    },
  },
  {
    key: 'queues',
    title: 'Queues',
    from: 640,
    cell: ({ workers }) => workers.map(({ queue }) => queue).join(', '),
  },
  {
    key: 'cpu',
    title: 'CPU',
    align: 'right',
    width: 'narrow',
    from: 800,
    cell: ({ cpuPercent }) => `${Math.round(cpuPercent)} %`,
  },
  {
    key: 'memory',
    title: 'Memory',
    align: 'right',
    width: 'narrow',
    from: 800,
    cell: ({ rssBytes }) => bytes(rssBytes),
  },
  {
    key: 'started',
    title: 'Started',
    width: 'middle',
    from: 480,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
];

/** Page of the processes that run jobs. */
export function ServersPage() {
  const servers = useServers();
  return (
    <>
      <PageHeader title="Servers" />
      <Read of={servers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No process runs jobs.">Jobs wait until one does.</Empty>
          ) : (
            <Table label="Servers" columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Read>
    </>
  );
}
