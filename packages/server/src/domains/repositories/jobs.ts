import { defineJob } from '@svc/jobs';

/** Reads the newest commit of a repository's branch. */
export const scanRepositoryJob = defineJob<{ readonly repositoryId: number }>({
  name: 'scan-repository',
  queue: 'schemas',
  dedupe: { key: ({ repositoryId }) => String(repositoryId), until: 'Finished' },
  // A scan unpacks up to a hundred megabytes, so only one runs at a time in all processes.
  concurrency: { limit: 1 },
  parse: (value) => {
    const { repositoryId } = Object(value) as { repositoryId?: unknown };
    if (typeof repositoryId !== 'number' || !Number.isSafeInteger(repositoryId) || repositoryId < 1)
      throw new TypeError('repositoryId must be an integer.');
    return { repositoryId };
  },
});
