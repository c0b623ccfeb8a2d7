import { type TowerRange, towerHealths, towerKinds, towerRanges } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { dataSource, findDataSources } from '../../requests/data-sources.ts';
import { firing } from '../../requests/firing.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { FiringNow } from '../../views/firing/firing-now.tsx';
import { type TowerFilter, towerHealth } from './requests/tower.ts';
import { ScheduleLoad } from './schedule-load.tsx';
import { Summary } from './summary.tsx';
import { towerColumns } from './tower-columns.tsx';

const idOf = (text: string | undefined): number | undefined => {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const rangeOf = (text: string | undefined): TowerRange | undefined =>
  towerRanges.find((range) => String(range) === text);

/** Returns the filter that the address sets for the summary and the list. */
function filterOf({ kind, search, projectId, dataSourceId, timeRangeDays }: ListState): TowerFilter {
  const narrowed = {
    kind: towerKinds.find((member) => member === kind),
    search: search || undefined,
    projectId: idOf(projectId),
    dataSourceId: idOf(dataSourceId),
    timeRangeDays: rangeOf(timeRangeDays),
  };
  return Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined));
}

const scheduledOf = ({ projectId, dataSourceId }: TowerFilter) => ({
  ...(projectId !== undefined && { projectId }),
  ...(dataSourceId !== undefined && { dataSourceId }),
});

const read = (state: ListState) => {
  const { page, pageSize, sort, health, hasOpenTasks } = state;
  const towerHealthFilter = towerHealths.find((member) => member === health);
  const paging = Object.fromEntries(
    Object.entries({ page, pageSize, sort }).filter(([, value]) => value !== undefined),
  );
  return towerHealth({
    ...paging,
    ...filterOf(state),
    ...(towerHealthFilter && { health: towerHealthFilter }),
    ...(hasOpenTasks === 'true' && { hasOpenTasks: true }),
  });
};

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Control tower: subscriptions and data contracts, worst first, with the reason. */
export function TowerPage() {
  const [address, change] = useAddress();
  // The list renders after the firing problems above it have loaded, so that it does not shift.
  const { isPending } = useQuery(firing);
  if (isPending) return <PageHeader title="Control tower" />;
  return (
    <ListPage
      id="control-tower"
      title="Control tower"
      icon="tower"
      searchLabel="Search by name"
      read={read}
      columns={towerColumns}
      filters={[
        { name: 'kind', label: 'Kind', options: options(towerKinds) },
        { name: 'health', label: 'Health', options: options(towerHealths) },
        {
          name: 'timeRangeDays',
          label: 'Time',
          options: towerRanges.map((days) => ({ value: String(days), label: `Last ${plural(days, 'day')}` })),
        },
        { name: 'projectId', label: 'Project', find: findProjects, one: project },
        { name: 'dataSourceId', label: 'Data source', find: findDataSources, one: dataSource },
        { name: 'hasOpenTasks', label: 'Open task', options: [{ value: 'true', label: 'Yes' }] },
      ]}
      keyOf={(row) => `${row.kind} ${row.id}`}
      to={(row) => (row.kind === 'Contract' ? paths.contract(row.id) : paths.subscription(row.id))}
      empty={{
        title: 'Nothing to watch yet',
        text: 'Subscribe to a query or create a data contract: their health appears here, worst first.',
        action: <LinkButton to={paths.subscriptions()}>See subscriptions</LinkButton>,
      }}
    >
      <FiringNow isEnabled />
      <Summary
        filter={filterOf(address)}
        selected={address['health']}
        onChoose={(health) => change({ health, page: undefined })}
      />
      <ScheduleLoad filter={scheduledOf(filterOf(address))} />
    </ListPage>
  );
}
