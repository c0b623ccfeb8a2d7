import { Button } from '@mantine/core';
import type { DataSource, Relationship } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { dataSource } from '../../requests/data-sources.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import type { Column } from '../../ui/list/columns.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Status } from '../../ui/record/status.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { EndText } from './end-text.tsx';
import { GraphPanel } from './graph-panel.tsx';
import { HealthPanel } from './health-panel.tsx';
import { NewRelationshipDialog } from './new-relationship-dialog.tsx';
import { ProposalsPanel } from './proposals-panel.tsx';
import { RelationshipMenu } from './relationship-menu.tsx';
import { relationships } from './requests/relationships.ts';

const columns: readonly Column<Relationship>[] = [
  { id: 'source', label: 'From', sort: 'sourceTable', cell: (row) => <EndText end={row.source} /> },
  { id: 'target', label: 'To', sort: 'targetTable', cell: (row) => <EndText end={row.target} /> },
  { id: 'label', label: 'Label', sort: 'label', width: '120px', from: 960, cell: (row) => row.label },
  {
    id: 'cardinality',
    label: 'Rows',
    width: '120px',
    from: 960,
    cell: (row) => words(row.cardinality),
  },
  { id: 'state', label: 'State', width: '152px', from: 480, cell: (row) => <State row={row} /> },
];

function State({ row }: { readonly row: Relationship }) {
  if (row.origin === 'ForeignKey') return <Status tone="green">Foreign key</Status>;
  if (row.isVerified)
    return (
      <Status tone="green">
        {row.verifiedByUserName === null ? 'Verified' : `Verified by ${row.verifiedByUserName}`}
      </Status>
    );
  return <Status tone="amber">Not verified</Status>;
}

const filters: readonly Filter[] = [
  {
    name: 'origin',
    label: 'Origin',
    options: [
      { value: 'ForeignKey', label: 'Foreign key' },
      { value: 'Inferred', label: 'Proposed by name' },
      { value: 'Manual', label: 'Added by hand' },
    ],
  },
  {
    name: 'isVerified',
    label: 'Verified',
    options: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  },
];

/** Page of the relationships between the tables of a data source, with a health check of its schema. */
export function RelationshipsPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={dataSource(id)}>{(record) => <View key={record.id} source={record} />}</Record>;
}

function View({ source }: { readonly source: DataSource }) {
  const { canWrite } = useRights();
  const [isAdding, setAdding] = useState(false);
  const add = canWrite && (
    <Button variant="filled" onClick={() => setAdding(true)}>
      New relationship
    </Button>
  );
  return (
    <>
      <ListPage
        id="relationships"
        title="Relationships"
        parent={{ to: paths.dataSource(source.id), label: source.name }}
        icon="source"
        searchLabel="Search tables and columns"
        read={(state) => relationships(source.id, state)}
        columns={columns}
        keyOf={(row) => row.id}
        filters={filters}
        action={add || undefined}
        rowActions={(row) => <RelationshipMenu record={row} canWrite={canWrite} />}
        empty={{
          title: 'No relationships yet',
          text: 'A relationship says which columns of one table refer to another. Foreign keys appear here when the tables are read; add those that the database does not declare.',
          action: add || undefined,
        }}
      >
        <HealthPanel dataSourceId={source.id} />
        <GraphPanel dataSourceId={source.id} />
        <ChangesPanel dataSourceId={source.id} />
        {canWrite && <ProposalsPanel dataSourceId={source.id} />}
      </ListPage>
      {isAdding && <NewRelationshipDialog dataSourceId={source.id} onClose={() => setAdding(false)} />}
    </>
  );
}
