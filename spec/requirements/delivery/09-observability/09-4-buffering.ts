import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.4. */
export const buffering = [
  {
    id: 'DL-9.4-01',
    section: '9.4',
    text: 'Call log rows go into a bounded buffer in memory that a background flusher drains.',
  },
  {
    id: 'DL-9.4-02',
    section: '9.4',
    text: 'Recording a call never touches the database on the request path and never fails a request.',
  },
  { id: 'DL-9.4-03', section: '9.4', text: 'Call log rows appear with a short lag.' },
  {
    id: 'DL-9.4-04',
    section: '9.4',
    text: 'When the buffer overflows, the oldest records are dropped and counted.',
  },
  { id: 'DL-9.4-05', section: '9.4', text: 'Aggregates stay exact when the buffer overflows.' },
  {
    id: 'DL-9.4-06',
    section: '9.4',
    text: 'Call log records are diagnostics without a guarantee that each is delivered, and no audit trail.',
  },
] as const satisfies readonly RequirementEntry[];
