import type { TableMetadata } from '@svc/connectors';
import type { ContractRule, DataContract } from '@svc/contract';
import type { ImportContext } from '../reading/document.ts';

const columnOf = (name: string, databaseType = 'text') => ({
  ...{ name, databaseType, isNullable: true, defaultValue: null, comment: null },
});
export const tableOf = (schema: string, name: string, columns: string[]): TableMetadata => ({
  ...{ schema, name, type: 'Table', comment: null, primaryKey: [], foreignKeys: [], indexes: [] },
  columns: columns.map((one) =>
    columnOf(one, one.endsWith('_at') ? 'timestamptz' : one === 'total' ? 'numeric' : 'text'),
  ),
});
const orders = tableOf('public', 'orders', ['id', 'status', 'email', 'total', 'odd "name".x', 'placed_at']);
export const context: ImportContext = {
  ...{ projectId: 1, dataSourceId: 2, engine: 'PostgreSQL' },
  tables: [orders, tableOf('public', 'customers', ['id', 'Name']), tableOf('other', 'orders', ['id'])],
};

export const base = {
  severity: 'Medium',
  weight: 1,
  unit: 'Rows',
  warnAbove: null,
  failAbove: 0,
  isEnabled: true,
} as const;
export const rules: readonly Omit<ContractRule, 'id'>[] = [
  {
    ...base,
    name: 'Fresh',
    type: 'Freshness',
    columns: ['placed_at'],
    config: { maxAgeMinutes: 90, warnAgeMinutes: 30 },
  },
  { ...base, name: 'Some', type: 'Volume', columns: [], config: { minRows: 1 }, severity: 'Critical' },
  { ...base, name: 'Few', type: 'Volume', columns: [], config: { minRows: 1, maxRows: 9 } },
  {
    ...base,
    name: 'Nine',
    type: 'Volume',
    columns: [],
    config: { minRows: 9, maxRows: 9 },
    isEnabled: false,
  },
  {
    ...base,
    name: 'Status',
    type: 'NullRate',
    columns: ['status'],
    config: {},
    unit: 'Percent',
    warnAbove: 1,
    failAbove: 5,
  },
  {
    ...base,
    name: 'Missing',
    type: 'NullRate',
    columns: ['status'],
    config: { missingValues: ['n/a', '', '1'] },
  },
  { ...base, name: 'Pair', type: 'NullRate', columns: ['status', 'email'], config: {}, weight: 2.5 },
  { ...base, name: 'Range', type: 'Range', columns: ['total'], config: { min: 0, max: 1e6 }, failAbove: 3 },
  { ...base, name: 'Times', type: 'Range', columns: ['placed_at'], config: { min: '2020-01-01' } },
  { ...base, name: 'Pattern', type: 'Pattern', columns: ['email'], config: { pattern: '^[^@]+@.+$' } },
  {
    ...base,
    name: 'Values',
    type: 'AcceptedValues',
    columns: ['status'],
    config: { values: ['open', '2', 3, 'yes', '~'] },
  },
  {
    ...base,
    name: 'Other',
    type: 'Referential',
    columns: ['id'],
    config: { schema: 'public', table: 'customers', columns: ['id'] },
  },
  {
    ...base,
    name: 'Unique',
    type: 'Uniqueness',
    columns: ['id'],
    config: { countsNulls: true },
    severity: 'High',
  },
  { ...base, name: 'Key', type: 'Uniqueness', columns: ['id', 'status'], config: {} },
  { ...base, name: 'Odd', type: 'NullRate', columns: ['odd "name".x'], config: {} },
  {
    ...base,
    name: 'Age of odd',
    type: 'Freshness',
    columns: ['placed_at'],
    config: { maxAgeMinutes: 2_880, futureToleranceMinutes: 0, emptyPasses: true },
    severity: 'Low',
  },
  {
    ...{ ...base, name: 'Columns', type: 'Schema', columns: [] },
    config: { expected: [{ name: 'id', databaseType: 'text', isNullable: false }, { name: 'gone' }] },
  },
  {
    ...base,
    name: 'Rows',
    type: 'CustomSql',
    columns: [],
    config: { kind: 'FailingRows', sql: 'select * from orders -- all' },
    failAbove: 2,
  },
  {
    ...base,
    name: 'Share',
    type: 'CustomSql',
    columns: [],
    config: { kind: 'FailingRows', sql: 'select 1' },
    unit: 'Percent',
    failAbove: 2,
  },
  {
    ...base,
    name: 'Verdict',
    type: 'CustomSql',
    columns: [],
    config: { kind: 'Verdict', sql: 'select 1 as passed' },
  },
  {
    ...{ ...base, name: 'Check', type: 'CustomSql', columns: [] },
    config: { kind: 'Verdict', sql: 'select case when (\nselect 2\n) <= 5 then 1 else 0 end as passed' },
  },
];
const quietHours = {
  ...{ timeZone: 'Europe/Zagreb', criticalPasses: true },
  windows: [{ days: ['Monday' as const], from: '22:00', to: '06:00' }],
};
export const settings = {
  projectId: 1,
  dataSourceId: 2,
  schemaName: 'public',
  tableName: 'orders',
  name: 'Orders: all',
  description: 'Ours',
  isEnabled: false,
  failsOn: 'Score',
  warnScore: 90,
  failScore: 70,
  alertMode: 'OnChange',
  alertsOnWarning: true,
  alert: { pendingRuns: 2, recoverRuns: 3, remindMinutes: 60, tellsRecovery: false },
  quietHours,
  createTasks: true,
  slaHours: 24,
  keepsSamples: false,
} satisfies Partial<DataContract>;
export const contractOf = (some: readonly Omit<ContractRule, 'id'>[]): DataContract => ({
  ...settings,
  ...{ id: 7, projectName: 'P', dataSourceName: 'D', ownerUserId: null, ownerName: null, recipients: [] },
  schedule: { cronExpression: '0 8 * * *', timeZone: 'Europe/Zagreb', description: '', nextTimes: [] },
  ...{ alertState: null, lastMissed: null, snoozedUntil: null, snoozeReason: null, version: 1 },
  ...{ createdTime: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
  rules: some.map((rule, at) => ({ ...rule, id: at + 1 })),
});
