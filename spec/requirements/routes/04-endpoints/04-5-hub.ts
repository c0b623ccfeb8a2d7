import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.5. */
export const hub = [
  {
    id: 'RT-4.5-01',
    section: '4.5',
    text: '`/svc/api/hub` speaks the hub protocol over a persistent connection.',
  },
  { id: 'RT-4.5-02', section: '4.5', text: 'The hub admits signed-in users who can read project data.' },
  {
    id: 'RT-4.5-03',
    section: '4.5',
    text: 'The hub admits signed-in users who hold a functional permission whose pages use hub events.',
  },
  {
    id: 'RT-4.5-04',
    section: '4.5',
    text: 'A signed-in user who can neither read project data nor holds a functional permission whose pages use hub events gets 403 from the hub.',
  },
  { id: 'RT-4.5-05', section: '4.5', text: 'No API key reaches the hub.' },
  {
    id: 'RT-4.5-06',
    section: '4.5',
    text: 'The hub closes a connection when the next check of its session is due, and the client reconnects.',
  },
  { id: 'RT-4.5-07', section: '4.5', text: 'A host switches the hub off with its realtime option.' },
  {
    id: 'RT-4.5-08',
    section: '4.5',
    text: 'With the hub switched off, the UI falls back to refreshing by hand.',
  },
] as const satisfies readonly RequirementEntry[];
