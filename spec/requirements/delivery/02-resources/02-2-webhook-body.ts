import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 2.2. */
export const webhookBody = [
  {
    id: 'DL-2.2-01',
    section: '2.2',
    text: 'The default webhook message is an HTTP POST of JSON with `Content-Type: application/json`.',
  },
  {
    id: 'DL-2.2-02',
    section: '2.2',
    text: 'A field of the default webhook body that has no value is left out.',
  },
  {
    id: 'DL-2.2-03',
    section: '2.2',
    text: '`timestamp` in the default webhook body is the ISO 8601 UTC time at which the message was built.',
  },
  { id: 'DL-2.2-04', section: '2.2', text: '`source` in the default webhook body is always `Svc`.' },
  {
    id: 'DL-2.2-05',
    section: '2.2',
    text: '`subscriptionName` in the default webhook body is the name of the query by which the subscription is shown.',
  },
  {
    id: 'DL-2.2-06',
    section: '2.2',
    text: '`subscriptionId` in the default webhook body is the integer id of the subscription.',
  },
  {
    id: 'DL-2.2-07',
    section: '2.2',
    text: '`dataSourceName` in the default webhook body names the data source of the result.',
  },
  {
    id: 'DL-2.2-08',
    section: '2.2',
    text: '`sqlQuery` is in the default webhook body only when the subscription shows the query.',
  },
  {
    id: 'DL-2.2-09',
    section: '2.2',
    text: '`totalRecords` in the default webhook body is the full row count of the run.',
  },
  {
    id: 'DL-2.2-10',
    section: '2.2',
    text: '`executionTimeMs` in the default webhook body is the duration of the run.',
  },
  {
    id: 'DL-2.2-11',
    section: '2.2',
    text: '`previousResultCount` in the default webhook body is the row count of the last run that was not skipped, and is absent on the first run.',
  },
  {
    id: 'DL-2.2-12',
    section: '2.2',
    text: '`timedOut` in the default webhook body says whether the run timed out.',
  },
  {
    id: 'DL-2.2-13',
    section: '2.2',
    text: '`records` in the default webhook body holds the PII-masked preview rows as objects keyed by column name.',
  },
  {
    id: 'DL-2.2-14',
    section: '2.2',
    text: '`anomaly` is in the default webhook body only when anomaly detection flagged the run, with `isAnomaly`, `severity` and `explanation`.',
  },
  {
    id: 'DL-2.2-15',
    section: '2.2',
    text: '`notificationUrl` is in the default webhook body only when a base URL is set.',
  },
  {
    id: 'DL-2.2-16',
    section: '2.2',
    text: 'A cell of a JSON column in `records` is JSON, whose numbers have all their digits.',
  },
  {
    id: 'DL-2.2-17',
    section: '2.2',
    text: 'A recipient chooses text or numbers for large whole numbers and decimals in `records`, and gets text by default.',
  },
  {
    id: 'DL-2.2-18',
    section: '2.2',
    text: 'The form of numbers that a recipient chooses changes no member of the body other than `records`.',
  },
] as const satisfies readonly RequirementEntry[];
