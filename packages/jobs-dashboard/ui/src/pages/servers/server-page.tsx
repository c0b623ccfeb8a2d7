import type { ServerDetail } from '../../../../src/api/servers.ts';
import { bytes } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useServer } from '../../lib/requests.ts';
import { Progress } from '../../parts/controls.tsx';
import { Empty, Facts, PageHeader, pageClasses, Read, Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { JobTable } from '../jobs/job-columns.tsx';
import { ServerStatus } from './servers-page.tsx';

type Worker = Json<ServerDetail>['workers'][number];

const columns: readonly Column<Worker>[] = [
  { key: 'queue', title: 'Queue', cell: ({ queue }) => queue },
  {
    key: 'running',
    title: 'Running',
    align: 'right',
    width: 'middle',
    cell: ({ running, concurrency }) => `${running} of ${concurrency}`,
  },
  {
    key: 'load',
    title: 'Load',
    width: 'wide',
    from: 480,
    cell: ({ running, concurrency, queue }) => (
      <Progress share={concurrency === 0 ? 0 : running / concurrency} label={`Load of ${queue}`} />
    ),
  },
];

/** Page of a process: its workers and their running jobs. */
export function ServerPage({ id }: { readonly id: string }) {
  const server = useServer(id);
  return (
    <>
      <PageHeader
        title={server.data?.name ?? 'Server'}
        parent={{ to: '/servers', name: 'Servers' }}
        beside={server.data && <ServerStatus isLost={server.data.isLost} />}
      />
      <Read of={server}>
        {(data) => (
          <div className={pageClasses['columns']}>
            <div className="stack">
              <Section title="Workers" isFlush>
                <Table
                  label="Workers"
                  isBare
                  columns={columns}
                  rows={data.workers}
                  keyOf={(worker) => worker.id}
                />
              </Section>
              <Section title="Running now" isFlush>
                {data.runningJobs.length === 0 ? (
                  <Empty title="It runs nothing at the moment." />
                ) : (
                  <JobTable label="Running now" jobs={data.runningJobs} />
                )}
              </Section>
            </div>
            <Section title="Facts">
              <Facts
                facts={[
                  ['Process id', String(data.processId)],
                  ['Started', <Time key="s" at={data.startedAt} />],
                  ['Last heard of', <Time key="h" at={data.heartbeatAt} />],
                  ['CPU', `${Math.round(data.cpuPercent)} %`],
                  ['Memory', bytes(data.rssBytes)],
                ]}
              />
            </Section>
          </div>
        )}
      </Read>
    </>
  );
}
