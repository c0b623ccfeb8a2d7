import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrongHeaders } from './declared-headers.ts';
import { createFixture, createHostFixture, type Fixture, notOffered } from './fixture.ts';
import { type AccessRow, accessRows, type CallerKind, callerKinds, type Expectation } from './index.ts';
import { requestFor } from './requests.ts';
import { unbuilt, waiting } from './unbuilt.ts';

let fixture: Fixture;
let hostFixture: Fixture;

beforeAll(async () => {
  fixture = await createFixture();
  hostFixture = await createHostFixture();
});
afterAll(async () => {
  await hostFixture.close();
  await fixture.close();
});

/** The fixture in which a kind of caller is asked. */
const fixtureOf = (kind: CallerKind): Fixture => (kind === 'hostPrincipal' ? hostFixture : fixture);

function isAsExpected(row: AccessRow, expectation: Expectation, status: number): boolean {
  if (expectation === 'open') return status < 500;
  if (expectation === 'passes') return row.passesWith?.includes(status) ?? (status >= 200 && status < 300);
  return status === expectation;
}

/** What is wrong with a row, caller by caller. */
async function findWrong(row: AccessRow): Promise<string[]> {
  const wrong: string[] = [];
  for (const kind of callerKinds) {
    const client = fixtureOf(kind).clients[kind];
    if (!client) continue;
    const { method, path, body, headers = {}, as = client } = await requestFor(row, fixtureOf(kind), kind);
    const answer = await as.send(method, path, body, { headers });
    const expectation = row.expect[kind];
    if (!isAsExpected(row, expectation, answer.status))
      wrong.push(`${kind}: expected ${expectation}, got ${answer.status} ${answer.text.slice(0, 120)}`);
    wrong.push(...wrongHeaders(fixture.document, row.operation, answer).map((what) => `${kind}: ${what}`));
  }
  return wrong;
}

describe('access matrix', () => {
  test('every route of the service has a row', () => {
    const written = new Set<string>(accessRows.map(({ operation }) => operation));
    expect([...fixture.built].filter((operation) => !written.has(operation))).toEqual([]);
  });

  test('every row is about a route of the service, or about one that is known not to be built yet', () => {
    const missing = accessRows
      .map(({ operation }) => operation)
      .filter((operation) => !fixture.built.has(operation));
    expect([...new Set(missing)].sort()).toEqual([...unbuilt].sort());
  });

  test('no row waits for data sources once they can be made', () => {
    if (fixture.built.has('POST /svc/api/data-sources')) expect(waiting).toEqual([]);
  });

  test('the callers that the service does not offer yet are known', () => {
    const missing = callerKinds.filter((kind: CallerKind) => !fixtureOf(kind).clients[kind]);
    expect(missing).toEqual(notOffered);
  });

  const rows = accessRows.filter(({ operation }) => ![...unbuilt, ...waiting].includes(operation));
  test.each(
    rows.map((row) => [row.variant ? `${row.operation} (${row.variant})` : row.operation, row] as const),
  )('%s', async (_name, row) => {
    expect(await findWrong(row)).toEqual([]);
  });
});
