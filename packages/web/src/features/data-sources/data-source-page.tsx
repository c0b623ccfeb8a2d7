import { Button } from '@mantine/core';
import {
  type ConnectionTestResult,
  type DataSource,
  refreshDataSourceMetadata,
  testDataSource,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { count, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { dataSource, metadata } from '../../requests/data-sources.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Remedy } from '../../ui/feedback/remedy.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Sentence, Status, Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { SchemaBrowser } from '../../views/schema/schema-browser.tsx';
import { fieldsOf } from './connection-fields.ts';
import { MigrationWrites } from './migration-writes.tsx';
import { engines } from './requests/engines.ts';
import { SourceMenu } from './source-menu.tsx';
import { TestResult } from './test-result.tsx';

/** Page of one data source: its tables and its connection. */
export function DataSourcePage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={dataSource(id)}>{(record) => <SourceView key={record.id} record={record} />}</Record>;
}

function SourceView({ record }: { readonly record: DataSource }) {
  const rights = useRights();
  const canAdminister = holds(rights, 'DataSourceAdmin');
  const test = useChange(testDataSource);
  const [result, setResult] = useState<ConnectionTestResult | null>(null);
  const kinds = useQuery({ ...engines, enabled: canAdminister });
  const titles = new Map(
    fieldsOf(kinds.data?.engines.find((kind) => kind.engine === record.engine)?.settingsSchema).map(
      ([name, field]) => [name, field.title],
    ),
  );
  const tryIt = () => test.mutateAsync({ params: { id: record.id } }).then(setResult, toastProblem);
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.dataSources(), label: 'Data sources' }}
        facts={
          <>
            <Tag>{record.engine}</Tag>
            {record.needsConnection && <Status tone="red">Enter the connection again</Status>}
            {record.warnings.length > 0 && <Status tone="amber">Privileged login</Status>}
            {record.isDemo && <Tag>Demo</Tag>}
            <ManagedBadge kind="DataSource" id={record.id} />
          </>
        }
        actions={
          <>
            <LinkButton to={paths.dataSourceRelationships(record.id)}>Relationships</LinkButton>
            {canAdminister && (
              <>
                <SourceMenu record={record} />
                <Button onClick={() => void tryIt()} loading={test.isPending}>
                  Test connection
                </Button>
              </>
            )}
            {rights.canWrite && (
              <>
                <LinkButton to={paths.newContract({ dataSourceId: record.id })}>New data contract</LinkButton>
                <LinkButton to={paths.newQuery({ dataSourceId: record.id })} variant="filled">
                  New query
                </LinkButton>
              </>
            )}
          </>
        }
      />
      {record.warnings.map((warning) => (
        <section
          key={warning.code}
          className="panel stack-tight"
          style={{ padding: 12, marginBottom: 16 }}
          aria-label="Warning"
        >
          <Sentence tone="amber">{warning.message}</Sentence>
          <Remedy text={warning.remedy} />
        </section>
      ))}
      {result && (
        <div style={{ marginBottom: 16 }}>
          <TestResult result={result} />
        </div>
      )}
      <Detail
        sections={[
          { id: 'tables', label: 'Tables', content: <Tables record={record} canRead={rights.canWrite} /> },
        ]}
        side={
          <Facts
            facts={[
              { label: 'Description', value: record.description ?? <span className="soft">None</span> },
              {
                label: 'Queries',
                value: (
                  <Link to={paths.queries({ dataSourceId: record.id })}>{count(record.queryCount)}</Link>
                ),
              },
              {
                label: 'Available to',
                value: record.isOpenlyReachable ? 'Everyone with a role' : 'Members of its projects',
              },
              ...(rights.migrationsEnabled
                ? [{ label: 'Writes of data migration', value: <MigrationWrites record={record} /> }]
                : []),
              ...Object.entries(record.connection ?? {}).map(([name, value]) => ({
                label: titles.get(name) ?? words(name),
                value: <SettingValue value={value} />,
              })),
              ...record.savedSecrets.map((name) => ({
                label: titles.get(name) ?? words(name),
                value: <span className="soft">Saved, not shown</span>,
              })),
              { label: 'Updated', value: <Time at={record.updatedAt} /> },
            ]}
          />
        }
      />
    </>
  );
}

/** Maximum length of a displayed setting. A document shows only its beginning. */
const settingLengthMax = 100;

function SettingValue({ value }: { readonly value: unknown }) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  const text = isList ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return <code>{text.length > settingLengthMax ? `${text.slice(0, settingLengthMax)}…` : text}</code>;
}

function Tables({ record, canRead }: { readonly record: DataSource; readonly canRead: boolean }) {
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
        {canRead && (
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
