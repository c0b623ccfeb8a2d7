import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 0. */
export const naming = [
  {
    id: 'ID-0-01',
    section: '0',
    text: "The product's name is spelled `svc` in every path, `Svc` as the root of every configuration key, and `Svc.Auth` as the name of the session cookie.",
  },
  {
    id: 'ID-0-02',
    section: '0',
    text: 'Every API key that the service issues begins with the literal text `sk-sem_`.',
  },
  {
    id: 'ID-0-03',
    section: '0',
    text: 'Every path of the service is relative to the base URL under which the host serves it.',
  },
] as const satisfies readonly RequirementEntry[];
