import { type DataContract, ruleTypes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import {
  bodyOf,
  type ContractDraft,
  draftOf,
  emptyDraft,
  fingerprintOf,
  newRule,
  ruleInputOf,
} from './draft.ts';
import { draftFaults, keyed, ruleFaults } from './draft-faults.ts';

const columns = [
  { name: 'id', databaseType: 'integer', isNullable: false },
  { name: 'status', databaseType: 'text', isNullable: true },
];

const record: DataContract = {
  id: 7,
  projectId: 1,
  projectName: 'Shop',
  dataSourceId: 2,
  dataSourceName: 'Orders',
  schemaName: '',
  tableName: 'orders',
  name: 'Orders',
  description: null,
  isEnabled: true,
  failsOn: 'AnyRule',
  warnScore: 95,
  failScore: 80,
  alertMode: 'EveryFailure',
  alertsOnWarning: false,
  keepsSamples: true,
  ownerUserId: null,
  ownerName: null,
  schedule: null,
  recipients: [],
  snoozedUntil: null,

  alert: null,
  quietHours: null,
  createTasks: false,
  slaHours: null,
  alertState: null,
  lastMissed: null,

  snoozeReason: null,
  createdTime: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  version: 3,
  rules: [
    {
      id: 9,
      name: 'Sizes',
      type: 'Range',
      columns: ['size'],
      config: { min: 1, max: null },
      severity: 'High',
      weight: 2,
      unit: 'Percent',
      warnAbove: 1,
      failAbove: 5,
      isEnabled: false,
    },
  ],
};

describe('a draft of a data contract', () => {
  it('produces the same contract that it was created from, with the ids of its rules', () => {
    const { id: _id, ...input } = record.rules[0] ?? expect.fail('A rule is missing.');
    expect(bodyOf(draftOf(record))).toEqual({
      projectId: 1,
      dataSourceId: 2,
      schemaName: '',
      tableName: 'orders',
      name: 'Orders',
      description: null,
      cronExpression: null,
      timeZone: null,
      isEnabled: true,
      failsOn: 'AnyRule',
      warnScore: 95,
      failScore: 80,
      alertMode: 'EveryFailure',
      alertsOnWarning: false,
      keepsSamples: true,
      alert: null,
      quietHours: null,
      createTasks: false,
      slaHours: null,
      rules: [{ id: 9, ...input }],
    });
  });

  it('differs from a draft with other recipients, regardless of their order', () => {
    const draft = draftOf(record);
    const of = (...ids: readonly number[]): ContractDraft => ({
      ...draft,
      recipientIds: ids.map((id) => ({ id, name: `${id}`, notificationType: 'Email', state: 'Approved' })),
    });
    expect(fingerprintOf(of(1, 2))).toBe(fingerprintOf(of(2, 1)));
    expect(fingerprintOf(of(1, 2))).not.toBe(fingerprintOf(of(1)));
  });

  it('names a rule after its condition, and sends no threshold for a rule that counts no rows', () => {
    const rule = { ...newRule('Volume', columns), failAbove: 4, warnAbove: 2, unit: 'Percent' } as const;
    expect(ruleInputOf(rule)).toMatchObject({
      name: 'At least 1 row',
      failAbove: 0,
      warnAbove: null,
      unit: 'Rows',
    });
    expect(ruleInputOf({ ...newRule('NullRate', columns), columns: ['status'], failAbove: 4 })).toMatchObject(
      {
        name: 'status is filled in',
        failAbove: 4,
      },
    );
  });

  it('starts a Schema rule with the current columns', () => {
    expect(newRule('Schema', columns).config.expected).toEqual([
      { name: 'id', databaseType: 'integer', isNullable: false },
      { name: 'status', databaseType: 'text', isNullable: null },
    ]);
  });
});

describe('errors of a contract draft', () => {
  it('are reported for the alert, quiet hours and tasks only if these are used', () => {
    const draft: ContractDraft = {
      ...draftOf(record),
      alert: { pendingRuns: 0, recoverRuns: 1, remindMinutes: null, tellsRecovery: true },
      slaHours: 0,
    };
    expect(draftFaults(draft)).toEqual({});
    const window = { days: [], from: '22:00', to: '07:00' };
    const quietHours = { timeZone: 'UTC', criticalPasses: false, windows: [window] };
    expect(draftFaults({ ...draft, alertMode: 'OnChange', createTasks: true, quietHours })).toEqual({
      alert: 'From 1 to 10.',
      quietHours: 'Choose a day.',
      slaHours: 'From 1 to 720.',
    });
  });

  it('are reported for each missing choice', () => {
    expect(draftFaults(emptyDraft)).toEqual({
      projectId: 'Choose the project.',
      dataSourceId: 'Choose the data source.',
      tableName: 'Choose the table.',
      rules: 'Add a rule that the table must meet.',
    });
  });

  it.each([
    [{ columns: [] }, 'columns'],
    [{ weight: null }, 'weight'],
    [{ failAbove: null }, 'failAbove'],
    [{ warnAbove: 6, failAbove: 5 }, 'warnAbove'],
  ])('a rule with %o is marked at %s', (part, place) => {
    const rule = { ...newRule('NullRate', columns), columns: ['status'] };
    expect(ruleFaults(rule)).toEqual({});
    expect(Object.keys(ruleFaults({ ...rule, ...part }))).toEqual([place]);
  });

  it.each([
    ['Freshness', { maxAgeMinutes: 5, warnAgeMinutes: 6 }, 'config/warnAgeMinutes'],
    ['Volume', { minRows: null, maxRows: null }, 'config/minRows'],
    ['Volume', { minRows: 6, maxRows: 5 }, 'config/minRows'],
    ['Range', { min: null, max: null }, 'config/min'],
    ['Referential', { table: '' }, 'config/table'],
    ['Referential', { table: 'other', columns: [''] }, 'config/columns/0'],
  ] as const)('%s with %o is marked at %s', (type, config, place) => {
    const about = type === 'Volume' ? [] : ['status'];
    const rule = { ...newRule(type, columns), columns: about };
    expect(Object.keys(ruleFaults({ ...rule, config: { ...config } as never }))).toEqual([place]);
  });

  it('use the key of the rule instead of its position', () => {
    const rules = [newRule('Volume', []), newRule('Range', [])];
    const errors = keyed(
      { 'rules/1/config/min': 'x', 'rules/1': 'y', rules: 'z', 'rules/7/name': 'v' },
      rules,
    );
    const key = rules[1]?.key;
    expect(errors).toEqual({
      [`rules/${key}/config/min`]: 'x',
      [`rules/${key}`]: 'y',
      rules: 'z',
      'rules/7/name': 'v',
    });
  });

  it('are absent for a new rule of a type that needs only its columns', () => {
    const sound = ruleTypes.filter((type) => {
      const rule = newRule(type, columns);
      return Object.keys(ruleFaults({ ...rule, columns: ['status'] })).length === 0;
    });
    expect(sound).toEqual([
      'Freshness',
      'Volume',
      'NullRate',
      'Pattern',
      'AcceptedValues',
      'Uniqueness',
      'Schema',
      'CustomSql',
    ]);
  });
});
