import { expect, test } from 'vitest';
import { faultsOfSilence } from './silent-verdict.ts';

const good = {
  silentSessions: 17,
  resumed: 6,
  subscriptions: 6,
  resumedMsMax: 60_000,
  requests: 800,
  answeredMsMax: 35_000,
  unavailable: 11,
  wrong: [],
  readiness: [200],
  logged: [],
};

test('a trial within all limits passes, with or without a request during the silence', () => {
  expect(faultsOfSilence(good)).toEqual([]);
  expect(faultsOfSilence({ ...good, unavailable: 0 })).toEqual([]);
});

test.each([
  ['silentSessions', { silentSessions: 0 }],
  ['requests', { requests: 0 }],
  ['wrong', { wrong: ['500'] }],
  ['answeredMsMax', { answeredMsMax: 35_001 }],
  ['resumed', { resumed: 5 }],
  ['resumedMsMax', { resumedMsMax: 60_001 }],
])('a trial with %s outside its limit fails with one fault', (_name, change) => {
  expect(faultsOfSilence({ ...good, ...change })).toHaveLength(1);
});
