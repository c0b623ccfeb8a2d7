import type { JobState } from '@svc/jobs';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Query, useAddress } from '../lib/address.ts';
import { countText } from '../lib/format.ts';
import { keepSearch } from '../lib/recent-searches.ts';
import { useOverview, useSession } from '../lib/requests.ts';
import { readSearch, suggestionsFor } from '../lib/search.ts';
import { states, stateTone, stateWord } from '../lib/states.ts';
import { Button, Mark } from '../parts/controls.tsx';
import { Link } from '../parts/link.tsx';
import { Empty, Facts, PageHeader, ProblemView, pageClasses } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { type BulkAct, BulkDialog, type BulkTarget } from './bulk-dialog.tsx';
import { type Item, jobColumns } from './job-columns.tsx';
import { useJobList } from './job-list.ts';
import classes from './jobs.module.css';

/** Query parameters that filter the list in addition to state and search, with their labels. */
const narrowing: Readonly<Record<string, string>> = {
  queue: 'Queue',
  exactName: 'Name',
  schedule: 'Schedule',
  batchId: 'Members of',
  parentId: 'After',
  spawnedBy: 'Spawned by',
  traceId: 'Trace',
};

const possible: Readonly<Record<JobState, readonly BulkAct[]>> = {
  Scheduled: ['requeue', 'cancel'],
  Enqueued: ['cancel'],
  AwaitingParent: ['requeue', 'cancel'],
  AwaitingRetry: ['requeue', 'cancel'],
  Processing: ['cancel'],
  Completed: ['requeue', 'delete'],
  Failed: ['requeue', 'delete'],
  Cancelled: ['requeue', 'delete'],
};
const actWords: Readonly<Record<BulkAct, string>> = {
  requeue: 'Requeue',
  cancel: 'Cancel',
  delete: 'Delete',
};
const everyAct: readonly BulkAct[] = ['requeue', 'cancel', 'delete'];

function Rail({ state }: { readonly state: JobState | undefined }) {
  const { query } = useAddress();
  const counts = useOverview().data?.states;
  const entry = (of: JobState | undefined, word: string, count: string) => (
    <Link
      key={word}
      to="/jobs"
      query={{ ...query, state: of }}
      aria-current={of === state ? 'page' : undefined}
    >
      {of && <Mark tone={stateTone[of]} />}
      <span>{word}</span>
      <span className={`mono ${classes['count']}`}>{count}</span>
    </Link>
  );
  return (
    <nav className={classes['rail']} aria-label="States">
      {entry(undefined, 'All states', '')}
      {states.map((of) => {
        const found = counts?.find((one) => one.state === of);
        return entry(of, stateWord[of], found ? countText(found.count, found.isEstimate) : '');
      })}
    </nav>
  );
}

const help = [
  ['ship', 'part of the name; a whole id or its first 8 digits'],
  ['id:0192', 'the first digits of the id'],
  ['tag:vip', 'a tag; tag:region:eu for one with a value, also of the metadata'],
  ['order.id=42', 'a member of the payload and its value; items.sku=b looks into lists'],
  ['order.note=', 'a member of the payload that is there'],
  ['queue:mail', 'the queue'],
  ['since:2h', 'created in the last 2 hours; also 30m, 7d, 2026-03-01'],
  ['before:1d', 'created before that'],
] as const;

const meantMs = 1_500;

/** Returns the filter of the list from the URL. */
function filterOf(
  query: Query,
  state: JobState | undefined,
  nowMs: number,
): Record<string, string | undefined> {
  const kept = Object.fromEntries(Object.keys(narrowing).map((name) => [name, query[name]]));
  return { ...kept, state, ...readSearch(query['q'] ?? '', nowMs).search };
}

/** Footer of the list: its progress, and buttons to continue. */
function ListFoot({ list }: { readonly list: ReturnType<typeof useJobList> }) {
  return (
    <div className={classes['foot']} aria-live="polite">
      {list.isSearching && <span>Searching …</span>}
      {list.lookedBackTo !== null && list.isCutShort && (
        <span>
          Looked at jobs up to <Time at={list.lookedBackTo} />.
        </span>
      )}
      {list.hasMore && (
        <Button onClick={list.isSearching ? list.stop : list.more}>
          {list.isSearching ? 'Stop' : list.isCutShort ? 'Search further' : 'Show more'}
        </Button>
      )}
    </div>
  );
}

