import type { JobsDashboardOptions } from '../options.ts';
import { redact } from '../redact.ts';

type Redaction = {
  readonly options: Pick<JobsDashboardOptions, 'redactPayload'>;
  readonly isSensitive: (memberName: string) => boolean;
};

/** Returns a payload with sensitive values redacted. */
export function shownPayload(
  { options, isSensitive }: Redaction,
  jobName: string,
  payload: unknown,
): unknown {
  const shown = redact(payload, isSensitive);
  return options.redactPayload ? options.redactPayload(jobName, shown) : shown;
}

/** Returns the tags of a job: `metadata.tags`, a list of texts or an object of values. */
export function tagsOf(metadata: Readonly<Record<string, unknown>> | null): readonly string[] {
  const tags = metadata?.['tags'];
  if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === 'string');
  if (typeof tags !== 'object' || tags === null) return [];
  return Object.entries(tags).map(([name, value]) => `${name}:${String(value)}`);
}

/** Returns a key with arbitrary characters as an id for a URL path. */
export const idOf = (key: string): string => Buffer.from(key).toString('base64url');

/** Returns the key of an id created by `idOf`. */
export const keyOf = (id: string): string => Buffer.from(id, 'base64url').toString('utf8');
