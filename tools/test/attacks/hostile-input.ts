import { randomInt } from 'node:crypto';
import { setUp } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { startService } from '@svc/testkit/service/service.ts';
import * as contract from '../../../packages/contract/src/index.ts';

/**
 * Result of requests with hostile values in each text and number of every operation. The values are U+0000, halves of
 * surrogate pairs, nearly a megabyte of text, and numbers at and beyond the bounds of 32 and 64 bits.
 */
export type HostileInputReport = {
  readonly operations: number;
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Answers of 500 and above, refusals that are not problem documents, and missing answers. At most 50 in total. */
  readonly faults: readonly string[];
};

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly format?: string;
};

/** Path of a value inside a JSON value, from its root. */
type Place = readonly (string | number)[];

const faultsToldMax = 50;
/** Placeholder for a number that JSON.stringify cannot write. The text to send contains the number. */
const numberMark = '@@number@@';
const largeText = 'x'.repeat(900_000);

const hostileTexts = (isThorough: boolean): readonly string[] => [
  '\0',
  'a\0b',
  ...(isThorough ? ['\ud800', 'x\udc00y', `%00${'\u0000'}`, largeText] : ['\ud800']),
];
/** Numbers in JSON notation. */
const hostileNumbers = (isThorough: boolean): readonly string[] => [
  '1e999',
  '99999999999999999999',
  '2147483648',
  ...(isThorough
    ? ['2147483647', '-1', '0', '9007199254740993', '-1e999', '1.5', '9223372036854775808']
    : []),
];

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

/** Returns a value that fits the schema. */
function sampleOf(schema: Schema): unknown {
  const [word] = schema.enum ?? [];
  if (word !== undefined) return word;
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {});
  const types = typesOf(schema);
  if (types.includes('object') || schema.properties) {
    const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]);
    const { additionalProperties: other } = schema;
    if (members.length === 0 && typeof other === 'object') return { name: sampleOf(other) };
    return Object.fromEntries(members);
  }
  if (types.includes('array')) return schema.items ? [sampleOf(schema.items)] : [];
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
  if (types.includes('boolean')) return false;
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z';
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

/** Returns every text and number in a value, with its path. */
function leavesOf(value: unknown, at: Place = []): { readonly place: Place; readonly leaf: unknown }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ place: at, leaf: value }];
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([name, member]) => leavesOf(member, [...at, name]));
}

function withLeaf(value: unknown, [name, ...rest]: Place, leaf: unknown): unknown {
  if (name === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((item, index) => (index === name ? withLeaf(item, rest, leaf) : item));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: withLeaf(members[name], rest, leaf) };
}

type Attack = { readonly path: string; readonly body: string | undefined };

/** Returns the requests for an operation. Each has one hostile value; all other values are valid. */
function attacksOn(endpoint: contract.Endpoint, isThorough: boolean): readonly Attack[] {
  const body = endpoint.body && sampleOf(endpoint.body as Schema);
  return [...attacksOnAddress(endpoint, body, isThorough), ...attacksOnBody(endpoint, body, isThorough)];
}

const pathOf = ({ path }: contract.Endpoint, params: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeText(String(params[name])));

const sampleMembers = (schema: unknown): Readonly<Record<string, unknown>> =>
  (sampleOf((schema ?? { type: 'object' }) as Schema) ?? {}) as Record<string, unknown>;

function attacksOnAddress(endpoint: contract.Endpoint, sample: unknown, isThorough: boolean): Attack[] {
  const params = sampleMembers(endpoint.params);
  const path = pathOf(endpoint, params);
  const body = sample === undefined ? undefined : JSON.stringify(sample);
  const hostile = [...hostileTexts(isThorough), ...hostileNumbers(isThorough)].filter(
    (text) => text !== largeText,
  );
  return hostile.flatMap((text) => [
    ...Object.keys(params).map((name) => ({ path: pathOf(endpoint, { ...params, [name]: text }), body })),
    ...Object.keys(sampleMembers(endpoint.query)).map((name) => ({
      path: `${path}?${name}=${encodeText(text)}`,
      body,
    })),
  ]);
}

function attacksOnBody(endpoint: contract.Endpoint, sample: unknown, isThorough: boolean): Attack[] {
  if (sample === undefined) return [];
  const path = pathOf(endpoint, sampleMembers(endpoint.params));
  return leavesOf(sample).flatMap(({ place, leaf }) =>
    typeof leaf === 'number'
      ? hostileNumbers(isThorough).map((number) => ({
          path,
          body: JSON.stringify(withLeaf(sample, place, numberMark)).replace(`"${numberMark}"`, number),
        }))
      : hostileTexts(isThorough).map((text) => ({
          path,
          body: JSON.stringify(withLeaf(sample, place, text)),
        })),
  );
}

/** Percent-encodes a text. Lone surrogates become bytes that are not valid UTF-8. */
const encodeText = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'access' in value;

/** Operations with a stream as answer, or that end the caller's session. */
const leftOut = new Set(['connectHub', 'logout']);

type Answer = { readonly status: number; readonly fault: string | undefined };

async function ask(
  origin: string,
  method: string,
  { path, body }: Attack,
  caller: Readonly<Record<string, string>>,
): Promise<Answer> {
  try {
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
      headers: {
        ...caller,
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const { status } = response;
    const isProblem =
      response.headers.get('content-type')?.startsWith('application/problem+json') ||
      text.includes('"jsonrpc"');
    const isFine = status < 400 || (status < 500 && isProblem);
    return { status, fault: isFine ? undefined : `${status} ${text.slice(0, 200)}` };
  } catch (error) {
    return { status: 0, fault: `no whole answer: ${error instanceof Error ? error.message : 'unknown'}` };
  }
}

/** Calls all operations as the administrator and with a key. A thorough run also calls them without credentials. */
export async function walkHostileInput(options: {
  readonly isThorough: boolean;
}): Promise<HostileInputReport> {
  const { isThorough } = options;
  const svc = await startService();
  try {
    const admin = await setUp(svc);
    const owner = await createUser(svc.database, 'hostile-owner', ['Admin']);
    const { authorization } = await createKey(svc.database, owner, { scopes: ['Execute'] });
    const csrf = await admin.get('/svc/api/csrf');
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const callers: readonly Readonly<Record<string, string>>[] = [
      { cookie, 'x-xsrf-token': csrf.body.token as string },
      { authorization },
      ...(isThorough ? [{}] : []),
    ];
    const endpoints = (Object.values(contract) as readonly unknown[])
      .filter(isEndpoint)
      .filter(({ operationId, path }) => path.startsWith('/svc/') && !leftOut.has(operationId));
    const byStatus: Record<string, number> = {};
    const faults: string[] = [];
    for (const endpoint of endpoints)
      for (const attack of attacksOn(endpoint, isThorough))
        for (const caller of callers) {
          const { status, fault } = await ask(svc.origin, endpoint.method, attack, caller);
          byStatus[status] = (byStatus[status] ?? 0) + 1;
          if (fault !== undefined && faults.length < faultsToldMax)
            faults.push(
              `${endpoint.operationId} ${attack.path.slice(0, 120)} ${attack.body?.slice(0, 200) ?? ''}: ${fault}`,
            );
        }
    const requests = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
    return { operations: endpoints.length, requests, byStatus, faults };
  } finally {
    await svc.close();
  }
}
