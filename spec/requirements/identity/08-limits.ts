import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 8. */
export const limits = [
  {
    id: 'ID-8-01',
    section: '8',
    text: 'The eleventh password sign-in attempt from one client IP within 60 seconds is refused.',
  },
  {
    id: 'ID-8-02',
    section: '8',
    text: 'A password of fewer than 8 characters is refused under the default policy.',
  },
  {
    id: 'ID-8-03',
    section: '8',
    text: 'A stored password hash was made with 100,000 PBKDF2 iterations and a salt of 32 bytes by default.',
  },
  { id: 'ID-8-04', section: '8', text: 'A configured setup token of fewer than 32 characters is refused.' },
  { id: 'ID-8-05', section: '8', text: 'At most 3 break-glass names can be configured.' },
  { id: 'ID-8-06', section: '8', text: 'The default lifetime of an API key is 90 days.' },
  {
    id: 'ID-8-07',
    section: '8',
    text: 'The maximum lifetime of an API key is `MaxLifetimeDays`, 365 days by default.',
  },
  {
    id: 'ID-8-08',
    section: '8',
    text: 'The random part of an API key stands for 32 bytes and has at most 43 characters once `+`, `/` and `=` are removed.',
  },
  { id: 'ID-8-09', section: '8', text: 'The display prefix of an API key is 16 characters long.' },
  { id: 'ID-8-10', section: '8', text: 'The clock skew for JWTs is 5 minutes by default and never more.' },
  { id: 'ID-8-11', section: '8', text: 'Sessions are revalidated every 5 minutes by default.' },
  { id: 'ID-8-12', section: '8', text: 'Sessions live at most 12 hours by default.' },
] as const satisfies readonly RequirementEntry[];
