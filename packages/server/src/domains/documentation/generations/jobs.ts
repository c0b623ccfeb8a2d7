import { defineJob } from '@svc/jobs';

const timeoutMs = 30 * 60_000;

/** Job that generates the documentation of a project. */
export const generateDocumentationJob = defineJob<{
  readonly projectId: number;
  readonly generationId: number;
}>({
  name: 'generate-documentation',
  queue: 'schemas',
  retry: { attemptsMax: 2, delaysMs: [1_000] },
  timeoutMs,
  concurrency: { limit: 1, key: ({ projectId }) => String(projectId) },
  parse: (value) => {
    // A job of an earlier version has no generation id. The handler then finds no generation and does nothing.
    const { projectId, generationId = 0 } = Object(value) as { projectId?: unknown; generationId?: unknown };
    if (typeof projectId !== 'number' || !Number.isSafeInteger(projectId) || projectId < 1)
      throw new TypeError('projectId must be an integer.');
    if (typeof generationId !== 'number' || !Number.isSafeInteger(generationId))
      throw new TypeError('generationId must be an integer.');
    return { projectId, generationId };
  },
});
