import { Button, Progress } from '@mantine/core';
import { cancelMigrationExecution, type MigrationExecution, retryMigrationExecution } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, duration, words } from '../../../lib/format.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote, ProblemView } from '../../../ui/feedback/problem.tsx';
import { useAddress } from '../../../ui/frame/address.ts';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { Sentence, Tag } from '../../../ui/record/status.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { isUnderWay, migrationExecution, rejectedRows } from '../requests/migrations.ts';
import { rowsReadInWords, shareRead, timeLeft } from './copying.ts';
import { changesOf, Outcome } from './outcome.tsx';

/** One copy: progress or result, and its actions. */
export function Execution({ id }: { readonly id: number }) {
  const execution = useQuery(migrationExecution(id));
  if (execution.isLoadingError)
    return <ProblemView error={execution.error} onRetry={() => void execution.refetch()} />;
  if (!execution.data) return null;
  return <ExecutionView execution={execution.data} />;
}

function ExecutionView({ execution }: { readonly execution: MigrationExecution }) {
  return (
    <section className="panel stack-tight" style={{ padding: 16 }} aria-label={`Copy ${execution.id}`}>
      <div className="row wrap">
        <span role="status" className="row wrap">
          <Outcome status={execution.status} />
          {isUnderWay(execution) && execution.stage && <span>{execution.stage}</span>}
        </span>
        {execution.isTrial && <Tag>Trial: rolled back</Tag>}
        {execution.attempt > 1 && <Tag>Attempt {execution.attempt}</Tag>}
        <span className="grow" />
        <Acts execution={execution} />
      </div>
      {execution.reason !== null && (
        <Sentence tone="red">
          {execution.message ?? `${words(execution.reason.replaceAll('-', ' '))}.`}
        </Sentence>
      )}
      {isUnderWay(execution) && <HowFar execution={execution} />}
      <Facts facts={factsOf(execution)} />
      {execution.rowsRejected > 0 && <Rejected execution={execution} />}
    </section>
  );
}

/** Progress bar and remaining time. It renders no bar if the source reported no expected number of rows. */
function HowFar({ execution }: { readonly execution: MigrationExecution }) {
  const share = shareRead(execution);
  if (share === undefined) return null;
  const remaining = timeLeft(execution, Date.now());
  return (
    <div className="stack-tight">
      <Progress aria-label="Rows read of those expected" value={Math.round(share * 100)} />
      {remaining && <p className="soft">{remaining}</p>}
    </div>
  );
}

function factsOf(execution: MigrationExecution) {
  const { startedAt, finishedAt, isTrial } = execution;
  return [
    { label: 'Read', value: rowsReadInWords(execution) },
    {
      label: isTrial ? 'Would change' : 'At the destination',
      value: changesOf(execution) || <span className="soft">Nothing changed</span>,
    },
    { label: 'Started by', value: words(execution.trigger) },
    { label: 'Started', value: <Time at={startedAt ?? execution.createdTime} /> },
    ...(startedAt && finishedAt
      ? [{ label: 'Duration', value: duration(Date.parse(finishedAt) - Date.parse(startedAt)) }]
      : []),
    ...(execution.watermark === null
      ? []
      : [{ label: 'Read up to', value: <code>{execution.watermark}</code> }]),
    ...(execution.unmaskedColumns.length === 0
      ? []
      : [{ label: 'Copied unmasked', value: execution.unmaskedColumns.join(', ') }]),
  ];
}

function Acts({ execution }: { readonly execution: MigrationExecution }) {
  const [, change] = useAddress();
  const cancel = useChange(cancelMigrationExecution, { touches: ['home'] });
  const retry = useChange(retryMigrationExecution, { touches: ['home'] });
  const params = { id: execution.id };
  const mayRetry = (execution.status === 'Failed' || execution.status === 'Cancelled') && !execution.isTrial;
  return (
    <>
      <ProblemNote error={cancel.error ?? retry.error} />
      {isUnderWay(execution) && (
        <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          Cancel
        </Button>
      )}
      {mayRetry && (
        <Button
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(
              { params },
              { onSuccess: ({ executionId }) => change({ execution: String(executionId) }) },
            )
          }
        >
          Retry
        </Button>
      )}
    </>
  );
}

const shownRows = '50';

type RejectedRow = {
  readonly rowNumber: number;
  readonly key: string | null;
  readonly column: string | null;
  readonly code: string;
};

const columns: readonly Column<RejectedRow>[] = [
  { id: 'key', label: 'Key', cell: (row) => <code>{row.key ?? '–'}</code> },
  {
    id: 'row',
    label: 'Row',
    width: '88px',
    align: 'right',
    cell: (row) => <span className="mono">{count(row.rowNumber)}</span>,
  },
  { id: 'column', label: 'Column', width: '24%', from: 480, cell: (row) => row.column ?? '–' },
  { id: 'code', label: 'Why', width: '30%', cell: (row) => <code>{row.code}</code> },
];

function Rejected({ execution }: { readonly execution: MigrationExecution }) {
  const rows = useQuery(rejectedRows(execution.id, shownRows));
  return (
    <div className="stack-tight">
      <h3>Rejected rows</h3>
      <Table label="Rejected rows" columns={columns} rows={rows.data?.items} keyOf={(row) => row.rowNumber} />
    </div>
  );
}
