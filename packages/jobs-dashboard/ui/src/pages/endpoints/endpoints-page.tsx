import { useMemo } from 'react';
import type { EndpointList } from '../../../../src/api/endpoints.ts';
import { duration, percent, wholeNumber } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useEndpointHistory, useEndpoints } from '../../lib/requests.ts';
import { Chart } from '../../parts/chart.tsx';
import { Status } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { Empty, PageHeader, Read, Section } from '../../parts/page.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { ApplicationFilter, useApplication } from './application-filter.tsx';
import { callsChart, hoursShown } from './endpoint-charts.ts';

type Endpoint = Json<EndpointList>['items'][number];

const poorShare = 0.01;
const badShare = 0.05;

const health = (errorRate: number) =>
  errorRate >= badShare ? (
    <Status tone="red">Failing</Status>
  ) : errorRate >= poorShare ? (
    <Status tone="amber">Some errors</Status>
  ) : (
    <Status tone="green">Healthy</Status>
  );

const columns: readonly Column<Endpoint>[] = [
  {
    key: 'route',
    title: 'Endpoint',
    cell: ({ id, route, application }) => (
      <Link
        to={`/endpoints/${id}`}
        query={{ application: application ?? undefined }}
        className={`mono ${rowLinkClass}`}
        data-row-link
      >
        {route}
      </Link>
    ),
  },
  {
    key: 'application',
    title: 'Application',
    width: 'wide',
    from: 800,
    cell: ({ application }) => application ?? '—',
  },
  {
    key: 'calls',
    title: 'Calls',
    align: 'right',
    width: 'narrow',
    cell: ({ totalCalls }) => wholeNumber(totalCalls),
  },
  {
    key: 'errors',
    title: 'Error rate',
    align: 'right',
    width: 'narrow',
    cell: ({ errorRate }) => percent(errorRate),
  },
  {
    key: 'latency',
    title: 'Average',
    align: 'right',
    width: 'narrow',
    from: 480,
    cell: ({ avgDurationMs }) => duration(avgDurationMs),
  },
  { key: 'health', title: 'Health', width: 'middle', from: 640, cell: ({ errorRate }) => health(errorRate) },
];

/** Page of all called endpoints: calls, error rates and durations. */
export function EndpointsPage() {
  const application = useApplication();
  const endpoints = useEndpoints(application);
  const history = useEndpointHistory(application, hoursShown);
  const chart = useMemo(
    () => history.data && callsChart('Calls of all endpoints by the hour', history.data.items, Date.now()),
    [history.data],
  );
  return (
    <>
      <PageHeader title="Endpoints" actions={<ApplicationFilter />} />
      <Read of={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No call was recorded yet.">
              Calls of the handlers that are exposed over HTTP show up here a moment after they end.
            </Empty>
          ) : (
            <div className="stack">
              <Section title="Calls in the last 24 hours">{chart && <Chart data={chart} />}</Section>
              <Table
                label="Endpoints"
                columns={columns}
                rows={items}
                keyOf={({ id, application: of }) => `${id} ${of ?? ''}`}
              />
            </div>
          )
        }
      </Read>
    </>
  );
}
