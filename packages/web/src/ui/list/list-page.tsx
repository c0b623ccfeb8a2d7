import type { Page } from '@svc/contract';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty } from '../feedback/empty.tsx';
import { ProblemView } from '../feedback/problem.tsx';
import { PageHeader } from '../frame/page-header.tsx';
import type { IconName } from '../text/icons.tsx';
import type { Column } from './columns.ts';
import type { Filter } from './filter-chips.tsx';
import classes from './list-page.module.css';
import { ListToolbar } from './list-toolbar.tsx';
import { Pager } from './pager.tsx';
import type { Selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Table } from './table.tsx';
import { type List, useList } from './use-list.ts';

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

export type ListPageProps<Row> = {
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
export function ListPage<Row>(props: ListPageProps<Row>) {
  const list = useList(props);
  const { query, isNarrowed } = list;
  return (
    <>
      <PageHeader
        title={props.title}
        parent={props.parent}
        hasHelp={props.hasHelp}
        count={query.data?.totalCount}
        actions={props.action}
      />
      {props.children}
      <Beside side={props.side}>
        {query.isLoadingError ? (
          <ProblemView error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data?.totalCount === 0 && !isNarrowed ? (
          <Empty icon={props.icon} title={props.empty.title} action={props.empty.action}>
            {props.empty.text}
          </Empty>
        ) : (
          <div className="stack-tight">
            <ListToolbar props={props} list={list} />
            <ListRows props={props} list={list} />
          </div>
        )}
      </Beside>
    </>
  );
}

type RowsProps<Row> = { readonly props: ListPageProps<Row>; readonly list: List<Row> };

/** Table of a list, with the actions on its selected rows and the pager. */
function ListRows<Row>({ props, list }: RowsProps<Row>) {
  const { state, query, selection, shownPage } = list;
  return (
    <>
      {query.data?.items.length === 0 ? (
        <Empty icon="search" title="Nothing matches">
          No row has what the search and the filters ask for. Take one of them away.
        </Empty>
      ) : (
        <Table
          label={props.title}
          columns={props.columns.filter((column) => !list.hidden.includes(column.id))}
          rows={query.data?.items}
          isStale={query.isPlaceholderData}
          keyOf={props.keyOf}
          to={props.to}
          sort={state.sort}
          onSort={(sort) => list.narrow({ sort })}
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
        page={list.page}
        shownPage={shownPage.page}
        shownPageSize={shownPage.pageSize}
        pageCount={query.data?.pageCount ?? 0}
        totalCount={query.data?.totalCount ?? 0}
        onPage={(page) => list.change({ page: page === 0 ? undefined : String(page) }, { push: true })}
      />
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
