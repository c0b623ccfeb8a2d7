import type { Page } from '@svc/contract';
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext, useState } from 'react';
import { still } from '../../lib/liveness.ts';
import { Empty } from '../feedback/empty.tsx';
import { ProblemView } from '../feedback/problem.tsx';
import { useAddress } from '../frame/address.ts';
import { PageHeader } from '../frame/page-header.tsx';
import { readPreference, savePreference } from '../frame/preference.ts';
import type { IconName } from '../text/icons.tsx';
import { ColumnChoice } from './column-choice.tsx';
import type { Column } from './columns.ts';
import { type Filter, FilterChips } from './filter-chips.tsx';
import classes from './list-page.module.css';
import { ListTools } from './list-tools.ts';
import { NewerBadge } from './newer-badge.tsx';
import { Pager } from './pager.tsx';
import { SearchField } from './search-field.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Table } from './table.tsx';

/** Parameters of the list request. All values are texts from the address. */
export type ListState = {
  readonly page?: string;
  readonly pageSize?: string;
  readonly sort?: string;
  readonly search?: string;
  readonly [filter: string]: string | undefined;
};

/** Query of one page of a list, as `read()` returns it. */
// biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
export type PageRead<Row> = UseQueryOptions<Page<Row>, Error, Page<Row>, any>;

type Props<Row> = {
  /** Name of the list. The browser stores the visible columns under it. */
  readonly id: string;
  readonly title: string;
  /** Record to which the list belongs. */
  readonly parent?: { readonly to: string; readonly label: string };
  /** Shows a link to the documentation next to the title. */
  readonly hasHelp?: boolean;
  readonly icon: IconName;
  readonly read: (state: ListState) => PageRead<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly to?: (row: Row) => string;
  readonly filters?: readonly Filter[];
  readonly searchLabel?: string;
  readonly action?: ReactNode;
  readonly rowActions?: (row: Row) => ReactNode;
  /** Width of the row actions. Default: one icon button. */
  readonly actionsWidth?: string;
  /** Empty state: the purpose of the list, and the next step. */
  readonly empty: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode };
  /** Polls for newer rows and offers them. */
  readonly isLive?: boolean;
  readonly children?: ReactNode;
  /** Enables selection: names of rows, and actions on the selected rows. */
  readonly bulk?:
    | {
        readonly nameOf: (row: Row) => string;
        readonly acts: (selection: Selection<Row>) => ReactNode;
      }
    | undefined;
  /** Filter next to the list. */
  readonly side?: ReactNode;
};

