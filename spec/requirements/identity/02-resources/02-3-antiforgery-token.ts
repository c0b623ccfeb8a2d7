import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.3. */
export const antiforgeryToken = [
  {
    id: 'ID-2.3-01',
    section: '2.3',
    text: '`GET /svc/api/csrf` answers a JSON object with exactly one string field, `token`.',
  },
  { id: 'ID-2.3-02', section: '2.3', text: 'The answer of `GET /svc/api/csrf` also sets a cookie.' },
  {
    id: 'ID-2.3-03',
    section: '2.3',
    text: 'An antiforgery token is accepted as the header `X-XSRF-TOKEN` only together with the cookie that was set when the token was issued.',
  },
] as const satisfies readonly RequirementEntry[];