/** Page of jobs, searchable by name, id, tag, time or a member of their payload. */
export function JobsPage() {
  const { query, setQuery } = useAddress();
  const state = states.find((one) => one === query['state']);
  const mayAct = useSession().data?.mayAct === true;
  const [openedAt] = useState(Date.now);
  const filter = useMemo(() => filterOf(query, state, openedAt), [query, state, openedAt]);
  const list = useJobList(filter);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [asked, ask] = useState<{ action: BulkAct; target: BulkTarget } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another selection.
  useEffect(() => select(new Set()), [filter]);
  const tick: Column<Item> = {
    key: 'tick',
    title: (
      <input
        type="checkbox"
        aria-label="Select all that are shown"
        checked={list.items.length > 0 && selected.size === list.items.length}
        onChange={(event) => select(new Set(event.target.checked ? list.items.map(({ id }) => id) : []))}
      />
    ),
    label: 'Selection',
    width: 'tick',
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selected.has(id)}
        onChange={(event) => {
          const next = new Set(selected);
          if (event.target.checked) next.add(id);
          else next.delete(id);
          select(next);
        }}
      />
    ),
  };
  const text = query['q'] ?? '';
  const { mistakes } = useMemo(() => readSearch(text, openedAt), [text, openedAt]);
  const queues = useOverview().data?.queues;
  const suggest = useCallback(
    (written: string) => suggestionsFor(written, queues?.map(({ name }) => name) ?? []),
    [queues],
  );
  // Stores a search only after it was unchanged for some time, not while the user types.
  useEffect(() => {
    if (text === '' || mistakes.length > 0) return;
    const timer = window.setTimeout(() => keepSearch(text), meantMs);
    return () => window.clearTimeout(timer);
  }, [text, mistakes]);
  const search = useCallback((q: string) => setQuery({ q }, { replace: true }), [setQuery]);
  const columns = jobColumns(state);
  const acts = state ? possible[state] : everyAct;
  return (
    <>
      <PageHeader
        title={state ? `${stateWord[state]} jobs` : 'Jobs'}
        actions={
          mayAct && state && list.items.length > 0
            ? possible[state].map((action) => (
                <Button
                  key={action}
                  kind={action === 'requeue' ? 'default' : 'danger'}
                  onClick={() => ask({ action, target: { filter } })}
                >
                  {actWords[action]} all …
                </Button>
              ))
            : undefined
        }
      />
      <div className={classes['layout']}>
        <Rail state={state} />
        <div className="grow">
          <div className={classes['tools']}>
            <SearchField
              label="Search jobs"
              placeholder="Name, id, tag:vip, order.id=42, since:2h"
              value={text}
              suggest={suggest}
              mistakes={mistakes}
              className={classes['search']}
              onChange={search}
            />
            {Object.entries(narrowing).map(([name, word]) =>
              query[name] === undefined ? null : (
                <span key={name} className={classes['chip']}>
                  {word}: <span className="mono">{query[name]}</span>
                  <button
                    type="button"
                    aria-label={`Without ${word}`}
                    onClick={() => setQuery({ [name]: '' })}
                  >
                    ×
                  </button>
                </span>
              ),
            )}
          </div>
          <details className={classes['help']}>
            <summary>What can be searched</summary>
            <Facts facts={help.map(([example, words]) => [example, words])} />
          </details>
          {list.error ? <ProblemView error={list.error} onRetry={list.retry} /> : null}
          {list.isLoading && <div className={pageClasses['skeleton']} aria-busy="true" />}
          {list.items.length > 0 && (
            <Table
              label="Jobs"
              columns={mayAct ? [tick, ...columns] : columns}
              rows={list.items}
              keyOf={({ id }) => id}
              isSelected={({ id }) => selected.has(id)}
            />
          )}
          {list.isEmpty && (
            <Empty title="No jobs here.">
              {query['q']
                ? 'Nothing that is kept fits the search.'
                : 'Jobs of this state come and go by themselves.'}
            </Empty>
          )}
          <ListFoot list={list} />
          {selected.size > 0 && (
            <section className={classes['bulk']} aria-label="Selected jobs">
              <span className="grow">{selected.size} selected</span>
              {acts.map((action) => (
                <Button
                  key={action}
                  kind={action === 'requeue' ? 'default' : 'danger'}
                  onClick={() => ask({ action, target: { ids: [...selected] } })}
                >
                  {actWords[action]}
                </Button>
              ))}
              <Button kind="quiet" onClick={() => select(new Set())}>
                Clear
              </Button>
            </section>
          )}
        </div>
      </div>
      {asked && (
        <BulkDialog
          action={asked.action}
          target={asked.target}
          onClose={(isDone) => {
            ask(null);
            if (isDone) select(new Set());
          }}
        />
      )}
    </>
  );
}
