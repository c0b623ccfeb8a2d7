import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.3. */
export const baseUrl = [
  { id: 'DL-5.3-01', section: '5.3', text: 'The base of links is set by the host from `Svc:BaseUrl`.' },
  {
    id: 'DL-5.3-02',
    section: '5.3',
    text: 'An Admin can set the base of links at runtime in the admin settings.',
  },
  { id: 'DL-5.3-03', section: '5.3', text: 'The base of links must include the `/svc` segment.' },
  { id: 'DL-5.3-04', section: '5.3', text: 'Without a base URL messages carry no link.' },
] as const satisfies readonly RequirementEntry[];
