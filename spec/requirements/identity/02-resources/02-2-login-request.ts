import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.2. */
export const loginRequest = [
  {
    id: 'ID-2.2-01',
    section: '2.2',
    text: "The login request carries the user's name in the string field `username`.",
  },
  {
    id: 'ID-2.2-02',
    section: '2.2',
    text: 'The login request carries the password in the string field `password`.',
  },
  { id: 'ID-2.2-03', section: '2.2', text: 'The login request carries the boolean field `rememberMe`.' },
] as const satisfies readonly RequirementEntry[];
