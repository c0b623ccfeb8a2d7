import type { ListQuery, Page } from '@svc/contract';

/** Range and order of a requested list page. */
export type PageRequest = {
  readonly limit: number;
  readonly offset: number;
  /** Order columns; never empty. One of them is unique, so that pages do not overlap. */
  readonly order: readonly Order[];
};
export type Order = {
  readonly column: string;
  readonly descending: boolean;
  /** True if the column is never NULL. An ordinary index then provides this order in both directions. */
  readonly isNeverNull?: boolean;
};

/** Sortable property names of a list, each with its column. */
export type Sortable = Readonly<Record<string, string>>;

const pageSizeDefault = 20;
const pageSizeMax = 200;
/** PostgreSQL counts offsets in 64 bits. This bound keeps the product of page and size exact. */
const pageMax = 10_000_000;

function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  const value = text === undefined || !/^[+-]?\d{1,15}$/.test(text.trim()) ? fallback : Number(text);
  return Math.min(Math.max(value, min), max);
}

/** Returns the requested page, counted from zero. */
export const pageNumber = (query: Pick<ListQuery, 'page'>): number => wholeNumber(query.page, 0, 0, pageMax);

/**
 * Reads `page`, `pageSize` and `sort`. Refuses nothing: sizes are clamped, negative pages count as 0, unknown sort
 * names are ignored.
 *
 * @param list.byDefault Default order, in the syntax of the `sort` parameter.
 * @param list.unique Column that makes the order total.
 * @param list.neverNull Columns that are never NULL.
 */
export function pageRequest(
  query: ListQuery,
  list: { sortable: Sortable; byDefault: string; unique: string; neverNull?: readonly string[] },
): PageRequest {
  const limit = wholeNumber(query.pageSize, pageSizeDefault, 1, pageSizeMax);
  const page = pageNumber(query);
  const requested = orders(query.sort ?? '', list.sortable);
  const order = requested.length > 0 ? requested : orders(list.byDefault, list.sortable);
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

/** Returns the columns by sort name, case-insensitive. */
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
  const sortOrders: Order[] = [];
  for (const part of sort.split(',').slice(0, 10)) {
    const name = part.trim();
    const descending = name.startsWith('-');
    const column = byName.get((descending ? name.slice(1) : name).toLowerCase());
    if (column !== undefined && !sortOrders.some((entry) => entry.column === column))
      sortOrders.push({ column, descending });
  }
  return sortOrders;
}

/** Returns the `order by` text of a request. Columns come from code, never from the caller. */
export const orderBy = (request: PageRequest): string =>
  request.order
    .map(
      ({ column, descending, isNeverNull }) =>
        `${column} ${descending ? 'desc' : 'asc'}${isNeverNull === true ? '' : ' nulls last'}`,
    )
    .join(', ');

/**
 * Returns the total number of rows, corrected by the rows of the page. The count is a separate statement, before or
 * after the page was read. If rows changed between the two, the page is right.
 */
function totalBy(rowCount: number, counted: number, { offset, limit }: PageRequest): number {
  if (rowCount === 0) return Math.min(counted, offset);
  return rowCount < limit ? offset + rowCount : Math.max(counted, offset + rowCount);
}

/**
 * Returns a list response.
 *
 * @param items All rows of the page. Fewer than its limit only at the end of the list.
 * @param counted Counted number of rows of the list.
 */
export const pageOf = <T>(items: T[], counted: number, request: PageRequest): Page<T> =>
  pageOfKept(items, totalBy(items.length, counted, request), request);

/**
 * Returns a list response with an exact total that is stored next to the rows. The total is not corrected, because
 * other responses contain it too.
 */
export const pageOfKept = <T>(items: T[], totalCount: number, request: PageRequest): Page<T> => ({
  items,
  totalCount,
  pageCount: Math.ceil(totalCount / request.limit),
});
