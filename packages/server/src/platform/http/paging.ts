import type { ListQuery, Page } from '@svc/contract';

/** Which part of a list is asked for, in which order. */
export type PageRequest = {
  readonly limit: number;
  readonly offset: number;
  /** Columns to order by; never empty. Ends in a unique column, so that pages do not overlap. */
  readonly order: readonly Order[];
};
export type Order = {
  readonly column: string;
  readonly descending: boolean;
  /** Set where the column has a value in every row: an ordinary index gives this order in both directions. */
  readonly isNeverNull?: boolean;
};

/** Property names that a list can be sorted by, each with its column. */
export type Sortable = Readonly<Record<string, string>>;

const pageSizeDefault = 20;
const pageSizeMax = 200;
/** PostgreSQL counts offsets in 64 bits; this keeps the product of page and size exact. */
const pageMax = 10_000_000;

function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  const value = text === undefined || !/^[+-]?\d{1,15}$/.test(text.trim()) ? fallback : Number(text);
  return Math.min(Math.max(value, min), max);
}

/** The page that is asked for, counted from zero. */
export const pageNumber = (query: Pick<ListQuery, 'page'>): number => wholeNumber(query.page, 0, 0, pageMax);

/**
 * Reads `page`, `pageSize` and `sort`. Nothing is refused: sizes are clamped, negative pages count as 0, unknown
 * sort names are passed over.
 *
 * @param list.byDefault  the list's own order, written like the `sort` parameter.
 * @param list.unique  column that makes the order total.
 * @param list.neverNull  columns that have a value in every row.
 */
export function pageRequest(
  query: ListQuery,
  list: { sortable: Sortable; byDefault: string; unique: string; neverNull?: readonly string[] },
): PageRequest {
  const limit = wholeNumber(query.pageSize, pageSizeDefault, 1, pageSizeMax);
  const page = pageNumber(query);
  const wanted = orders(query.sort ?? '', list.sortable);
  const order = wanted.length > 0 ? wanted : orders(list.byDefault, list.sortable);
  const last = order.at(-1);
  const isTotal = order.some((entry) => entry.column === list.unique);
  const total = isTotal ? order : [...order, { column: list.unique, descending: last?.descending ?? false }];
  return {
    limit,
    offset: page * limit,
    order: list.neverNull
      ? total.map((entry) => ({ ...entry, isNeverNull: list.neverNull?.includes(entry.column) ?? false }))
      : total,
  };
}

const columnsOfLists = new WeakMap<Sortable, ReadonlyMap<string, string>>();

/** Columns by sort name, whatever its case. */
function columnsOf(sortable: Sortable): ReadonlyMap<string, string> {
  let columns = columnsOfLists.get(sortable);
  if (columns === undefined) {
    columns = new Map(Object.entries(sortable).map(([name, column]) => [name.toLowerCase(), column]));
    columnsOfLists.set(sortable, columns);
  }
  return columns;
}

function orders(sort: string, sortable: Sortable): Order[] {
  const byName = columnsOf(sortable);
  const found: Order[] = [];
  for (const part of sort.split(',').slice(0, 10)) {
    const name = part.trim();
    const descending = name.startsWith('-');
    const column = byName.get((descending ? name.slice(1) : name).toLowerCase());
    if (column !== undefined && !found.some((entry) => entry.column === column))
      found.push({ column, descending });
  }
  return found;
}

/** `order by` text of a request; columns come from code, never from the caller. */
export const orderBy = (request: PageRequest): string =>
  request.order
    .map(
      ({ column, descending, isNeverNull }) =>
        `${column} ${descending ? 'desc' : 'asc'}${isNeverNull === true ? '' : ' nulls last'}`,
    )
    .join(', ');

/**
 * How many there are, as the rows of a page show it. They are counted by a statement of its own, before or after the page
 * was read: where something came or went between the two, what was read is right.
 */
function totalBy(found: number, counted: number, { offset, limit }: PageRequest): number {
  if (found === 0) return Math.min(counted, offset);
  return found < limit ? offset + found : Math.max(counted, offset + found);
}

/**
 * The answer of a list.
 *
 * @param items  every row that the page has: fewer than its limit only where the list ends in it.
 * @param counted  how many rows the whole list was counted to have.
 */
export const pageOf = <T>(items: T[], counted: number, request: PageRequest): Page<T> =>
  pageOfKept(items, totalBy(items.length, counted, request), request);

/** The same where the total is kept beside the rows and told elsewhere as well: it is told as it is. */
export const pageOfKept = <T>(items: T[], totalCount: number, request: PageRequest): Page<T> => ({
  items,
  totalCount,
  pageCount: Math.ceil(totalCount / request.limit),
});
