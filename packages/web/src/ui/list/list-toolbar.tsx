import { useContext } from 'react';
import { ColumnChoice } from './column-choice.tsx';
import { FilterChips } from './filter-chips.tsx';
import classes from './list-page.module.css';
import type { ListPageProps } from './list-page.tsx';
import { ListTools } from './list-tools.ts';
import { NewerBadge } from './newer-badge.tsx';
import { SearchField } from './search-field.tsx';
import type { List } from './use-list.ts';

type Props<Row> = { readonly props: ListPageProps<Row>; readonly list: List<Row> };

/** Search, filters, and tools of a list. */
export function ListToolbar<Row>({ props, list }: Props<Row>) {
  const { state, narrow, query } = list;
  const filters = props.filters ?? [];
  const Tools = useContext(ListTools);
  const canBeNarrowed = props.searchLabel !== undefined || filters.length > 0;
  return (
    <div className={classes['tools']} data-has-search={props.searchLabel !== undefined}>
      {props.searchLabel !== undefined && (
        <SearchField
          label={props.searchLabel}
          value={state.search ?? ''}
          onChange={(search) => narrow({ search })}
        />
      )}
      <div className={classes['filters']}>
        <FilterChips filters={filters} state={state} onChange={narrow} />
      </div>
      <div className={classes['end']}>
        {props.isLive && query.data && (
          <NewerBadge
            probe={props.read({ ...state, page: '0', pageSize: '1' })}
            shown={query.data}
            keyOf={props.keyOf}
            isFirstPage={(state.page ?? '0') === '0'}
            onShow={() => void query.refetch()}
          />
        )}
        {canBeNarrowed && Tools && <Tools list={props.id} />}
        <ColumnChoice columns={props.columns} hidden={list.hidden} onChange={list.hideColumns} />
      </div>
    </div>
  );
}
