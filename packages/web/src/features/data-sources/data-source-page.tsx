import { Button } from '@mantine/core';
import { type ConnectionTestResult, type DataSource, testDataSource } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { dataSource } from '../../requests/data-sources.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Remedy } from '../../ui/feedback/remedy.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Sentence, Status, Tag } from '../../ui/record/status.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { TestResult } from './connection/test-result.tsx';
import { SourceFacts } from './source-facts.tsx';
import { SourceMenu } from './source-menu.tsx';
import { SourceTables } from './source-tables.tsx';

/** Page of one data source: its tables and its connection. */
export function DataSourcePage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={dataSource(id)}>{(record) => <SourceView key={record.id} record={record} />}</Record>;
}

function SourceView({ record }: { readonly record: DataSource }) {
  const { canWrite } = useRights();
  const [testResult, setTestResult] = useState<ConnectionTestResult | null>(null);
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
        actions={<SourceActions record={record} onTested={setTestResult} />}
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
      {testResult && (
        <div style={{ marginBottom: 16 }}>
          <TestResult result={testResult} />
        </div>
      )}
      <Detail
        sections={[
          {
            id: 'tables',
            label: 'Tables',
            content: <SourceTables record={record} canRefresh={canWrite} />,
          },
        ]}
        side={<SourceFacts record={record} />}
      />
    </>
  );
}

type ActionsProps = {
  readonly record: DataSource;
  readonly onTested: (result: ConnectionTestResult) => void;
};

function SourceActions({ record, onTested }: ActionsProps) {
  const rights = useRights();
  const test = useChange(testDataSource);
  const testNow = () => test.mutateAsync({ params: { id: record.id } }).then(onTested, toastProblem);
  return (
    <>
      <LinkButton to={paths.dataSourceRelationships(record.id)}>Relationships</LinkButton>
      {holds(rights, 'DataSourceAdmin') && (
        <>
          <SourceMenu record={record} />
          <Button onClick={() => void testNow()} loading={test.isPending}>
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
  );
}
