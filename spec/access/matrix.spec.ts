import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccessRow, accessRows, type CallerKind, callerKinds, type Expectation } from './index.ts';
import { requestFor } from './requests.ts';
import { unbuilt, waiting } from './unbuilt.ts';
import { createHostWorld, createWorld, notOffered, type World } from './world.ts';

let world: World;
let hostWorld: World;

beforeAll(async () => {
  world = await createWorld();
  hostWorld = await createHostWorld();
});
afterAll(async () => {
  await hostWorld.close();
  await world.close();
});

/** The world in which a kind of caller is asked. */
const worldOf = (kind: CallerKind): World => (kind === 'hostPrincipal' ? hostWorld : world);

function isAsExpected(row: AccessRow, expectation: Expectation, status: number): boolean {
  if (expectation === 'open') return status < 500;
  if (expectation === 'refused') return status === 401 || status === 403;
  if (expectation === 'passes') return row.passesWith?.includes(status) ?? (status >= 200 && status < 300);
  return status === expectation;
}

/** What is wrong with a row, caller by caller. */
async function findWrong(row: AccessRow): Promise<string[]> {
  const wrong: string[] = [];
  for (const kind of callerKinds) {
    const client = worldOf(kind).clients[kind];
    if (!client) continue;
    const { method, path, body, as = client } = await requestFor(row, worldOf(kind), kind);
    const answer = await as.send(method, path, body);
    const expectation = row.expect[kind];
    if (!isAsExpected(row, expectation, answer.status))
      wrong.push(`${kind}: expected ${expectation}, got ${answer.status} ${answer.text.slice(0, 120)}`);
  }
  return wrong;
}

describe('access matrix', () => {
  test('every route of the service has a row', () => {
    const written = new Set<string>(accessRows.map(({ operation }) => operation));
    expect([...world.built].filter((operation) => !written.has(operation))).toEqual([]);
  });

  test('every row is about a route of the service, or about one that is known not to be built yet', () => {
    const missing = accessRows
      .map(({ operation }) => operation)
      .filter((operation) => !world.built.has(operation));
    expect([...new Set(missing)].sort()).toEqual([...unbuilt].sort());
  });

  test('no row waits for data sources once they can be made', () => {
    if (world.built.has('POST /svc/api/data-sources')) expect(waiting).toEqual([]);
  });

  test('the callers that the service does not offer yet are known', () => {
    const missing = callerKinds.filter((kind: CallerKind) => !worldOf(kind).clients[kind]);
    expect(missing).toEqual(notOffered);
  });

  const rows = accessRows.filter(({ operation }) => ![...unbuilt, ...waiting].includes(operation));
  test.each(
    rows.map((row) => [row.variant ? `${row.operation} (${row.variant})` : row.operation, row] as const),
  )('%s', async (_name, row) => {
    expect(await findWrong(row)).toEqual([]);
  });
});
