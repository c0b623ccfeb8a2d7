import { defineJob } from '@svc/jobs';

/** Makes the documentation of a project anew from what is known of it. */
export const generateDocumentationJob = defineJob<{ readonly projectId: number }>({
  name: 'generate-documentation',
  queue: 'schemas',
  // Until it starts: what is learnt meanwhile needs another look.
  dedupe: { key: ({ projectId }) => String(projectId), until: 'Started' },
  concurrency: { limit: 1, key: ({ projectId }) => String(projectId) },
  parse: (value) => {
    const { projectId } = Object(value) as { projectId?: unknown };
    if (typeof projectId !== 'number' || !Number.isSafeInteger(projectId) || projectId < 1)
      throw new TypeError('projectId must be an integer.');
    return { projectId };
  },
});
