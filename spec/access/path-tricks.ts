import { hostAnswer } from '@svc/testkit/service/service.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { type AccessRow, accessRows, type CallerKind } from './index.ts';
import { credentialsOf, type RawAnswer, sendRaw } from './raw-request.ts';
import { requestFor } from './requests.ts';
import { unbuilt } from './unbuilt.ts';

/** Callers that many routes refuse, each for a different reason. */
const kinds = [
  'anonymous',
  'noRole',
  'viewer',
  'auditor',
  'readKey',
  'executeKey',
  'executeKeyOfDemotedOwner',
  'memberOfAnotherProject',
] as const satisfies readonly CallerKind[];

type Trick = {
  readonly name: string;
  readonly path?: (path: string) => string;
  readonly headers?: Record<string, string>;
};

const escaped = (text: string) => `%${text.charCodeAt(0).toString(16)}`;
const lastPart = (path: string, change: (part: string) => string) =>
  path.replace(/[^/]+$/, (part) => change(part));
const override = (method: string): Trick => ({
  name: `override of the method by ${method}`,
  path: (path) => `${path}?_method=${method}`,
  headers: { 'x-http-method-override': method, 'x-http-method': method, 'x-method-override': method },
});

/** Variants of a request for which a careless guard and the router could see different routes. */
const tricks: readonly Trick[] = [
  { name: 'two slashes first', path: (path) => `/${path}` },
  { name: 'two slashes inside', path: (path) => path.replace('/api/', '//api/') },
  { name: 'two slashes at the last part', path: (path) => path.replace(/\/(?=[^/]+$)/, '//') },
  { name: 'a dot part', path: (path) => path.replace('/api/', '/./api/') },
  { name: 'a double-dot part', path: (path) => path.replace('/api/', '/api/health/../') },
  { name: 'an escaped double-dot part', path: (path) => path.replace('/api/', '/api/health/%2e%2e/') },
  { name: 'an escaped slash', path: (path) => path.replace('/api/', '/api%2f') },
  { name: 'a twice escaped slash', path: (path) => path.replace('/api/', '/api%252f') },
  { name: 'a backslash', path: (path) => path.replace('/api/', '/api\\') },
  { name: 'an escaped letter', path: (path) => path.replace('/api/', `/${escaped('a')}pi/`) },
  { name: 'an escaped last part', path: (path) => lastPart(path, (part) => escaped(part) + part.slice(1)) },
  { name: 'capitals', path: (path) => path.toUpperCase() },
  { name: 'a capital', path: (path) => path.replace('/api/', '/Api/') },
  { name: 'a slash at the end', path: (path) => `${path}/` },
  { name: 'a dot at the end', path: (path) => `${path}.` },
  { name: 'an escaped space at the end', path: (path) => `${path}%20` },
  { name: 'an escaped null at the end', path: (path) => `${path}%00` },
  { name: 'a path parameter', path: (path) => `${path};a=b` },
  { name: 'a suffix', path: (path) => `${path}.json` },
  { name: 'a fragment', path: (path) => `${path}#/svc/api/health` },
  { name: 'a whole URL', path: (path) => `http://127.0.0.1${path}` },
  {
    name: 'headers that name another path',
    headers: { 'x-original-url': '/svc/api/health', 'x-rewrite-url': '/svc/api/health' },
  },
  {
    name: 'an address of the machine itself',
    headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  },
  override('GET'),
  override('DELETE'),
];

/** A service, and the headers that authenticate each kind of caller. */
export type TrickTarget = {
  readonly fixture: Fixture;
  readonly credentials: ReadonlyMap<CallerKind, Record<string, string>>;
};

export async function startTrickTarget(): Promise<TrickTarget> {
  const fixture = await createFixture();
  const credentials = new Map<CallerKind, Record<string, string>>();
  for (const kind of kinds) {
    const client = fixture.clients[kind];
    if (client)
      credentials.set(kind, { ...(await credentialsOf(client)), 'x-forwarded-for': client.address });
  }
  return { fixture, credentials };
}

/** Returns true if the service refused the request with a problem, or passed it to the host application. */
const isRefusal = ({ status, headers, body }: RawAnswer): boolean =>
  body === hostAnswer ||
  ([400, 401, 403, 404, 405, 414, 415].includes(status) &&
    /problem\+json/.test(headers['content-type'] ?? ''));

/**
 * Tries each trick as each kind of caller that the row refuses, and as one other kind.
 *
 * @returns One sentence per trick that bypassed a refusal or made the service fail.
 */
export async function passingTricks(
  row: AccessRow,
  { fixture, credentials }: TrickTarget,
): Promise<string[]> {
  const { method, path, body, headers: ofRequest } = await requestFor(row, fixture, 'anonymous');
  const passing: string[] = [];
  const refused = kinds.filter((kind) => [401, 403, 404].some((status) => status === row.expect[kind]));
  const others = kinds.filter((kind) => !refused.includes(kind)).slice(0, 1);
  for (const kind of [...refused, ...others]) {
    const isRefused = refused.includes(kind);
    const find = async ({ name, path: change, headers }: Trick): Promise<string[]> => {
      const asked = change?.(path) ?? path;
      const answer = await sendRaw(
        fixture.svc.origin,
        method,
        asked,
        { ...ofRequest, ...credentials.get(kind), ...headers },
        body,
      );
      const isPassing = answer.status >= 500 || (isRefused && !isRefusal(answer));
      return isPassing ? [`${kind}, ${name}: ${method} ${asked} answered ${answer.status}`] : [];
    };
    // Sends requests concurrently: the service answers one while another waits for the database.
    passing.push(...(await Promise.all(tricks.map(find))).flat());
  }
  return passing;
}

/** Operations that would end the sessions of the other requests. */
const endsSessions: readonly string[] = [
  'POST /svc/api/auth/logout',
  'POST /svc/api/user-settings/change-password',
  'DELETE /svc/api/user-settings/sessions/{id}',
];
/** The rows that an anonymous caller does not pass, each with a title for `test.each`. */
export const refusingRows: readonly (readonly [title: string, row: AccessRow])[] = accessRows
  .filter(
    ({ operation, expect: { anonymous } }) =>
      ![...unbuilt, ...endsSessions].includes(operation) && anonymous !== 'passes',
  )
  .map((row) => [row.variant ? `${row.operation} (${row.variant})` : row.operation, row]);

/** One row for each combination of expectations of the kinds above. */
export const rowPerShape: typeof refusingRows = [
  ...Map.groupBy(refusingRows, ([, { expect }]) => kinds.map((kind) => expect[kind]).join()).values(),
].flatMap(([first]) => (first ? [first] : []));
