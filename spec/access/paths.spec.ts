import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  passingTricks,
  refusingRows,
  rowPerShape,
  startTrickTarget,
  type TrickTarget,
} from './path-tricks.ts';
import { type RawAnswer, sendRaw } from './raw-request.ts';
import { requestFor } from './requests.ts';

let target: TrickTarget;

beforeAll(async () => {
  target = await startTrickTarget();
});
afterAll(() => target.fixture.close());

// `paths.torture.test.ts` covers all routes.
describe('unusual spellings of paths and methods do not bypass access rules, one route for each shape of access', () => {
  test.each(rowPerShape)('%s', async (_title, row) => {
    expect(await passingTricks(row, target)).toEqual([]);
  });
});

describe('hidden records are indistinguishable from missing ones', () => {
  const trace = { traceparent: `00-${'ab'.repeat(16)}-${'12'.repeat(8)}-01` };
  const missing = '2147483646';
  const hidden = refusingRows.filter(
    ([
      ,
      {
        operation,
        expect: { memberOfAnotherProject },
      },
    ]) => operation.includes('/{id}') && memberOfAnotherProject === 404,
  );

  /** Returns the response without its date. */
  const withoutDate = ({ status, headers: { date: _date, ...headers }, body }: RawAnswer) => ({
    status,
    headers,
    body,
  });

  test.each(hidden)(
    '%s returns the same bytes for a hidden id as for an id that never existed',
    async (_title, row) => {
      const { fixture, credentials } = target;
      const { method, path, body, headers: ofRequest } = await requestFor(row, fixture, 'anonymous');
      const headers = { ...ofRequest, ...credentials.get('memberOfAnotherProject'), ...trace };
      const never = path.replace(/\/\d+(?=\/|$)/, `/${missing}`);
      expect(never).not.toBe(path);
      const toHidden = await sendRaw(fixture.svc.origin, method, path, headers, body);
      const toMissing = await sendRaw(fixture.svc.origin, method, never, headers, body);
      expect(toHidden.status).toBe(404);
      expect(withoutDate(toHidden)).toEqual(withoutDate(toMissing));
    },
  );
});
