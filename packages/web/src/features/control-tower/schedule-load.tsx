import { Button } from '@mantine/core';
import type { ScheduleLoad as Load } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { count, plural, shortTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Bars } from '../../ui/record/bars.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { scheduleLoad } from './requests/tower.ts';

type Props = { readonly filter: Parameters<typeof scheduleLoad>[0] };

/** Number of runs that the schedules cause in the next 24 hours. It loads when the user opens it. */
export function ScheduleLoad({ filter }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isTable, setTable] = useState(false);
  const load = useQuery({ ...scheduleLoad(filter), enabled: isOpen });
  return (
    <section className="stack-tight" style={{ marginBottom: 16 }} aria-labelledby="schedule-load">
      <div className="row wrap">
        <h2 id="schedule-load">Load of schedules</h2>
        <span className="soft">what comes due in the next 24 hours</span>
        <span className="grow" />
        {isOpen && (
          <Button
            size="compact-sm"
            leftSection={<Icon name={isTable ? 'chart' : 'table'} />}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Chart' : 'Table'}
          </Button>
        )}
        <Button size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen &&
        (load.isLoadingError ? (
          <ProblemView error={load.error} onRetry={() => void load.refetch()} />
        ) : (
          load.data && <Shown load={load.data} isTable={isTable} />
        ))}
    </section>
  );
}

const sumOf = (load: Load): number => load.hours.reduce((sum, { runs }) => sum + runs, 0);

function Shown({ load, isTable }: { readonly load: Load; readonly isTable: boolean }) {
  const { hours, clashes } = load;
  return (
    <>
      {load.isCut && (
        <p className="soft">There are more due times than can be looked at: the counts are too low.</p>
      )}
      {isTable ? (
        <Table label="Due by hour" columns={hourColumns} rows={hours} keyOf={(row) => row.from} />
      ) : (
        <div className="panel" style={{ padding: '12px 16px' }}>
          <Bars
            label={`Due by hour: ${plural(sumOf(load), 'run')} in 24 hours.`}
            bars={hours.map(({ from, runs, clashes: clashing }) => ({
              key: from,
              hint: `${shortTime(from)}: ${plural(runs, 'run')}, ${plural(clashing, 'clash', 'clashes')}`,
              parts: [{ tone: clashing > 0 ? 'amber' : 'blue', value: runs }],
            }))}
            format={count}
            first={shortTime(hours[0]?.from ?? load.from)}
            last={shortTime(hours.at(-1)?.from ?? load.to)}
          />
        </div>
      )}
      {clashes.length === 0 ? (
        <p className="soft">No clashes: nothing comes due together on one data source.</p>
      ) : (
        <Table
          label="Due together on one data source"
          columns={clashColumns}
          rows={clashes}
          keyOf={(row) => `${row.at} ${row.dataSourceId}`}
        />
      )}
    </>
  );
}

const number = (value: number) => <span className="mono">{count(value)}</span>;

const hourColumns: readonly Column<Load['hours'][number]>[] = [
  { id: 'hour', label: 'From', cell: (row) => shortTime(row.from) },
  { id: 'runs', label: 'Runs', width: '96px', align: 'right', cell: (row) => number(row.runs) },
  { id: 'clashes', label: 'Clashes', width: '96px', align: 'right', cell: (row) => number(row.clashes) },
];

const clashColumns: readonly Column<Load['clashes'][number]>[] = [
  { id: 'at', label: 'Due together', width: '160px', cell: (row) => shortTime(row.at) },
  {
    id: 'source',
    label: 'Data source',
    width: '200px',
    from: 640,
    cell: (row) => <Link to={paths.dataSource(row.dataSourceId)}>{row.dataSourceName}</Link>,
  },
  { id: 'runs', label: 'Runs', width: '72px', align: 'right', cell: (row) => number(row.runs) },
  { id: 'subjects', label: 'What', from: 480, cell: (row) => <Subjects row={row} /> },
];

function Subjects({ row }: { readonly row: Load['clashes'][number] }) {
  const more = row.runs - row.subjects.length;
  return (
    <>
      {row.subjects.map(({ kind, id, name }, at) => (
        <Fragment key={`${kind} ${id}`}>
          {at > 0 && ', '}
          <Link to={kind === 'Contract' ? paths.contract(id) : paths.subscription(id)}>{name}</Link>
        </Fragment>
      ))}
      {more > 0 && `, and ${count(more)} more`}
    </>
  );
}
