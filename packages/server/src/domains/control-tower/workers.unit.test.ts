import { describe, expect, test } from 'vitest';
import { workersOf } from './workers.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

describe('processes that run jobs', () => {
  test('none has ever reported', () => {
    expect(workersOf([], now)).toEqual({ isAlive: false, lastHeartbeatAt: null });
  });

  test('one that reported lately is enough, however long another is silent', () => {
    expect(workersOf([ago(3_600), ago(59)], now)).toEqual({ isAlive: true, lastHeartbeatAt: ago(59) });
  });

  test('all have been silent for a minute', () => {
    expect(workersOf([ago(60), ago(3_600)], now)).toEqual({ isAlive: false, lastHeartbeatAt: ago(60) });
  });
});
