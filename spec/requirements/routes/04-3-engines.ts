import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3: engines of data sources. */
export const dataSourceEngines = [
  {
    id: 'RT-4.3-930',
    section: '4.3',
    text: 'The engine BigQuery is offered with its key file as its only secret.',
  },
  {
    id: 'RT-4.3-931',
    section: '4.3',
    text: 'A connection to BigQuery is refused with 400 at `keyFile` unless that is the key file of a service account of Google Cloud.',
  },
  {
    id: 'RT-4.3-932',
    section: '4.3',
    text: 'No refusal of a connection to BigQuery repeats its key file.',
  },
] as const satisfies readonly RequirementEntry[];
