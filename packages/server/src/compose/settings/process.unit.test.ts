import { expect, test } from 'vitest';
import { jobQueues } from '../../operations/job-queues.ts';
import { loadConfig, type SettingKey } from '../../platform/config/index.ts';
import { processSettings } from './process.ts';

const read = (values: { readonly [K in SettingKey]?: unknown } = {}) =>
  processSettings(loadConfig({ values }).config);

test('a process has all roles and queues by default', () => {
  expect(read()).toEqual({
    isWeb: true,
    isScheduler: true,
    runsJobs: true,
    watches: true,
    workers: 10,
    queues: jobQueues,
  });
});

test('roles remove the work that they do not name', () => {
  expect(read({ 'Svc:Host:Roles': ['Web'] })).toMatchObject({
    isWeb: true,
    runsJobs: false,
    watches: true,
    queues: [],
  });
  expect(read({ 'Svc:Host:Roles': ['Scheduler'] })).toMatchObject({
    isWeb: false,
    isScheduler: true,
    runsJobs: true,
    queues: [],
  });
  expect(read({ 'Svc:Host:Roles': ['Worker'], 'Svc:Jobs:Queues': ['ai', 'runs'] })).toMatchObject({
    isWeb: false,
    isScheduler: false,
    queues: ['runs', 'ai'],
  });
});

test('without workers neither jobs nor schedules run, regardless of the roles', () => {
  expect(read({ 'Svc:Jobs:Workers': 0 })).toMatchObject({
    isWeb: true,
    isScheduler: false,
    runsJobs: false,
    watches: false,
    queues: [],
  });
  expect(() => read({ 'Svc:Jobs:Workers': 0, 'Svc:Host:Roles': ['Worker', 'Scheduler'] })).toThrow(
    'The setting Svc:Host:Roles leaves this process nothing to do',
  );
});

test('an unknown queue, an unknown role and an empty list of roles are refused with the valid values', () => {
  expect(() => read({ 'Svc:Jobs:Queues': ['runs', 'mails', 'x'] })).toThrow(
    'The setting Svc:Jobs:Queues names mails, x, which is no queue. Queues are: runs, deliveries, contracts, schemas, migrations, ai, maintenance.',
  );
  expect(() => read({ 'Svc:Host:Roles': ['Web', 'Wrkr'] })).toThrow(
    'The setting Svc:Host:Roles (from the host) must be a list of Web, Worker, Scheduler: Wrkr is none of these.',
  );
  expect(() => read({ 'Svc:Host:Roles': [] })).toThrow(
    'must be a list of at least one of Web, Worker, Scheduler',
  );
});
