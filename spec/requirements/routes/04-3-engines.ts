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
  {
    id: 'RT-4.3-933',
    section: '4.3',
    text: 'The engine Databricks is offered with its client secret and its access token as its only secrets.',
  },
  {
    id: 'RT-4.3-934',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at `host` unless that is a bare host name.',
  },
  {
    id: 'RT-4.3-935',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at `catalog` where that is none of Unity Catalog.',
  },
  {
    id: 'RT-4.3-936',
    section: '4.3',
    text: 'No refusal of a connection to Databricks repeats its client secret or its access token.',
  },
  {
    id: 'RT-4.3-937',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at the credentials that its sign-in needs and lacks.',
  },
] as const satisfies readonly RequirementEntry[];