/** List page: title with count, search, filters in the address, table, and pager. */
export function ListPage<Row>(props: Props<Row>) {
  const [address, change] = useAddress();
  const { tab: _tab, ...state } = address;
  const list = useQuery({
    ...props.read(state),
    placeholderData: keepPreviousData,
    ...(props.isLive && { meta: still }),
  });
  const selection = useSelection(list.data?.items, props.keyOf);
  const shownPage = useShownPage(state, list.isPlaceholderData);
  const [hidden, setHidden] = useState(() => hiddenColumns(props.id, props.columns));
  const columns = props.columns.filter((column) => !hidden.includes(column.id));
  const filters = props.filters ?? [];
  const Tools = useContext(ListTools);
  const canBeNarrowed = props.searchLabel !== undefined || filters.length > 0;
  const isNarrowed = ['search', ...filters.map((filter) => filter.name)].some((name) => state[name]);

  const chooseColumns = (ids: readonly string[]) => {
    setHidden(ids);
    savePreference(`columns.${props.id}`, ids.join(','));
  };

  return (
    <>
      <PageHeader
        title={props.title}
        parent={props.parent}
        hasHelp={props.hasHelp}
        count={list.data?.totalCount}
        actions={props.action}
      />
      {props.children}
      <Beside side={props.side}>
        {list.isLoadingError ? (
          <ProblemView error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data?.totalCount === 0 && !isNarrowed ? (
          <Empty icon={props.icon} title={props.empty.title} action={props.empty.action}>
            {props.empty.text}
          </Empty>
        ) : (
          <div className="stack-tight">
            <div className={classes['tools']} data-has-search={props.searchLabel !== undefined}>
              {props.searchLabel !== undefined && (
                <SearchField
                  label={props.searchLabel}
                  value={state.search ?? ''}
                  onChange={(search) => change({ search, page: undefined })}
                />
              )}
              <div className={classes['filters']}>
                <FilterChips
                  filters={filters}
                  state={state}
                  onChange={(changes) => change({ ...changes, page: undefined })}
                />
              </div>
              <div className={classes['end']}>
                {props.isLive && list.data && (
                  <NewerBadge
                    probe={props.read({ ...state, page: '0', pageSize: '1' })}
                    shown={list.data}
                    keyOf={props.keyOf}
                    isFirstPage={(state.page ?? '0') === '0'}
                    onShow={() => void list.refetch()}
                  />
                )}
                {canBeNarrowed && Tools && <Tools list={props.id} />}
                <ColumnChoice columns={props.columns} hidden={hidden} onChange={chooseColumns} />
              </div>
            </div>
            {list.data?.items.length === 0 ? (
              <Empty icon="search" title="Nothing matches">
                No row has what the search and the filters ask for. Take one of them away.
              </Empty>
            ) : (
              <Table
                label={props.title}
                columns={columns}
                rows={list.data?.items}
                isStale={list.isPlaceholderData}
                keyOf={props.keyOf}
                to={props.to}
                sort={state.sort}
                onSort={(sort) => change({ sort, page: undefined })}
                actions={props.rowActions}
                actionsWidth={props.actionsWidth}
                selection={props.bulk && { ...selection, nameOf: props.bulk.nameOf }}
              />
            )}
            {props.bulk && selection.rows.length > 0 && (
              <SelectionBar selectedCount={selection.rows.length} onClear={selection.clear}>
                {props.bulk.acts(selection)}
              </SelectionBar>
            )}
            <Pager
              page={pageOf(state.page)}
              shownPage={shownPage.page}
              shownPageSize={shownPage.pageSize}
              pageCount={list.data?.pageCount ?? 0}
              totalCount={list.data?.totalCount ?? 0}
              onPage={(page) => change({ page: page === 0 ? undefined : String(page) }, { push: true })}
            />
          </div>
        )}
      </Beside>
    </>
  );
}

type BesideProps = { readonly side: ReactNode | undefined; readonly children: ReactNode };

const Beside = ({ side, children }: BesideProps) =>
  side === undefined ? (
    children
  ) : (
    <div className={classes['beside']}>
      {side}
      <div className={classes['main']}>{children}</div>
    </div>
  );

/** Returns the page to which the visible rows belong: the previous page while the next one loads. */
function useShownPage(state: ListState, isPlaceholder: boolean): { page: number; pageSize: number } {
  const asked = { page: pageOf(state.page), pageSize: pageSizeOf(state.pageSize) };
  const [shown, setShown] = useState(asked);
  if (isPlaceholder || (asked.page === shown.page && asked.pageSize === shown.pageSize)) return shown;
  setShown(asked);
  return asked;
}

const defaultPageSize = 20;
const pageSizeMax = 200;

const pageOf = (text: string | undefined): number => Number(text ?? '0') || 0;

/** Returns the page size, clamped to the bounds of the service. */
const pageSizeOf = (text: string | undefined): number =>
  Math.min(pageSizeMax, Math.max(1, Math.trunc(Number(text)) || defaultPageSize));

function hiddenColumns<Row>(id: string, columns: readonly Column<Row>[]): readonly string[] {
  const saved = readPreference(`columns.${id}`);
  if (saved !== undefined) return saved.split(',').filter((name) => name !== '');
  return columns.filter((column) => column.isExtra).map((column) => column.id);
}
