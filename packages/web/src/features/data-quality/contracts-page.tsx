import { Button } from '@mantine/core';
import type { DataContractSummary } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { dataSource, findDataSources } from '../../requests/data-sources.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ImportDialog } from './odcs/import-dialog.tsx';
import { Outcome, Score } from './outcome.tsx';
import { QualityOverview } from './overview.tsx';
import { contracts } from './requests/contracts.ts';
import { tableName } from './table-name.ts';

const idOf = (text: string | undefined): number | undefined => {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const read = ({ projectId, dataSourceId, ...rest }: ListState) => {
  const [ofProject, ofSource] = [idOf(projectId), idOf(dataSourceId)];
  return contracts({
    ...rest,
    ...(ofProject !== undefined && { projectId: ofProject }),
    ...(ofSource !== undefined && { dataSourceId: ofSource }),
  });
};

const columns: readonly Column<DataContractSummary>[] = [
  {
    id: 'name',
    label: 'Contract',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} {!row.isEnabled && <Tag>Off</Tag>} {row.snoozedUntil !== null && <Tag>Snoozed</Tag>}
      </>
    ),
  },
  {
    id: 'table',
    label: 'Table',
    width: '20%',
    from: 480,
    sort: 'tableName',
    cell: (row) => <code>{tableName(row)}</code>,
  },
  {
    id: 'outcome',
    label: 'Last outcome',
    width: '112px',
    cell: (row) =>
      row.lastOutcome === null ? (
        <span className="soft">None yet</span>
      ) : (
        <Outcome status={row.lastOutcome} />
      ),
  },
  {
    id: 'score',
    label: 'Score',
    width: '72px',
    align: 'right',
    sort: 'lastScore',
    from: 480,
    cell: (row) => <Score value={row.lastScore} />,
  },
  { id: 'source', label: 'Data source', width: '128px', from: 800, cell: (row) => row.dataSourceName },
  {
    id: 'project',
    label: 'Project',
    width: '128px',
    sort: 'projectName',
    from: 960,
    cell: (row) => row.projectName,
  },
  {
    id: 'rules',
    label: 'Rules',
    width: '72px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{count(row.ruleCount)}</span>,
  },
  {
    id: 'owner',
    label: 'Owner',
    width: '120px',
    from: 640,
    cell: (row) => row.ownerName ?? <span className="soft">Nobody</span>,
  },
  {
    id: 'created',
    label: 'Created',
    width: '112px',
    align: 'right',
    sort: 'createdTime',
    isExtra: true,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

export function ContractsPage() {
  const { canWrite } = useRights();
  const [{ projectId, dataSourceId }] = useAddress();
  const [isImporting, setImporting] = useState(false);
  const begin = canWrite && (
    <>
      <Button onClick={() => setImporting(true)}>Import</Button>
      <LinkButton
        to={paths.newContract({ projectId, dataSourceId })}
        variant="filled"
        leftSection={<Icon name="plus" />}
      >
        New data contract
      </LinkButton>
    </>
  );
  return (
    <ListPage
      id="data-quality"
      title="Data quality"
      hasHelp
      icon="quality"
      searchLabel="Search by name or table"
      read={read}
      action={begin}
      columns={columns}
      filters={[
        { name: 'projectId', label: 'Project', find: findProjects, one: project },
        { name: 'dataSourceId', label: 'Data source', find: findDataSources, one: dataSource },
      ]}
      keyOf={(row) => row.id}
      to={(row) => paths.contract(row.id)}
      empty={{
        title: 'No data contracts yet',
        text: 'A data contract states what must be true of a table: how fresh it is, how many rows it has, which values.',
        action: begin,
      }}
    >
      <QualityOverview />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </ListPage>
  );
}
