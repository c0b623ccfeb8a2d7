import { Button } from '@mantine/core';
import type { MigrationJob, MigrationValidation } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Sentence, Status, Tag } from '../../ui/record/status.tsx';
import { whatWillHappen } from './job-words.ts';
import { migrationValidation } from './requests/migrations.ts';

type Mapped = MigrationValidation['mapping'][number];

const columns: readonly Column<Mapped>[] = [
  {
    id: 'from',
    label: 'From',
    cell: (row) => (
      <>
        <code>{row.from}</code> {row.isPersonal && <Tag>{row.isMasked ? 'Masked' : 'Personal data'}</Tag>}
      </>
    ),
  },
  { id: 'from-type', label: 'Its type', width: '20%', from: 480, cell: (row) => row.fromType },
  { id: 'to', label: 'To', width: '30%', cell: (row) => <code>{row.to}</code> },
  { id: 'to-type', label: 'Its type there', width: '20%', from: 480, cell: (row) => row.toType },
];

/** Effect of a copy and its obstacles. The service queries both data sources and writes no rows. */
export function Validation({ job }: { readonly job: MigrationJob }) {
  const validation = useQuery(migrationValidation(job.id, job.version));
  if (validation.isLoadingError)
    return <ProblemView error={validation.error} onRetry={() => void validation.refetch()} />;
  if (!validation.data) return <PageSkeleton />;
  const { issues, isOk, mapping, keyColumns } = validation.data;
  return (
    <div className="stack">
      <div className="row wrap" role="status">
        <Verdict isOk={isOk} />
        <span className="grow" />
        <Button loading={validation.isFetching} onClick={() => void validation.refetch()}>
          Check again
        </Button>
      </div>
      <p>{whatWillHappen(job, validation.data)}</p>
      <Issues issues={issues} />
      {keyColumns.length > 0 && (
        <p className="soft">
          Rows are identified by <code>{keyColumns.join(', ')}</code>.
        </p>
      )}
      <MappingTable mapping={mapping} />
    </div>
  );
}

/** States whether the validation found errors. */
export const Verdict = ({ isOk }: Pick<MigrationValidation, 'isOk'>) =>
  isOk ? <Status tone="green">Ready to copy</Status> : <Status tone="red">It cannot be copied yet</Status>;

/** Errors that prevent a copy, and warnings for the user who runs it. */
export const Issues = ({ issues }: Pick<MigrationValidation, 'issues'>) =>
  issues.length === 0 ? null : (
    <ul className="stack-tight" aria-label="Findings" style={{ padding: 0, listStyle: 'none' }}>
      {issues.map((issue) => (
        <li key={`${issue.code} ${issue.column} ${issue.message}`}>
          <Sentence tone={issue.severity === 'Error' ? 'red' : 'amber'}>{issue.message}</Sentence>
        </li>
      ))}
    </ul>
  );

/** Mapping of columns, with the types of both sides. */
export const MappingTable = ({ mapping }: Pick<MigrationValidation, 'mapping'>) => (
  <Table label="Columns" columns={columns} rows={mapping} keyOf={(row) => row.to} />
);
