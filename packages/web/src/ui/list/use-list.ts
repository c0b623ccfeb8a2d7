import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { still } from '../../lib/liveness.ts';
import { useAddress } from '../frame/address.ts';
import { readPreference, savePreference } from '../frame/preference.ts';
import type { Column } from './columns.ts';
import type { ListPageProps, ListState } from './list-page.tsx';
import { useSelection } from './selection.ts';

/** State of a list page: its parameters, its rows, its selection and its visible columns. */
export type List<Row> = ReturnType<typeof useList<Row>>;

export function useList<Row>(props: ListPageProps<Row>) {
  const [address, change] = useAddress();
  const { tab: _tab, ...state } = address;
  const query = useQuery({
    ...props.read(state),
    placeholderData: keepPreviousData,
    ...(props.isLive && { meta: still }),
  });
  const selection = useSelection(query.data?.items, props.keyOf);
  const shownPage = useShownPage(state, query.isPlaceholderData);
  const [hidden, setHidden] = useState(() => hiddenColumns(props.id, props.columns));
  const filterNames = (props.filters ?? []).map(({ name }) => name);
  return {
    /** Parameters of the address. */
    state,
    /** Changes parameters of the address. */
    change,
    /** Changes parameters that select other rows, and returns to the first page. */
    narrow: (changes: Readonly<Record<string, string | undefined>>) =>
      change({ ...changes, page: undefined }),
    /** The search or a filter excludes rows. */
    isNarrowed: ['search', ...filterNames].some((name) => state[name]),
    query,
    selection,
    page: pageOf(state.page),
    /** Page to which the visible rows belong. */
    shownPage,
    /** Ids of the hidden columns. */
    hidden,
    hideColumns: (ids: readonly string[]) => {
      setHidden(ids);
      savePreference(`columns.${props.id}`, ids.join(','));
    },
  };
}

/** Returns the page to which the visible rows belong: the previous page while the next one loads. */
function useShownPage(state: ListState, isPlaceholder: boolean): { page: number; pageSize: number } {
  const requested = { page: pageOf(state.page), pageSize: pageSizeOf(state.pageSize) };
  const [shown, setShown] = useState(requested);
  const isSame = requested.page === shown.page && requested.pageSize === shown.pageSize;
  if (isPlaceholder || isSame) return shown;
  setShown(requested);
  return requested;
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
