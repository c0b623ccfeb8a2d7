import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';
import { accessRows, type CallerKind, type Expectation } from '../../../access/index.ts';

/** A path with its route. */
export type Located = { readonly template: string; readonly path: string };
export type ListRequest = Located & {
  readonly filter: string;
  /** The record that the list belongs to. Without the right to read it, the caller gets 404 for the list, too. */
  readonly parent: Located | undefined;
};
export type Item = Readonly<Record<string, unknown>>;
/** `isShown` is false if the access table or the parent refuses the list. */
type ShownList = {
  readonly isShown: boolean;
  readonly totalCount: number;
  readonly items: readonly Item[];
};

/** Reads of one caller. All except `get` are sent once. */
export type CallerView = {
  readonly kind: CallerKind;
  /** A sentence per answer that neither the access table nor the parent explains. */
  readonly wrong: string[];
  readonly get: (path: string) => Promise<Answer>;
  /** Returns the status of a read by id: 200, 404, or the refusal of the access table. */
  readonly statusOf: (record: Located) => Promise<number>;
  /** Returns all rows of a list. */
  readonly list: (request: ListRequest) => Promise<ShownList>;
  /** Returns a document of figures; null if the access table refuses it. */
  readonly figures: (path: string) => Promise<Item | null>;
};

const pageSize = 200;
const pagesMax = 50;
const hidden: ShownList = { isShown: false, totalCount: 0, items: [] };

/** Returns the expected answer of the access table for a GET route. */
export function expectationOf(template: string, kind: CallerKind): Expectation {
  const rows = accessRows.filter(({ operation }) => operation === `GET ${template}`);
  const row = rows.find(({ variant }) => variant === undefined) ?? rows[0];
  if (!row) throw new Error(`The access table has no row for GET ${template}.`);
  return row.expect[kind];
}

/** Returns a function that calls `read` once per key. */
function once<Request, Value>(
  keyOf: (request: Request) => string,
  read: (request: Request) => Promise<Value>,
): (request: Request) => Promise<Value> {
  const values = new Map<string, Promise<Value>>();
  return (request) => {
    const value = values.get(keyOf(request)) ?? read(request);
    values.set(keyOf(request), value);
    return value;
  };
}

export function createCallerView(client: HttpClient, kind: CallerKind): CallerView {
  const wrong: string[] = [];
  const report = (path: string, { status, text }: Answer) =>
    void wrong.push(`${kind}: ${path} answers ${status} ${text.slice(0, 200)}`);

  const statusOf = once<Located, number>(
    ({ path }) => path,
    async ({ template, path }) => {
      const answer = await client.get(path);
      const isExpected = [200, 404, expectationOf(template, kind)].includes(answer.status);
      if (!isExpected) report(path, answer);
      return answer.status;
    },
  );

  const readPages = async (url: string, first: Answer): Promise<ShownList> => {
    const items: Item[] = [];
    for (let page = 0; page < pagesMax; page++) {
      const answer = page === 0 ? first : await client.get(`${url}&page=${page}`);
      if (answer.status !== 200) report(url, answer);
      const { items: more = [], totalCount = 0 } = answer.body ?? {};
      items.push(...more);
      if (items.length >= totalCount) return { isShown: true, totalCount, items };
      if (more.length === 0) break;
    }
    wrong.push(`${kind}: the pages of ${url} contain only ${items.length} rows`);
    return { isShown: true, totalCount: items.length, items };
  };

  const urlOf = ({ path, filter }: ListRequest) => `${path}?pageSize=${pageSize}${filter && `&${filter}`}`;
  const list = once<ListRequest, ShownList>(urlOf, async (request) => {
    const url = urlOf(request);
    const answer = await client.get(url);
    const ofParent = request.parent && (await statusOf(request.parent));
    const isRefused = expectationOf(request.template, kind) === 403;
    const isParentHidden = ofParent !== undefined && ofParent !== 200;
    if (answer.status === 200 && !isRefused && !isParentHidden) return readPages(url, answer);
    const isExplained = (answer.status === 403 && isRefused) || (answer.status === 404 && ofParent === 404);
    if (!isExplained) report(url, answer);
    return hidden;
  });

  const figures = once<string, Item | null>(String, async (path) => {
    const answer = await client.get(path);
    const expectation = expectationOf(path.split('?')[0] ?? '', kind);
    if (answer.status !== (expectation === 'passes' ? 200 : expectation)) report(path, answer);
    return answer.status === 200 ? answer.body : null;
  });

  return { kind, wrong, get: (path) => client.get(path), statusOf, list, figures };
}
