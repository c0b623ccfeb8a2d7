import type { TestKey } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpFixture, startMcpFixture } from './testing/fixture.ts';

/** Revocations during calls must apply to the next call, on the acting replica and on another replica. */
let fixture: McpFixture;
let second: RunningService;

beforeAll(async () => {
  fixture = await startMcpFixture();
  second = await startService({ on: fixture.svc });
  // A source that no query of the project uses.
  expect((await fixture.root.post(sources(), { dataSourceId: fixture.staffSource })).status).toBe(201);
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

const inFlight = 2;
const sql = 'select pg_sleep(0.1)::text as slept, id, note from customers order by id limit 1';
let answered = 0;

type Outcome = { readonly status: number; readonly said: string; readonly isNoteMasked: boolean | undefined };

/** Sends an ordinary call of the tool `query`. */
async function ask(origin: string, { authorization }: TestKey): Promise<Outcome> {
  const response = await fetch(`${origin}/svc/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'query',
        arguments: { sql, project_id: fixture.sales, data_source: String(fixture.staffSource) },
      },
    }),
  });
  const { status } = response;
  if (status === 200) answered += 1;
  // biome-ignore lint/suspicious/noExplicitAny: a result or a problem.
  const { result } = (await response.json()) as any;
  const columns: { name: string; isMasked: boolean }[] = result?.structuredContent?.columns ?? [];
  return {
    status,
    said: result?.isError ? result.content[0].text : '',
    isNoteMasked: columns.find(({ name }) => name === 'note')?.isMasked,
  };
}

type Act = {
  readonly take: (key: TestKey) => Promise<unknown>;
  readonly giveBack?: () => Promise<unknown>;
  readonly isGone: (outcome: Outcome) => boolean;
};

const settings = (values: object) =>
  fixture.root.put(`/svc/api/mcp/projects/${fixture.sales}/settings`, {
    isEnabled: null,
    disabledTools: null,
    piiPatterns: null,
    ...values,
  });
const members = () => `/svc/api/projects/${fixture.sales}/members`;
const sources = () => `/svc/api/projects/${fixture.sales}/data-sources`;
const says = (text: string) => (outcome: Outcome) => outcome.status === 200 && outcome.said.includes(text);

const acts: Record<string, Act> = {
  'the key is revoked': {
    take: ({ id }) => fixture.root.delete(`/svc/api/api-keys/admin/${id}`),
    isGone: ({ status }) => status === 401,
  },
  'the key loses Execute': {
    take: ({ id }) =>
      fixture.svc.database.query(`update svc.api_keys set scopes = '{Read}' where id = $1`, [id]),
    isGone: ({ status }) => status === 403,
  },
  'the key loses the project': {
    take: ({ id }) =>
      fixture.svc.database.query('update svc.api_keys set allowed_project_ids = $2 where id = $1', [
        id,
        [fixture.staff],
      ]),
    isGone: says('Access denied'),
  },
  'its owner leaves the project': {
    take: () => fixture.root.delete(`${members()}/${fixture.editorId}`),
    giveBack: () => fixture.root.post(members(), { userName: 'editor', role: 'Editor' }),
    isGone: says('Access denied'),
  },
  'MCP is switched off in the project': {
    take: () => settings({ isEnabled: false }),
    giveBack: () => settings({}),
    isGone: says('MCP is switched off'),
  },
  'the tool is switched off': {
    take: () => settings({ disabledTools: ['query'] }),
    giveBack: () => settings({}),
    isGone: says('The tool query is switched off'),
  },
  'the column is to be masked': {
    take: () => settings({ piiPatterns: ['note'] }),
    giveBack: () => settings({}),
    isGone: ({ isNoteMasked }) => isNoteMasked === true,
  },
  'the data source leaves the project': {
    take: () => fixture.root.delete(`${sources()}/${fixture.staffSource}`),
    giveBack: () => fixture.root.post(sources(), { dataSourceId: fixture.staffSource }),
    isGone: ({ status, said }) => status === 200 && said !== '',
  },
};

test.each(Object.entries(acts))(
  'a change during calls in progress applies to the next call: %s',
  async (_name, act) => {
    const key = await fixture.key([fixture.sales]);
    const origins = [fixture.svc.origin, second.origin];
    for (const before of await Promise.all(origins.map((origin) => ask(origin, key))))
      expect(before).toMatchObject({ status: 200, said: '', isNoteMasked: false });
    const early = Promise.all(
      origins.flatMap((origin) => Array.from({ length: inFlight }, () => ask(origin, key))),
    );
    const removal = await act.take(key);
    expect((removal as { status?: number }).status ?? 200).toBeLessThan(300);
    for (const outcome of await Promise.all(origins.map((origin) => ask(origin, key))))
      expect(act.isGone(outcome), JSON.stringify(outcome)).toBe(true);
    for (const outcome of await early)
      expect(outcome.said === '' || act.isGone(outcome), JSON.stringify(outcome)).toBe(true);
    await act.giveBack?.();
  },
);

test('every admitted call is in the audit log', async () => {
  expect(await fixture.audited()).toHaveLength(answered);
});
