import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notOffered } from './fixture.ts';
import { accessRows, callerKinds } from './index.ts';
import {
  type AccessServices,
  startAccessServices,
  titledRows,
  twoCallers,
  wrongAnswers,
} from './row-check.ts';
import { unbuilt, waiting } from './unbuilt.ts';

let services: AccessServices;

beforeAll(async () => {
  services = await startAccessServices();
});
afterAll(() => services.close());

describe('access matrix', () => {
  test('every route of the service has a row in the matrix', () => {
    const written = new Set<string>(accessRows.map(({ operation }) => operation));
    expect([...services.fixture.built].filter((operation) => !written.has(operation))).toEqual([]);
  });

  test('every row names a route of the service or a planned route', () => {
    const missing = accessRows
      .map(({ operation }) => operation)
      .filter((operation) => !services.fixture.built.has(operation));
    expect([...new Set(missing)].sort()).toEqual([...unbuilt].sort());
  });

  test('no row is marked as waiting for data sources once the route that creates them exists', () => {
    if (services.fixture.built.has('POST /svc/api/data-sources')) expect(waiting).toEqual([]);
  });

  test('only the listed kinds of callers have no client', () => {
    const missing = callerKinds.filter((kind) => !services.fixtureOf(kind).clients[kind]);
    expect(missing).toEqual(notOffered);
  });

  test('every kind of caller is selected for some row', () => {
    const selected = new Set(titledRows.flatMap(([, row, index]) => twoCallers(row, index)));
    expect(callerKinds.filter((kind) => !selected.has(kind))).toEqual([]);
  });
});

// `matrix.torture.test.ts` covers all kinds of callers on all routes.
describe('one permitted and one refused caller get the expected status', () => {
  test.each(titledRows)('%s', async (_title, row, index) => {
    expect(await wrongAnswers(row, twoCallers(row, index), services)).toEqual([]);
  });
});
