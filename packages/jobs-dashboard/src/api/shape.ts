import type { JobsDashboardOptions } from '../options.ts';
import { redact } from '../redact.ts';

type Redaction = {
  readonly options: Pick<JobsDashboardOptions, 'redactPayload'>;
  readonly isSensitive: (memberName: string) => boolean;
};

/** A payload as it may be shown. */
export function shownPayload(
  { options, isSensitive }: Redaction,
  jobName: string,
  payload: unknown,
): unknown {
  const shown = redact(payload, isSensitive);
  return options.redactPayload ? options.redactPayload(jobName, shown) : shown;
}

/** Tags of a job: `metadata.tags`, a list of words or an object of values. */
export function tagsOf(metadata: Readonly<Record<string, unknown>> | null): readonly string[] {
  const tags = metadata?.['tags'];
  if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === 'string');
  if (typeof tags !== 'object' || tags === null) return [];
  return Object.entries(tags).map(([name, value]) => `${name}:${String(value)}`);
}

/** An identifier that may hold any character, as a part of a path. */
export const idOf = (key: string): string => Buffer.from(key).toString('base64url');

/** What `idOf` made an id of. */
export const keyOf = (id: string): string => Buffer.from(id, 'base64url').toString('utf8');
