import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 5. */
export const authentication = [
  {
    id: 'RT-5-01',
    section: '5',
    text: 'API routes accept a session, an API key as `Authorization: Bearer sk-sem_<key>`, or a bearer JWT.',
  },
  { id: 'RT-5-02', section: '5', text: 'API routes never redirect to the login page.' },
] as const satisfies readonly RequirementEntry[];
