import { describe, expect, test } from 'vitest';
import { type JobState, type RunningProcess, workersOf } from './workers.ts';

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

const stateOf = (processes: readonly RunningProcess[], pausedQueues: readonly string[] = []): JobState => ({
  processes,
  pausedQueues,
});

describe('processes that run jobs', () => {
  test('none has ever reported', () => {
    expect(workersOf(stateOf([]), queues, now)).toEqual({
      isAlive: false,
      lastHeartbeatAt: null,
      isScheduling: false,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('one that reported lately is enough, however long another is silent', () => {
    expect(workersOf(stateOf([process(3_600), process(59)]), queues, now)).toEqual({
      isAlive: true,
      lastHeartbeatAt: ago(59),
      isScheduling: true,
      unservedQueues: [],
      pausedQueues: [],
    });
  });

  test('all have been silent for a minute', () => {
    expect(workersOf(stateOf([process(60), process(3_600)]), queues, now)).toEqual({
      isAlive: false,
      lastHeartbeatAt: ago(60),
      isScheduling: false,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('a queue is served by a live process alone, and so are the schedules', () => {
    const gone = process(600, { serves: ['deliveries'] });
    const worker = process(1, { serves: ['runs'], isScheduler: false });
    expect(workersOf(stateOf([gone, worker]), queues, now)).toMatchObject({
      isAlive: true,
      isScheduling: false,
      unservedQueues: ['deliveries'],
    });
  });

  test('a process that only fires schedules runs no jobs', () => {
    expect(workersOf(stateOf([process(1, { serves: [] })]), queues, now)).toEqual({
      isAlive: false,
      lastHeartbeatAt: null,
      isScheduling: true,
      unservedQueues: queues,
      pausedQueues: [],
    });
  });

  test('a queue may be served and paused; one that the service has none of is not told', () => {
    expect(workersOf(stateOf([process(1)], ['deliveries', 'own']), queues, now)).toMatchObject({
      unservedQueues: [],
      pausedQueues: ['deliveries'],
    });
  });
});
