import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Jobs } from '../client/jobs.ts';
import { createFixture, type Fixture } from './fixture.ts';

/** Payload of the test jobs. */
export type Echo = { text: string };

export function parseEcho(value: unknown): Echo {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') {
    throw new Error('text is missing');
  }
  return { text: value.text };
}

/** Provides a database per test file. The job processes of a test stop at its end. */
export function echoJobs() {
  let fixture: Fixture;
  let sequence = 0;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  // A claim skips jobs that another process locks for a moment, until its next poll.
  afterEach(() => fixture.stopJobs());
  afterAll(() => fixture.close());
  return {
    fixture: () => fixture,
    /** Returns a unique queue and job name per test, so that tests do not claim each other's jobs. */
    uniqueName: () => `test-${++sequence}`,
    state: async (jobs: Jobs, id: string) => (await jobs.get(id))?.state,
  };
}
