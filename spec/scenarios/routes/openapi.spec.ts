import * as contract from '@svc/contract';
import type { Answer } from '@svc/testkit/client/http-client.ts';
import { expect } from 'vitest';
import { wrongHeaders } from '../../access/declared-headers.ts';
import { createFixture, type Fixture } from '../../access/fixture.ts';
import { accessRows } from '../../access/index.ts';
import { requestFor } from '../../access/requests.ts';
import { unbuilt } from '../../access/unbuilt.ts';
import { scenario } from '../support/scenario.ts';
import { lists, notLists } from '../support/visibility/lists.ts';

type Schema = { type?: string; properties?: Record<string, unknown>; $ref?: string; anyOf?: Schema[] };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
};
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Page = { items: Record<string, unknown>[]; totalCount: number; pageCount: number };

/** Filters by path. Each read adds an entry to the audit log; this filter selects entries that stay constant. */
const among: Readonly<Record<string, string>> = { '/svc/api/mcp/audit': '&event=projects' };

const documentPath = '/openapi/v1.json';
const noContent = [204, 202];
/** The messages of this operation belong to another protocol, whose own documents describe them. */
const mcp = 'POST /svc/mcp';

/** Resolves the references of a schema. */
function schemaAt({ components }: OpenApi, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined
    ? schema
    : schemaAt(components && { paths: {}, components }, components.schemas[name]);
}

const operationOf = ({ paths }: OpenApi, operation: string): Operation | undefined => {
  const [method = '', path = ''] = operation.split(' ');
  return paths[path]?.[method.toLowerCase()];
};

/** Returns the members of a schema and of all its alternatives. */
const membersOf = (document: OpenApi, schema: Schema | undefined): string[] => {
  const own = schemaAt(document, schema);
  const alternatives = (own?.anyOf ?? []).flatMap((one) => membersOf(document, one));
  return [...Object.keys(own?.properties ?? {}), ...alternatives];
};

/** Statuses of refusals by the gates, and of responses in place of a success. Each has its own headers. */
const special = [304, 401, 403, 429];

/** Returns one sentence per undeclared or missing header, and one for an undeclared special status. */
const wrongAnswer = (document: OpenApi, operation: string, answer: Answer | undefined): string[] => {
  if (!answer) return [];
  const { status } = answer;
  const isSaid = operationOf(document, operation)?.responses[String(status)] !== undefined;
  return [
    ...wrongHeaders(document, operation, answer),
    ...(isSaid || !special.includes(status) ? [] : [`${operation} answers ${status} and does not say so`]),
  ];
};

/** Causes responses that no valid request gets: 304 for an unchanged record, and 429 for one attempt too many. */
async function rareAnswers(
  fixture: Fixture,
): Promise<readonly (readonly [operation: string, answer: Answer])[]> {
  const copy = 'GET /svc/api/migrations/executions/{id}';
  const row = accessRows.find(({ operation }) => operation === copy);
  if (!row) throw new Error(`Nobody has said who may ask for ${copy}.`);
  const { path } = await requestFor(row, fixture, 'superAdmin');
  const tag = (await fixture.root.get(path)).headers.get('etag') ?? '';
  const notModified = await fixture.root.get(path, { headers: { 'if-none-match': tag } });
  const guesser = fixture.svc.client();
  const login = '/svc/api/auth/login';
  const guess = () => guesser.post(login, { username: 'nobody', password: 'wrong', rememberMe: false });
  for (let attempt = 1; attempt <= 10; attempt++) expect((await guess()).status).toBe(401);
  return [
    [copy, notModified],
    [`POST ${login}`, await guess()],
  ];
}

const relationsOf = ({ headers }: Answer): (string | undefined)[] =>
  [...(headers.get('link') ?? '').matchAll(/<[^>]+>; rel="(\w+)"/g)].map(([, relation]) => relation);

