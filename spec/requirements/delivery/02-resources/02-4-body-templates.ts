import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 2.4. */
export const bodyTemplates = [
  { id: 'DL-2.4-01', section: '2.4', text: "A recipient's body template replaces the default body." },
  { id: 'DL-2.4-02', section: '2.4', text: 'The UI offers a body template for webhooks.' },
  {
    id: 'DL-2.4-03',
    section: '2.4',
    text: "A body template that is set through the API on one of the chat channels is honoured, and its result must be that channel's own JSON.",
  },
  {
    id: 'DL-2.4-04',
    section: '2.4',
    text: 'Placeholders of body templates are names in double braces and are read without regard to case.',
  },
  {
    id: 'DL-2.4-05',
    section: '2.4',
    text: 'Body templates know the placeholders `Timestamp`, `Source`, `SubscriptionName`, `SubscriptionId`, `DataSourceName`, `SqlQuery`, `TotalRecords`, `ExecutionTimeMs`, `PreviousResultCount`, `TimedOut`, `Records`, `NotificationUrl`, `Anomaly.IsAnomaly`, `Anomaly.Severity` and `Anomaly.Explanation`.',
  },
  { id: 'DL-2.4-06', section: '2.4', text: 'The placeholder `Records` becomes compact JSON.' },
  {
    id: 'DL-2.4-07',
    section: '2.4',
    text: 'The suffix `_Pretty` on a placeholder of a body template gives indented JSON.',
  },
  {
    id: 'DL-2.4-08',
    section: '2.4',
    text: 'In body templates dates are ISO 8601 and booleans are `true` or `false`.',
  },
  { id: 'DL-2.4-09', section: '2.4', text: 'In body templates decimals have two places.' },
  { id: 'DL-2.4-10', section: '2.4', text: 'In body templates a missing value becomes empty text.' },
  {
    id: 'DL-2.4-11',
    section: '2.4',
    text: 'Body templates insert text values without JSON escaping, so that the author of the template writes the quotes.',
  },
  {
    id: 'DL-2.4-12',
    section: '2.4',
    text: 'An unknown placeholder of a body template stays in the text as `UNKNOWN:<Name>` inside braces.',
  },
  {
    id: 'DL-2.4-13',
    section: '2.4',
    text: 'When a body template cannot be processed, the default body is sent.',
  },
] as const satisfies readonly RequirementEntry[];
