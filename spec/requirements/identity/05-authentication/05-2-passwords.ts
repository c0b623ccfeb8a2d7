import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.2. */
export const passwords = [
  {
    id: 'ID-5.2-01',
    section: '5.2',
    text: 'Passwords are hashed with PBKDF2-SHA256, by default with 100,000 iterations and a 32-byte salt.',
  },
  {
    id: 'ID-5.2-02',
    section: '5.2',
    text: 'The password policy asks for at least `MinimumPasswordLength` characters, 8 by default.',
  },
  {
    id: 'ID-5.2-03',
    section: '5.2',
    text: 'The password policy asks for mixed kinds of characters while `RequirePasswordComplexity` is on, which is its default.',
  },
  {
    id: 'ID-5.2-04',
    section: '5.2',
    text: 'A password that an administrator set must be changed at the first sign-in with it.',
  },
  { id: 'ID-5.2-05', section: '5.2', text: 'Users change their own password under Settings.' },
  { id: 'ID-5.2-06', section: '5.2', text: "No REST route sets another user's password." },
  {
    id: 'ID-5.2-07',
    section: '5.2',
    text: 'Password sign-in allows 10 attempts in 60 seconds per client IP, and then answers 429 with `Retry-After`.',
  },
  {
    id: 'ID-5.2-08',
    section: '5.2',
    text: 'The client IP is taken from forwarded headers only when the host has declared the proxy as trusted.',
  },
] as const satisfies readonly RequirementEntry[];
