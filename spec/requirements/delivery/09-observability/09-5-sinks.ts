import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.5. */
export const sinks = [
  {
    id: 'DL-9.5-01',
    section: '9.5',
    text: 'The sink `Database` writes rows and aggregate counters to the database.',
  },
  {
    id: 'DL-9.5-02',
    section: '9.5',
    text: "The sink `Otel` sets the detail as attributes with the prefix `job.endpoint.` on the request's ambient span.",
  },
  {
    id: 'DL-9.5-03',
    section: '9.5',
    text: 'The sink `Otel` keeps meters with the prefix `job.endpoint.` and writes neither rows nor counters.',
  },
  { id: 'DL-9.5-04', section: '9.5', text: 'The sink `Both` does what `Database` and `Otel` do.' },
] as const satisfies readonly RequirementEntry[];
