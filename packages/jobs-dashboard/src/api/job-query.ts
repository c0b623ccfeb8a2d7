import { type JobKind, jobStates } from '@svc/jobs';
import { checkText, dateOf, isUuid, oneOf } from '../http/input.ts';
import { invalid } from '../problem.ts';
import type { JobFilter } from '../sql/job-filter.ts';

const jobKinds: readonly JobKind[] = ['Job', 'Message', 'Batch'];
const idPattern = /^[0-9a-f-]{4,36}$/i;
const argumentDepthMax = 20;

function uuid(name: string, value: string): string {
  if (!isUuid(value)) throw invalid(`${name} must be a uuid.`);
  return value;
}

function argumentPath(value: string, isSensitive: (name: string) => boolean): readonly string[] {
  const path = value.replace(/^payload\./, '').split('.');
  if (path.length > argumentDepthMax || path.some((name) => name === '')) {
    throw invalid('argument must be names of members with dots between them, such as order.id.');
  }
  if (path.some(isSensitive)) {
    throw invalid('This member of the payload is not shown, so it cannot be searched either.');
  }
  return path;
}

function tag(value: string, isSensitive: (name: string) => boolean): string {
  const name = value.split(':')[0] ?? '';
  if (value.includes(':') && isSensitive(name)) {
    throw invalid('The values of this tag are not shown, so they cannot be searched either.');
  }
  return value;
}

function jobId(value: string): string {
  if (!idPattern.test(value)) throw invalid('id must be a uuid, or at least its first 4 hexadecimal digits.');
  return value;
}

type Parse = (text: string, isSensitive: (name: string) => boolean) => unknown;
const asIs: Parse = (text) => text;
const asUuid =
  (name: string): Parse =>
  (text) =>
    uuid(name, text);

/** Members of a filter in the query of a list and in the body of a bulk action, with their parsers. */
const members: Readonly<Record<string, readonly [as: keyof JobFilter, parse: Parse]>> = {
  state: ['state', (text) => oneOf('state', text, jobStates)],
  kind: ['kind', (text) => oneOf('kind', text, jobKinds)],
  id: ['id', jobId],
  name: ['name', asIs],
  exactName: ['exactName', asIs],
  queue: ['queue', asIs],
  tag: ['tag', tag],
  argument: ['argument', argumentPath],
  value: ['value', asIs],
  createdFrom: ['createdFrom', (text) => dateOf('createdFrom', text)],
  createdUntil: ['createdUntil', (text) => dateOf('createdUntil', text)],
  schedule: ['scheduleKey', asIs],
  batchId: ['batchId', asUuid('batchId')],
  parentId: ['parentId', asUuid('parentId')],
  spawnedBy: ['spawnedBy', asUuid('spawnedBy')],
  traceId: ['traceId', asUuid('traceId')],
};

/**
 * Parses a filter.
 *
 * @throws Problem 400 that names the invalid member.
 */
export function filterOf(
  read: (name: string) => unknown,
  isSensitive: (memberName: string) => boolean,
): JobFilter {
  const filter: Partial<Record<keyof JobFilter, unknown>> = {};
  for (const [name, [as, parse]] of Object.entries(members)) {
    const value = read(name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') throw invalid(`${name} must be text.`);
    filter[as] = parse(checkText(name, value.trim()), isSensitive);
  }
  if (filter.value !== undefined && filter.argument === undefined) {
    throw invalid('value needs an argument.');
  }
  return filter as JobFilter;
}
