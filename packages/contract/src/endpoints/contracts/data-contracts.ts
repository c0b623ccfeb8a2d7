import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { Alert, AlertRule, AlertRuleInput } from '../notifications/alerts.ts';
import { QuietHours } from '../notifications/quiet-hours.ts';
import { Snooze } from '../notifications/snooze.ts';
import { AttachedRecipient, MissedRuns, Schedule, slaHoursMax } from '../notifications/subscriptions.ts';
import {
  alertModes,
  type ContractRuleInput,
  failureConditions,
  ContractRule as Rule,
  ContractRuleInput as RuleInput,
  ruleOutcomes,
} from './contract-rules.ts';

const tag = 'data quality';
export const contractsPath = '/svc/api/data-quality/contracts';
const nameLengthMax = 200;
const rulesMax = 200;

const score = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

const settings = {
  projectId: Id,
  dataSourceId: Id,
  schemaName: Type.String({ maxLength: nameLengthMax, description: 'Empty if the engine has no schemas.' }),
  tableName: NonBlank(nameLengthMax),
  name: NonBlank(nameLengthMax),
  description: nullable(Type.String({ maxLength: 2_000 })),
  isEnabled: Type.Boolean({ description: 'The schedule starts evaluations.' }),
  failsOn: wordOf(failureConditions, {
    description:
      'Results that fail the contract. Default for a new contract: `AnyRule`. If a change omits it, the current value remains.',
  }),
  warnScore: score('An evaluation with a lower score warns.'),
  failScore: score('An evaluation with a lower score fails.'),
  alertMode: wordOf(alertModes),
  alertsOnWarning: Type.Boolean({ description: 'Warnings notify recipients, as failures do.' }),
  alert: nullable(AlertRule, {
    description:
      'Alert rule of the alert mode `OnChange`. Evaluations count as its runs, and failures as its rows. Null with `EveryFailure`.',
  }),
  quietHours: nullable(QuietHours, {
    description:
      'Quiet hours of scheduled evaluations: their messages are sent at the end of the quiet hours. Null: no quiet hours.',
  }),
  createTasks: Type.Boolean({
    description: 'A failed scheduled evaluation opens a task. Successful evaluations resolve it.',
  }),
  slaHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: slaHoursMax,
      description: 'Hours within which the tasks of the contract must be resolved.',
    }),
  ),
  keepsSamples: Type.Boolean({ description: 'Failing rows are stored, masked and encrypted.' }),
};

const CronExpression = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Five fields (minute hour day month weekday), or six with seconds first.',
});
const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, e.g. Europe/Zagreb.' });

/** Promises about one table, with the recipients of its alerts. */
export const DataContract = Type.Object(
  {
    id: Id,
    ...settings,
    projectName: Type.String(),
    dataSourceName: Type.String(),
    ownerUserId: nullable(Id),
    ownerName: nullable(Type.String()),
    schedule: nullable(Schedule),
    recipients: Type.Array(AttachedRecipient),
    rules: Type.Array(Rule),
    alertState: nullable(Alert, {
      description:
        'State of the alert. Null without the alert mode `OnChange`, and before the first evaluation with a result.',
    }),
    lastMissed: nullable(MissedRuns, {
      description: 'The last outage: due times whose evaluations did not start in time.',
    }),
    snoozedUntil: nullable(Time),
    snoozeReason: nullable(Type.String()),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'DataContract' },
);
export type DataContract = Static<typeof DataContract>;

/** A contract in a list, without its rules and recipients. */
export const DataContractSummary = Type.Object({
  id: Id,
  projectId: Id,
  projectName: Type.String(),
  dataSourceId: Id,
  dataSourceName: Type.String(),
  schemaName: Type.String(),
  tableName: Type.String(),
  name: Type.String(),
  isEnabled: Type.Boolean(),
  ownerUserId: nullable(Id),
  ownerName: nullable(Type.String()),
  ruleCount: Type.Integer({ minimum: 0 }),
  snoozedUntil: nullable(Time),
  lastOutcome: nullable(
    wordOf(ruleOutcomes, { description: 'Result of the last evaluation; null: no evaluation has ended.' }),
  ),
  lastScore: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  lastEvaluatedAt: nullable(Time),
  createdTime: Time,
});
export type DataContractSummary = Static<typeof DataContractSummary>;

const { projectId, dataSourceId, schemaName, tableName, name, ...kept } = settings;
const others = {
  ...kept,
  alert: nullable(AlertRuleInput, {
    description: 'Alert rule; only for the alert mode `OnChange`. Omitted members get their defaults.',
  }),
};
const optional = Object.fromEntries(
  Object.entries(others).map(([member, schema]) => [member, Type.Optional(schema)]),
) as { [K in keyof typeof others]: ReturnType<typeof Type.Optional<(typeof others)[K]>> };

