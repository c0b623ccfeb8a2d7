import type { Retention } from '@svc/contract';
import { plural } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Record } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { retention } from './requests/retention.ts';

type Item = Retention['kinds'][number];

const names: Readonly<{ [kind in Item['kind']]: string }> = {
  Runs: 'Runs, with their deliveries, messages and files',
  AuditEvents: 'Audit events',
  Notices: 'Notices',
  Evaluations: 'Evaluations of data contracts',
  Samples: 'Failing rows of evaluations',
  FailedJobs: 'Failed jobs',
  LlmContents: 'Prompts and answers of the language model, where they are kept',
};
const time = (at: string | null, none: string) =>
  at === null ? <span className="soft">{none}</span> : <Time at={at} isQuiet />;

const columns: readonly Column<Item>[] = [
  { id: 'kind', label: 'What', cell: (row) => names[row.kind] },
  {
    id: 'days',
    label: 'Kept for',
    width: '104px',
    align: 'right',
    cell: (row) => plural(row.keepDays, 'day'),
  },
  { id: 'oldest', label: 'Oldest', width: '112px', from: 480, cell: (row) => time(row.oldestAt, 'None') },
  { id: 'removed', label: 'Removed', width: '112px', from: 640, cell: (row) => time(row.removedAt, 'Never') },
  {
    id: 'setting',
    label: 'Setting',
    width: '280px',
    from: 960,
    cell: (row) => <code>{row.setting}</code>,
  },
];

/** Retention periods of stored history. The configuration sets them; this section is read-only. */
export function RetentionSection() {
  return (
    <section aria-label="Retention" className="stack-tight">
      <h2>Retention</h2>
      <p className="soft">
        Older records are removed every hour, with an entry in the audit log. Runs and audit events go by
        whole months.
      </p>
      <Record read={retention}>
        {({ kinds }) => <Table label="Retention" columns={columns} rows={kinds} keyOf={(row) => row.kind} />}
      </Record>
    </section>
  );
}
