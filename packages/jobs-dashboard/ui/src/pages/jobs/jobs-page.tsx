import { useMemo, useState } from 'react';
import { useAddress } from '../../lib/address.ts';
import { useSession } from '../../lib/requests.ts';
import { states, stateWord } from '../../lib/states.ts';
import { Button } from '../../parts/controls.tsx';
import { Empty, PageHeader, ProblemView, pageClasses } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import classes from '../list.module.css';
import { BulkButtons, bulkActions } from './bulk-buttons.tsx';
import { type BulkAct, BulkDialog, type BulkTarget } from './bulk-dialog.tsx';
import { jobColumns } from './job-columns.tsx';
import { filterOf } from './job-filter.ts';
import { useJobList } from './job-list.ts';
import { JobSearch } from './job-search.tsx';
import { type Selection, selectionColumn, useSelection } from './selection.tsx';
import { StateRail } from './state-rail.tsx';

type OpenDialog = { readonly action: BulkAct; readonly target: BulkTarget };

/** Page of jobs, searchable by name, id, tag, time or a member of their payload. */
export function JobsPage() {
  const { query } = useAddress();
  const state = states.find((one) => one === query['state']);
  const mayAct = useSession().data?.mayAct === true;
  const [openedAt] = useState(Date.now);
  const filter = useMemo(() => filterOf(query, state, openedAt), [query, state, openedAt]);
  const list = useJobList(filter);
  const selection = useSelection(list.items, filter);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const columns = jobColumns(state);
  return (
    <>
      <PageHeader
        title={state ? `${stateWord[state]} jobs` : 'Jobs'}
        actions={
          mayAct &&
          state &&
          list.items.length > 0 && (
            <BulkButtons
              actions={bulkActions(state)}
              suffix=" all …"
              onAction={(action) => setDialog({ action, target: { filter } })}
            />
          )
        }
      />
      <div className={classes['layout']}>
        <StateRail state={state} />
        <div className="grow">
          <JobSearch openedAt={openedAt} />
          {list.error ? <ProblemView error={list.error} onRetry={list.retry} /> : null}
          {list.isLoading && <div className={pageClasses['skeleton']} aria-busy="true" />}
          {list.items.length > 0 && (
            <Table
              label="Jobs"
              columns={mayAct ? [selectionColumn(selection), ...columns] : columns}
              rows={list.items}
              keyOf={({ id }) => id}
              isSelected={({ id }) => selection.ids.has(id)}
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
          <SelectionBar
            selection={selection}
            actions={bulkActions(state)}
            onAction={(action) => setDialog({ action, target: { ids: [...selection.ids] } })}
          />
        </div>
      </div>
      {dialog && (
        <BulkDialog
          {...dialog}
          onClose={(isDone) => {
            setDialog(null);
            if (isDone) selection.clear();
          }}
        />
      )}
    </>
  );
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

type BarProps = {
  readonly selection: Selection;
  readonly actions: readonly BulkAct[];
  readonly onAction: (action: BulkAct) => void;
};

/** Bar with the actions on the selected jobs. */
function SelectionBar({ selection, actions, onAction }: BarProps) {
  if (selection.ids.size === 0) return null;
  return (
    <section className={classes['bulk']} aria-label="Selected jobs">
      <span className="grow">{selection.ids.size} selected</span>
      <BulkButtons actions={actions} onAction={onAction} />
      <Button kind="quiet" onClick={selection.clear}>
        Clear
      </Button>
    </section>
  );
}
