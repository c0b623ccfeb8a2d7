import { useCallback } from 'react';
import type { ScheduleList } from '../../../../src/api/schedules.ts';
import { useAddress } from '../../lib/address.ts';
import { duration, wholeNumber } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useSchedules, useSession } from '../../lib/requests.ts';
import { Button, State, Status } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { act } from '../../parts/notices.tsx';
import { Empty, PageHeader, Read } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import classes from '../list.module.css';

type Schedule = Json<ScheduleList>['items'][number];

const pageSize = 50;

const columns: readonly Column<Schedule>[] = [
  {
    key: 'key',
    title: 'Schedule',
    cell: ({ id, key, title }) => (
      <>
        <Link to={`/recurring/${id}`} className={rowLinkClass} data-row-link>
          {title ?? key}
        </Link>
        {title !== null && <span className="soft mono"> {key}</span>}
      </>
    ),
  },
  {
    key: 'when',
    title: 'When',
    from: 640,
    cell: ({ description, cron, timeZone }) => (
      <span title={`${cron} (${timeZone})`}>{description ?? <code>{cron}</code>}</span>
    ),
  },
  { key: 'job', title: 'Job', width: 'wide', from: 800, cell: ({ jobName }) => jobName },
  {
    key: 'state',
    title: 'State',
    width: 'middle',
    from: 480,
    cell: ({ isEnabled }) =>
      isEnabled ? <Status tone="green">Active</Status> : <Status tone="amber">Paused</Status>,
  },
  { key: 'next', title: 'Next', width: 'middle', cell: ({ nextDueAt }) => <Time at={nextDueAt} /> },
  {
    key: 'last',
    title: 'Last run',
    width: 'middle',
    from: 960,
    cell: ({ lastState, lastDueAt }) => (lastState ? <State state={lastState} /> : <Time at={lastDueAt} />),
  },
  {
    key: 'took',
    title: 'Duration',
    align: 'right',
    width: 'narrow',
    from: 640,
    cell: ({ lastDurationMs }) => (lastDurationMs === null ? '—' : duration(lastDurationMs)),
  },
];

/** Buttons that run, pause or resume a schedule. */
export function ScheduleActs({
  id,
  name,
  isEnabled,
  size = 'small',
}: {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly size?: 'small' | 'normal';
}) {
  const path = `/recurring/${id}`;
  const kind = size === 'small' ? 'quiet' : 'default';
  return (
    <>
      <Button
        kind={kind}
        size={size}
        aria-label={`Run now: ${name}`}
        onClick={() => void act(`${path}/run`, `${name} was enqueued.`)}
      >
        Run now
      </Button>
      <Button
        kind={kind}
        size={size}
        aria-label={`${isEnabled ? 'Pause' : 'Resume'} ${name}`}
        onClick={() =>
          void (isEnabled
            ? act(`${path}/pause`, `${name} is paused.`)
            : act(`${path}/resume`, `${name} goes on from its next time.`))
        }
      >
        {isEnabled ? 'Pause' : 'Resume'}
      </Button>
    </>
  );
}

const actsColumn: Column<Schedule> = {
  key: 'acts',
  title: <span className="visually-hidden">Acts</span>,
  align: 'right',
  width: 'acts',
  from: 800,
  cell: ({ id, key, isEnabled }) => <ScheduleActs id={id} name={key} isEnabled={isEnabled} />,
};

/** Page of recurring jobs with their next and last runs. */
export function RecurringPage() {
  const { query, setQuery } = useAddress();
  const searchText = query['search'] ?? '';
  const offset = Math.max(0, Number(query['offset'] ?? 0) || 0);
  const search = useCallback(
    (text: string) => setQuery({ search: text, offset: '' }, { replace: true }),
    [setQuery],
  );
  const mayAct = useSession().data?.mayAct === true;
  const schedules = useSchedules({ search: searchText, offset, limit: pageSize });
  return (
    <>
      <PageHeader
        title="Recurring jobs"
        beside={schedules.data && <span className="mono soft">{wholeNumber(schedules.data.total)}</span>}
      />
      <div className={classes['tools']}>
        <SearchField
          label="Search schedules"
          placeholder="Schedule or job"
          value={searchText}
          className={classes['search']}
          onChange={search}
        />
      </div>
      <Read of={schedules}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="No recurring jobs here.">
              A schedule enqueues its job at each due time, once, however many processes run.
            </Empty>
          ) : (
            <>
              <Table
                label="Recurring jobs"
                columns={mayAct ? [...columns, actsColumn] : columns}
                rows={items}
                keyOf={({ id }) => id}
              />
              <div className={classes['foot']}>
                {offset > 0 && (
                  <Button onClick={() => setQuery({ offset: String(Math.max(0, offset - pageSize)) })}>
                    Page before
                  </Button>
                )}
                {offset + items.length < total && (
                  <Button onClick={() => setQuery({ offset: String(offset + pageSize) })}>Next page</Button>
                )}
              </div>
            </>
          )
        }
      </Read>
    </>
  );
}
