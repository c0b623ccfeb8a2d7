import { useMemo } from 'react';
import type { CallList, EndpointPage as Endpoint } from '../../../../src/api/endpoints.ts';
import { useAddress } from '../../lib/address.ts';
import { duration, percent, wholeNumber } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useCalls, useEndpoint } from '../../lib/requests.ts';
import { Chart } from '../../parts/chart.tsx';
import { Button, Status } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { Empty, PageHeader, pageClasses, Read, Section } from '../../parts/page.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import classes from '../list.module.css';
import { ApplicationFilter, useApplication } from './application-filter.tsx';
import { CallDrawer } from './call-drawer.tsx';
import { callsChart } from './endpoint-charts.ts';

type Call = Json<CallList>['items'][number];
type Group = Json<Endpoint>['groups'][number];

const pageSize = 15;

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className={pageClasses['tile']}>
      <span className="soft">{name}</span>
      <strong>{value}</strong>
    </div>
  );
}

function Tiles({ endpoint }: { readonly endpoint: Json<Endpoint> }) {
  return (
    <div className={pageClasses['tiles']}>
      <Tile name="Calls" value={wholeNumber(endpoint.totalCalls)} />
      <Tile name="Error rate" value={percent(endpoint.errorRate)} />
      <Tile name="Average" value={duration(endpoint.avgDurationMs)} />
      <Tile name="p90" value={`≤ ${duration(endpoint.p90DurationMs)}`} />
      <Tile name="p95" value={`≤ ${duration(endpoint.p95DurationMs)}`} />
      <Tile name="p99" value={`≤ ${duration(endpoint.p99DurationMs)}`} />
    </div>
  );
}

const groupColumns: readonly Column<Group>[] = [
  {
    key: 'group',
    title: 'Caller',
    cell: ({ group }) => <CallsOf group={group} />,
  },
  { key: 'calls', title: 'Calls', align: 'right', width: 'narrow', cell: ({ calls }) => wholeNumber(calls) },
  {
    key: 'errors',
    title: 'Error rate',
    align: 'right',
    width: 'narrow',
    cell: ({ errorRate }) => percent(errorRate),
  },
  {
    key: 'average',
    title: 'Average',
    align: 'right',
    width: 'narrow',
    from: 480,
    cell: ({ avgDurationMs }) => duration(avgDurationMs),
  },
  {
    key: 'failure',
    title: 'Last failure',
    width: 'middle',
    from: 640,
    cell: ({ lastFailureAt }) => <Time at={lastFailureAt} />,
  },
];

/** Link that filters the calls by caller. */
function CallsOf({ group }: { readonly group: string }) {
  const { path, query } = useAddress();
  return (
    <Link to={path} query={{ ...query, group, offset: '' }} className={rowLinkClass}>
      {group}
    </Link>
  );
}

function OpenCall({ call }: { readonly call: Call }) {
  const { path, query } = useAddress();
  return (
    <Link to={path} query={{ ...query, call: call.id }} className={rowLinkClass} data-row-link>
      <Time at={call.at} />
    </Link>
  );
}

const callColumns: readonly Column<Call>[] = [
  { key: 'at', title: 'When', width: 'middle', cell: (call) => <OpenCall call={call} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    width: 'middle',
    cell: ({ outcome }) => <Status tone={outcome === 'Failed' ? 'red' : 'green'}>{outcome}</Status>,
  },
  {
    key: 'status',
    title: 'Status',
    align: 'right',
    width: 'narrow',
    cell: ({ statusCode }) => String(statusCode),
  },
  {
    key: 'took',
    title: 'Duration',
    align: 'right',
    width: 'narrow',
    from: 480,
    cell: ({ durationMs }) => duration(durationMs),
  },
  { key: 'group', title: 'Caller', from: 640, cell: ({ groupName }) => groupName ?? '—' },
  { key: 'user', title: 'User', from: 800, cell: ({ userName }) => userName ?? '—' },
  { key: 'ip', title: 'Address', width: 'middle', from: 960, cell: ({ remoteIp }) => remoteIp ?? '—' },
];

function Calls({ id }: { readonly id: string }) {
  const { query, setQuery } = useAddress();
  const application = useApplication();
  const group = query['group'];
  const offset = Math.max(0, Number(query['offset'] ?? 0) || 0);
  const calls = useCalls(id, { application, group, offset, limit: pageSize });
  return (
    <Section
      title="Recent calls"
      isFlush
      actions={
        group && (
          <span className={classes['chip']}>
            Caller: {group}
            <button
              type="button"
              aria-label="Calls of all callers"
              onClick={() => setQuery({ group: '', offset: '' })}
            >
              ×
            </button>
          </span>
        )
      }
    >
      <Read of={calls}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 ? (
              <Empty title="No call is kept.">
                Rows are removed when their time is up; the sums above stay.
              </Empty>
            ) : (
              <Table
                label="Recent calls"
                isBare
                columns={callColumns}
                rows={items}
                keyOf={(call) => call.id}
              />
            )}
            {(offset > 0 || hasMore) && (
              <div className="row wrap panel">
                <Button
                  disabled={offset === 0}
                  onClick={() => setQuery({ offset: String(Math.max(0, offset - pageSize)) })}
                >
                  Newer
                </Button>
                <Button disabled={!hasMore} onClick={() => setQuery({ offset: String(offset + pageSize) })}>
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Read>
    </Section>
  );
}

/** Page of an endpoint: durations, callers and recent calls. */
export function EndpointPage({ id }: { readonly id: string }) {
  const { query, setQuery } = useAddress();
  const application = useApplication();
  const endpoint = useEndpoint(id, application);
  const callId = query['call'];
  const chart = useMemo(
    () => endpoint.data && callsChart('Calls by the hour', endpoint.data.history, Date.now()),
    [endpoint.data],
  );
  return (
    <>
      <PageHeader
        title={endpoint.data?.route ?? 'Endpoint'}
        parent={{ to: '/endpoints', name: 'Endpoints' }}
        actions={<ApplicationFilter />}
      />
      <Read of={endpoint}>
        {(data) => (
          <div className="stack">
            <Tiles endpoint={data} />
            <Section title="Calls in the last 24 hours">{chart && <Chart data={chart} />}</Section>
            <Section title={`${data.groupLabel}s`} isFlush>
              {data.groups.length === 0 ? (
                <Empty title="Callers are not distinguished.">
                  The host names them with a group selector.
                </Empty>
              ) : (
                <Table
                  label={`${data.groupLabel}s`}
                  isBare
                  columns={groupColumns}
                  rows={data.groups}
                  keyOf={({ group }) => group}
                />
              )}
            </Section>
            <Calls id={id} />
          </div>
        )}
      </Read>
      {callId !== undefined && (
        <CallDrawer endpointId={id} callId={callId} onClose={() => setQuery({ call: '' })} />
      )}
    </>
  );
}