const input = {
  projectId,
  dataSourceId,
  schemaName,
  tableName,
  name,
  ...optional,
  cronExpression: Type.Optional(
    nullable(CronExpression, {
      description:
        'Null: no schedule. Default for a new contract: daily at 6:00. If a change omits it, the current schedule remains.',
    }),
  ),
  timeZone: Type.Optional(nullable(TimeZone)),
  rules: Type.Array(RuleInput, { minItems: 1, maxItems: rulesMax }),
};

/**
 * Saved form of a contract. A rule with an id keeps its id and results; a rule without an id is new; all other rules
 * are deleted.
 */
export const DataContractChange = Type.Object(input);
export type DataContractChange = Static<typeof DataContractChange>;

export const DataContractInput = Type.Object({
  ...input,
  recipientIds: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
});
export type DataContractInput = Static<typeof DataContractInput>;
export type { ContractRuleInput };

const customSql = 'The request adds, changes or moves a custom SQL rule, and the caller is not an Admin.';
const unfit = 'A table, column or rule does not fit the metadata of the data source.';
const stale = { 412: 'If-Match names an earlier version of the contract.' } as const;

/** Sort names: `name`, `tableName`, `projectName`, `lastScore`, `createdTime`; default `name`. */
export const listDataContracts = defineEndpoint({
  operationId: 'listDataContracts',
  tag,
  summary: 'Data contracts of the readable projects',
  method: 'GET',
  path: contractsPath,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or a table.' })),
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
  }),
  responses: { 200: pageOf(DataContractSummary) },
  access: access.read({ project: 'readable' }),
});

export const createDataContract = defineEndpoint({
  operationId: 'createDataContract',
  tag,
  summary: 'Creates a data contract: a set of rules for one table',
  method: 'POST',
  path: contractsPath,
  body: DataContractInput,
  responses: { 201: DataContract },
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    400: unfit,
    403: customSql,
    404: 'The project, the data source or a recipient does not exist.',
  },
});

export const getDataContract = defineEndpoint({
  operationId: 'getDataContract',
  tag,
  summary: 'One data contract with its rules',
  method: 'GET',
  path: `${contractsPath}/{id}`,
  params: IdParams,
  responses: { 200: DataContract },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const replaceDataContract = defineEndpoint({
  operationId: 'replaceDataContract',
  tag,
  summary: 'Replaces a data contract; rules with an id keep their id and results',
  method: 'PUT',
  path: `${contractsPath}/{id}`,
  params: IdParams,
  body: DataContractChange,
  responses: { 200: DataContract },
  edits: 'Contract',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: unfit, 403: customSql, ...stale },
});

export const archiveDataContract = defineEndpoint({
  operationId: 'archiveDataContract',
  tag,
  summary: 'Archives a data contract; its schedule stops and its history remains',
  method: 'DELETE',
  path: `${contractsPath}/{id}`,
  params: IdParams,
  responses: { 204: null },
  edits: 'Contract',
  access: access.write({ project: 'writable' }),
});

export const SetDataContractOwnerBody = Type.Object({ userId: Id });

export const setDataContractOwner = defineEndpoint({
  operationId: 'setDataContractOwner',
  tag,
  summary: 'Assigns a data contract to another owner',
  method: 'PUT',
  path: `${contractsPath}/{id}/owner`,
  params: IdParams,
  body: SetDataContractOwnerBody,
  responses: { 204: null },
  access: access.administer('UserAdmin'),
});

export const snoozeDataContract = defineEndpoint({
  operationId: 'snoozeDataContract',
  tag,
  summary: 'Silences the alerts of a data contract until a time, or ends the silence',
  method: 'POST',
  path: `${contractsPath}/{id}/snooze`,
  params: IdParams,
  body: Snooze,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});

export const addDataContractRecipients = defineEndpoint({
  operationId: 'addDataContractRecipients',
  tag,
  summary: 'Attaches existing recipients to a data contract',
  method: 'POST',
  path: `${contractsPath}/{id}/recipients`,
  params: IdParams,
  body: Type.Object({ recipientIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) }),
  responses: { 200: DataContract },
  edits: 'Contract',
  access: access.write({ project: 'writable' }),
});

export const removeDataContractRecipient = defineEndpoint({
  operationId: 'removeDataContractRecipient',
  tag,
  summary: 'Detaches a recipient from a data contract',
  method: 'DELETE',
  path: `${contractsPath}/{id}/recipients/{recipientId}`,
  params: Type.Object({ id: Id, recipientId: Id }),
  responses: { 204: null },
  edits: 'Contract',
  access: access.write({ project: 'writable' }),
});
