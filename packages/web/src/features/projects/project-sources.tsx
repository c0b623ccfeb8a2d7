import { ActionIcon, Button } from '@mantine/core';
import {
  LinkProjectDataSourceBody,
  linkProjectDataSource,
  type ProjectDataSource,
  unlinkProjectDataSource,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { dataSources } from '../../requests/data-sources.ts';
import { linkedSources } from '../../requests/projects.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { SelectField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';

const columns: readonly Column<ProjectDataSource>[] = [
  { id: 'name', label: 'Name', cell: (row) => row.name },
  { id: 'engine', label: 'Engine', width: '128px', cell: (row) => row.engine },
  {
    id: 'linked',
    label: 'Linked',
    width: '128px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.linkedAt} isQuiet />,
  },
];

/** Data sources that the project's queries may read. */
export function ProjectSources({ id, canLink }: { readonly id: number; readonly canLink: boolean }) {
  const { isAdmin } = useRights();
  const sources = useQuery(linkedSources(id, { pageSize: '200' }));
  const unlink = useChange(unlinkProjectDataSource, { touches: ['data-sources'] });
  const [isLinking, setLinking] = useState(false);
  const [leaving, setLeaving] = useState<ProjectDataSource | null>(null);
  if (sources.isLoadingError)
    return <ProblemView error={sources.error} onRetry={() => void sources.refetch()} />;
  const link = (
    <Button leftSection={<Icon name="link" />} onClick={() => setLinking(true)}>
      Link a data source
    </Button>
  );
  return (
    <>
      {sources.data?.totalCount === 0 ? (
        <Empty icon="source" title="No data source linked" action={canLink ? link : undefined}>
          Queries of a project read the data sources that are linked to it, and no others.
        </Empty>
      ) : (
        <>
          {canLink && <div>{link}</div>}
          <Table
            label="Data sources"
            columns={columns}
            rows={sources.data?.items}
            keyOf={(row) => row.id}
            to={(row) => paths.dataSource(row.id)}
            skeletonRows={3}
            actions={
              isAdmin
                ? (row) => (
                    <ActionIcon aria-label={`Unlink ${row.name}`} onClick={() => setLeaving(row)}>
                      <Icon name="close" />
                    </ActionIcon>
                  )
                : undefined
            }
          />
        </>
      )}
      {isLinking && <LinkDialog id={id} onClose={() => setLinking(false)} />}
      {leaving && (
        <ConfirmDialog
          title={`Unlink ${leaving.name}?`}
          act="Unlink data source"
          onConfirm={() => unlink.mutateAsync({ params: { id, dataSourceId: leaving.id } })}
          onClose={() => setLeaving(null)}
        >
          New queries of this project cannot read it any more. While live queries use it, it stays.
        </ConfirmDialog>
      )}
    </>
  );
}

function LinkDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const link = useChange(linkProjectDataSource, { touches: ['data-sources'] });
  const all = useQuery(dataSources({ pageSize: '200', sort: 'name' }));
  const form = useForm({
    schema: LinkProjectDataSourceBody,
    initial: { dataSourceId: '' },
    toBody: ({ dataSourceId }) => (dataSourceId === '' ? {} : { dataSourceId: Number(dataSourceId) }),
    send: async (body) => {
      await link.mutateAsync({ params: { id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Link a data source" form={form} act="Link data source" onClose={onClose}>
      <SelectField
        form={form}
        name="dataSourceId"
        label="Data source"
        searchable
        nothingFoundMessage="No matching data source."
        data={(all.data?.items ?? []).map((source) => ({
          value: String(source.id),
          label: `${source.name} (${source.engine})`,
        }))}
      />
    </FormDialog>
  );
}
