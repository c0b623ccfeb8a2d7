import { expect, test } from 'vitest';
import { isBeside, onSite, paths, safePath } from './paths.ts';

test.each([
  ['/queries/3?tab=steps', '/svc/queries/3?tab=steps'],
  ['/warp/jobs?state=Failed', '/warp/jobs?state=Failed'],
  ['/warp', '/warp'],
  ['/warped', '/svc/warped'],
])('after signing in for %s, the user arrives at %s', (returnTo, address) => {
  expect(onSite(safePath(returnTo))).toBe(address);
  expect(isBeside(returnTo)).toBe(address === returnTo);
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/login?returnTo=/x', undefined])(
  '%s is not a valid target after signing in',
  (returnTo) => expect(safePath(returnTo)).toBe(paths.home()),
);
