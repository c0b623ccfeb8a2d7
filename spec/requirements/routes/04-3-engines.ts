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
    id: 'RT-4.3-1030',
    section: '4.3',
    text: 'A data source of a REST API can send its key in a query parameter that its settings name, with every request.',
  },
  {
    id: 'RT-4.3-1031',
    section: '4.3',
    text: 'A key that a REST API takes in a query parameter stands in no answer of the service, no log entry, no span, no record and no delivery, also where the API repeats it.',
  },
  {
    id: 'RT-4.3-1032',
    section: '4.3',
    text: 'A statement of a REST source that sets the query parameter of the key is refused with 400.',
  },
  {
    id: 'RT-4.3-1033',
    section: '4.3',
    text: 'A request to a REST API that is answered with 429 or 503 and `Retry-After`, or not at all, is sent again: at most five times a step, after at most a minute of waiting, and never beyond the time limit of the run.',
  },
  {
    id: 'RT-4.3-1034',
    section: '4.3',
    text: 'The record of a run and the preview of a query tell for each step how often its requests were sent again and how long they waited, also when the step failed.',
  },
  {
    id: 'RT-4.3-1035',
    section: '4.3',
    text: 'A step of BigQuery tells the bytes that it scanned and those that it is billed for, and where BigQuery does not tell what it bills, that this is not known.',
  },
] as const satisfies readonly RequirementEntry[];
