import { Button } from '@mantine/core';
import { type DataSource, refreshDataSourceMetadata } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { metadata } from '../../requests/data-sources.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { SchemaBrowser } from '../../views/schema/schema-browser.tsx';

/** Tables of a data source, from its stored metadata. */
export function SourceTables({
  record,
  canRefresh,
}: {
  readonly record: DataSource;
  readonly canRefresh: boolean;
}) {
  const refresh = useChange(refreshDataSourceMetadata);
  const catalog = useQuery(metadata(record.id));
  return (
    <>
      <div className="row wrap">
        <h2>Tables</h2>
        {catalog.data && <span className="mono soft">{count(catalog.data.tables.length)}</span>}
        <span className="grow" />
        {catalog.data?.refreshedAt && (
          <span className="soft">
            Read <Time at={catalog.data.refreshedAt} />
          </span>
        )}
        {canRefresh && (
          <Button
            leftSection={<Icon name="refresh" />}
            loading={refresh.isPending}
            onClick={() =>
              void refresh
                .mutateAsync({ params: { id: record.id } })
                .then(() => toastDone('Tables refreshed.'), toastProblem)
            }
          >
            Refresh
          </Button>
        )}
      </div>
      {catalog.data?.areTablesCut && <Status tone="amber">Too many tables: some are left out</Status>}
      <div className="panel" style={{ padding: 8 }}>
        <SchemaBrowser dataSourceId={record.id} />
      </div>
    </>
  );
}
