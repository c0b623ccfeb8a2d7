import { describe, expect, test } from 'vitest';
import { type RunningProcess, workersOf } from './workers.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const queues = ['runs', 'deliveries'];
const process = (
  silentSeconds: number,
  { serves = queues, isScheduler = true }: { serves?: readonly string[]; isScheduler?: boolean } = {},
): RunningProcess => ({
  heartbeatAt: ago(silentSeconds),
  isScheduler,
  workers: serves.map((queue) => ({ queue })),
});

const statusOf = (processes: readonly RunningProcess[], paused: readonly string[] = []) =>
  workersOf({ processes, paused, queues, now });

describe('processes that run jobs', () => {
  test('no process is alive if none has ever reported', () => {
    expect(statusOf([])).toEqual({
      isAlive: false,
      lastHeartbeatAt: null,
      isScheduling: false,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('one process with a recent report is sufficient, even if another is silent', () => {
    expect(statusOf([process(3_600), process(59)])).toEqual({
      isAlive: true,
      lastHeartbeatAt: ago(59),
      isScheduling: true,
      unservedQueues: [],
      pausedQueues: [],
    });
  });

  test('no process is alive after all have been silent for a minute', () => {
    expect(statusOf([process(60), process(3_600)])).toEqual({
      isAlive: false,
      lastHeartbeatAt: ago(60),
      isScheduling: false,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('queues and schedules are served only by live processes', () => {
    const gone = process(600, { serves: ['deliveries'] });
    const worker = process(1, { serves: ['runs'], isScheduler: false });
    expect(statusOf([gone, worker])).toMatchObject({
      isAlive: true,
      isScheduling: false,
      unservedQueues: ['deliveries'],
    });
  });

  test('a process that only fires schedules runs no jobs', () => {
    expect(statusOf([process(1, { serves: [] })])).toEqual({
      isAlive: false,
      lastHeartbeatAt: null,
      isScheduling: true,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('a queue can be both served and paused, and an unknown paused queue is not reported', () => {
    expect(statusOf([process(1)], ['deliveries', 'own'])).toMatchObject({
      unservedQueues: [],
      pausedQueues: ['deliveries'],
    });
  });
});
