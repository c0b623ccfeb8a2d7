import { Select } from '@mantine/core';
import {
  type LearnedPattern,
  type PatternKind,
  type PatternState,
  patternKinds,
  patternStates,
} from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Pager } from '../../ui/list/pager.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { PatternDialog } from './pattern-dialog.tsx';
import { learnedPatterns } from './requests/learning.ts';
import { kindWords, stateTones } from './words.ts';

const pageSize = 20;

const columns: readonly Column<LearnedPattern>[] = [
  {
    id: 'text',
    label: 'Learned',
    cell: (row) => (
      <>
        <span style={{ overflowWrap: 'anywhere' }}>{row.text}</span>
        <div className="soft">
          {row.dataSourceName}, {row.projectName}
        </div>
      </>
    ),
  },
  { id: 'kind', label: 'Kind', width: '152px', from: 640, cell: (row) => kindWords[row.kind] },
  {
    id: 'seen',
    label: 'Seen',
    sort: 'signalCount',
    width: '80px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{count(row.signalCount)}</span>,
  },
  {
    id: 'callers',
    label: 'Callers',
    sort: 'callerCount',
    width: '96px',
    align: 'right',
    from: 800,
    cell: (row) => <span className="mono">{count(row.callerCount)}</span>,
  },
  {
    id: 'state',
    label: 'State',
    width: '128px',
    cell: (row) => <Status tone={stateTones[row.state]}>{row.state}</Status>,
  },
];

const oneOf = <T extends string>(members: readonly T[], text: string | undefined): T | undefined =>
  members.find((member) => member === text);

/** Learned patterns, most frequent first. A row opens the details for a decision. */
export function Patterns({ projectId }: { readonly projectId: number | undefined }) {
  const [address, change] = useAddress();
  const state = oneOf(patternStates, address['state']);
  const kind = oneOf(patternKinds, address['kind']);
  const page = /^\d{1,6}$/.test(address['page'] ?? '') ? Number(address['page']) : 0;
  const sort = address['sort'];
  const list = useQuery({
    ...learnedPatterns({
      page: String(page),
      pageSize: String(pageSize),
      ...(projectId !== undefined && { projectId }),
      ...(state && { state }),
      ...(kind && { kind }),
      ...(sort && { sort }),
    }),
    placeholderData: keepPreviousData,
  });
  const opened = /^\d{1,9}$/.test(address['pattern'] ?? '') ? Number(address['pattern']) : undefined;
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const isFiltered = state !== undefined || kind !== undefined;
  return (
    <>
      <Filters state={state} kind={kind} onChange={(filter) => change({ ...filter, page: undefined })} />
      {list.data?.totalCount === 0 ? (
        <Empty icon="learning" title={isFiltered ? 'Nothing matches' : 'Nothing learned yet'}>
          {isFiltered
            ? 'No pattern is of this kind and state.'
            : 'Statements of AI clients and of the page Ask are analyzed every hour. A pattern needs two callers or five statements.'}
        </Empty>
      ) : (
        <Table
          label="Patterns"
          columns={columns}
          rows={list.data?.items}
          isStale={list.isPlaceholderData}
          keyOf={(row) => row.id}
          to={(row) => paths.mcpLearning({ ...address, pattern: row.id })}
          sort={sort ?? '-signalCount'}
          onSort={(next) => change({ sort: next, page: undefined })}
        />
      )}
      {list.data && (
        <Pager
          page={page}
          shownPage={page}
          shownPageSize={pageSize}
          pageCount={list.data.pageCount}
          totalCount={list.data.totalCount}
          onPage={(next) => change({ page: String(next) })}
        />
      )}
      {opened !== undefined && (
        <PatternDialog key={opened} id={opened} onClose={() => change({ pattern: undefined })} />
      )}
    </>
  );
}

type FiltersProps = {
  readonly state: PatternState | undefined;
  readonly kind: PatternKind | undefined;
  readonly onChange: (filter: {
    readonly kind?: string | undefined;
    readonly state?: string | undefined;
  }) => void;
};

function Filters({ state, kind, onChange }: FiltersProps) {
  return (
    <div className="row wrap">
      <Select
        aria-label="Kind"
        placeholder="Every kind"
        w={184}
        clearable
        data={patternKinds.map((value) => ({ value, label: kindWords[value] }))}
        value={kind ?? null}
        onChange={(value) => onChange({ kind: value ?? undefined })}
      />
      <Select
        aria-label="State"
        placeholder="Every state"
        w={160}
        clearable
        data={[...patternStates]}
        value={state ?? null}
        onChange={(value) => onChange({ state: value ?? undefined })}
      />
    </div>
  );
}