scenario(
  ['RT-4.3-72', 'RT-2-1040'],
  'after setup, the OpenAPI document describes the input, responses and headers of each declared operation',
  async ({ start, onEnd }) => {
    const closed = await (await start()).client().get(documentPath);
    expect([closed.status, closed.headers.get('location')]).toEqual([302, '/svc/setup']);
    const fixture = await createFixture();
    onEnd(fixture.close);
    const document = (await fixture.root.get(documentPath)).read<OpenApi>();
    const declared = Object.values(contract).flatMap((one) =>
      typeof one === 'object' && one !== null && 'operationId' in one && 'method' in one && 'path' in one
        ? [`${String(one.method)} ${String(one.path)}`]
        : [],
    );
    expect(declared.length).toBeGreaterThan(100);
    expect(declared.filter((operation) => !operationOf(document, operation))).toEqual([]);

    const outside = ['GET /openapi/v1.json', 'GET /svc/help/errors'];
    const rows = accessRows.filter(({ operation }) => ![...unbuilt, ...outside].includes(operation));
    const rare = await rareAnswers(fixture);
    expect(rare.map(([, { status }]) => status)).toEqual([304, 429]);
    const wrong = rare.flatMap(([operation, answer]) => wrongAnswer(document, operation, answer));
    for (const row of rows) {
      const { operation } = row;
      const described = operationOf(document, operation);
      if (!described) {
        wrong.push(`${operation} is not described`);
        continue;
      }
      const request = await requestFor(row, fixture, 'superAdmin');
      const { method, path, body, headers, as = fixture.root } = request;
      const sent = Object.values(described.requestBody?.content ?? {})[0]?.schema;
      const documentedMembers = membersOf(document, sent);
      // A text body is the content of a file, which has no members.
      const members = typeof body === 'object' && body !== null ? Object.keys(body) : [];
      const unknown = members.filter((member) => !documentedMembers.includes(member));
      if (operation !== mcp && unknown.length > 0)
        wrong.push(`${operation} takes ${unknown.join(', ')} and does not say so`);
      const options = headers && { headers };
      const answer = await as.send(method, path, body, options);
      const toNobody = await fixture.clients.anonymous?.send(method, path, body, options);
      const toReader = await fixture.clients.readKey?.send(method, path, body, options);
      wrong.push(...[answer, toNobody, toReader].flatMap((one) => wrongAnswer(document, operation, one)));
      const said = described.responses[String(answer.status)];
      if (!said) wrong.push(`${operation} answers ${answer.status} and does not say so`);
      const schema = schemaAt(document, Object.values(said?.content ?? {})[0]?.schema);
      if (answer.text !== '' && !noContent.includes(answer.status) && !schema)
        wrong.push(`${operation} answers ${answer.status} without a schema`);
      const answered = membersOf(document, schema);
      const undescribed = Object.keys(Object(answer.body)).filter((member) => !answered.includes(member));
      if (answer.status < 300 && answered.length > 0 && undescribed.length > 0)
        wrong.push(`${operation} answers ${undescribed.join(', ')} and does not say so`);
    }
    expect(wrong).toEqual([]);
  },
  { timeout: 180_000 },
);

scenario(
  ['RT-4.4-08', 'RT-4.4-09', 'RT-2-01', 'RT-4.4-980'],
  'each list accepts page, pageSize and sort, returns items, totalCount and pageCount, and links to its other pages',
  async ({ onEnd }) => {
    const fixture = await createFixture();
    onEnd(fixture.close);
    const document = (await fixture.root.get(documentPath)).read<OpenApi>();
    const reads = Object.keys(document.paths).filter((path) => document.paths[path]?.['get']);
    // The hand-written lists name each readable path, so no path can avoid the check with another response shape.
    expect(reads.toSorted()).toEqual([...lists, ...notLists].toSorted());
    let sorted = 0;
    for (const path of lists) {
      const names = operationOf(document, `GET ${path}`)?.parameters?.map(({ name }) => name) ?? [];
      expect([path, names]).toEqual([path, expect.arrayContaining(['page', 'pageSize', 'sort'])]);
      const success = operationOf(document, `GET ${path}`)?.responses['200'];
      expect([path, Object.keys(success?.headers ?? {})]).toEqual([path, expect.arrayContaining(['Link'])]);
      const row = accessRows.find(({ operation }) => operation === `GET ${path}`);
      if (!row) throw new Error(`Nobody has said who may read ${path}.`);
      const request = await requestFor(row, fixture, 'superAdmin');
      const ask = async (query: string) => {
        const answer = await (request.as ?? fixture.root).get(
          `${request.path}${request.path.includes('?') ? '&' : '?'}${query}${among[path] ?? ''}`,
        );
        expect([path, query, answer.status]).toEqual([path, query, 200]);
        const page = answer.read<Page>();
        const at = Number(new URLSearchParams(query).get('page') ?? 0);
        expect([path, query, relationsOf(answer)]).toEqual([
          path,
          query,
          ['first', ...(at > 0 ? ['prev'] : []), ...(at + 1 < page.pageCount ? ['next'] : [])],
        ]);
        return page;
      };
      const all = await ask('page=0&pageSize=200');
      expect([path, Object.keys(all)]).toEqual([
        path,
        expect.arrayContaining(['items', 'totalCount', 'pageCount']),
      ]);
      const { totalCount } = all;
      expect([path, all.items.length, all.pageCount]).toEqual([
        path,
        Math.min(200, totalCount),
        Math.ceil(totalCount / 200),
      ]);
      const first = await ask('page=0&pageSize=1');
      expect([path, first]).toEqual([
        path,
        { ...first, items: all.items.slice(0, 1), totalCount, pageCount: totalCount },
      ]);
      expect([path, (await ask('page=1&pageSize=1')).items]).toEqual([path, all.items.slice(1, 2)]);
      expect([path, (await ask('pageSize=200&sort=nonsense')).items]).toEqual([path, all.items]);
      // At least one member sorts the list in both directions, if its rows differ in a member.
      if (await isSorted(all.items, async (sort) => (await ask(`pageSize=200&sort=${sort}`)).items))
        sorted += 1;
    }
    expect(sorted).toBeGreaterThan(8);
  },
  { timeout: 180_000 },
);

async function isSorted(
  items: readonly Record<string, unknown>[],
  ask: (sort: string) => Promise<readonly unknown[]>,
): Promise<boolean> {
  const [row = {}] = items;
  if (items.length < 2) return false;
  for (const name of Object.keys(row)) {
    const [up, down] = [await ask(name), await ask(`-${name}`)];
    if (JSON.stringify(up) !== JSON.stringify(down)) return true;
  }
  return false;
}
